//! Charts as they come out.

use expect_test::{expect, expect_file};

use super::terminal::{Size, draw};
use super::*;
use crate::number::Unit;
use crate::paint::Paint;

fn waits() -> Chart {
    let wait = |c: f64| 30.0 / (c - 15.0) / (c - 15.0);
    let cost = |c: f64| 12.0 + (c - 15.0);
    let points = |f: &dyn Fn(f64) -> f64| (16..=30).map(|c| (f64::from(c), f(f64::from(c)))).collect();
    let band = (16..=30).map(f64::from).map(|c| (c, cost(c) - 2.0, cost(c) + 2.0)).collect();
    Chart::new("Does one more help?", Axis::new("workers", Unit::Count), Axis::new("wait", Unit::Seconds))
        .with(Series::new("wait", points(&wait)))
        .with(Series::new("other <&>", points(&cost)).with_band(band))
        .mark("18 recommended", At::X(18.0))
        .mark("at most 5 s", At::Y(5.0))
}

#[test]
fn in_a_terminal() {
    expect![[r#"
        Does one more help?
        wait (s)
              18 recommended
        30 ┤⢇       ┊                                         ░░░░░
           │⠸⡀      ┊                               ░░░░░░░⢀⣀⡠⠤⠤⠔⠒⠒ other <&>
           │ ⢇      ┊                     ░░░░░░░░⣀⣀⠤⠤⠒⠒⠒⠉⠉⠁░░░░░░░
           │ ⢸      ┊           ░░░░░░░░⢀⣀⡠⠤⠤⠒⠒⠒⠉⠉░░░░░░░
        20 ┤  ⡇     ┊ ░░░░░░░⢀⣀⣀⡠⠤⠔⠒⠒⠊⠉⠉⠁░░░░░░░
           │ ░⢸░░░░░┊⣀⣀⠤⠔⠒⠊⠉⠉⠁░░░░░░░░
           │⣀⠤⠬⡖⠒⠒⠉⠉⠉░░░░░░░
        10 ┤░░░⢱░░  ┊
           │   ⠈⡆   ┊
           │┈┈┈┈⠈⠢⣀┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈ at most 5 s
           │       ⠑⠤⣀⣀
         0 ┤        ┊  ⠉⠉⠑⠒⠒⠒⠢⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀ wait
           └───────────────┬───────────────────┬──────────────────┬
                          20                  25                 30
                                    workers
    "#]]
    .assert_eq(&draw(&waits(), Size { columns: 72, rows: 12 }, Paint::Plain));
}

#[test]
fn with_colour_the_same_text() {
    let size = Size { columns: 72, rows: 12 };
    let coloured = draw(&waits(), size, Paint::Colour);
    let mut plain = String::new();
    let mut rest = coloured.as_str();
    while let Some((before, after)) = rest.split_once('\x1b') {
        plain += before;
        rest = after.split_once('m').map_or("", |(_, rest)| rest);
    }
    let trimmed = |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    assert_eq!(trimmed(&(plain + rest)), trimmed(&draw(&waits(), size, Paint::Plain)));
}

#[test]
fn as_a_picture() {
    expect_file!["../../tests/golden/waits.svg"].assert_eq(&svg::picture(&[waits()]));
}

#[test]
fn cut_off_and_empty() {
    let chart = Chart::new("Nothing", Axis::new("x", Unit::Plain), Axis::new("y", Unit::Plain));
    expect![[r#"
        Nothing
        y
        1 ┤
          │
          │
        0 ┤
          └┬────────────────┬────────────────┬
           0               0.5               1
                            x
    "#]]
    .assert_eq(&draw(&chart, Size { columns: 40, rows: 4 }, Paint::Plain));
    let steep = vec![(1.0, f64::INFINITY), (2.0, 900.0), (3.0, 10.0), (4.0, 1.0)];
    let chart = Chart::new(
        "Steep",
        Axis::new("size", Unit::Count),
        Axis::new("share", Unit::Of("USD/h".to_owned())).up_to(20.0),
    );
    let chart = chart.with(Series::new("steep", steep));
    expect![[r#"
        Steep
        share (USD/h)
        20 ┤                         ⢸
           │                         ⢸
           │                         ⢸
        10 ┤                         ⠈⠑⠢⠤⣀⡀
           │                              ⠈⠑⠒⠤⣀⡀
         0 ┤                                   ⠈⠉⠒⠤ steep
           └┬────────────┬───────────┬────────────┬
            1            2           3            4
                             size
    "#]]
    .assert_eq(&draw(&chart, Size { columns: 50, rows: 6 }, Paint::Plain));
    assert!(svg::picture(&[]).ends_with("</svg>\n"));
}

#[test]
fn steps_and_points_in_a_terminal() {
    let size = Size { columns: 60, rows: 8 };
    let clock = Axis::new("time of day", Unit::Seconds).clock(8.0 * 3_600.0);
    let steps = |values: &[f64]| (0..).map(|i| f64::from(i) * 3_600.0).zip(values.iter().copied()).collect();
    let pool = Chart::new("The pool follows", clock, Axis::new("workers", Unit::Count))
        .with(Series::new("workers", steps(&[2.0, 2.0, 5.0, 8.0, 3.0, 3.0])).step())
        .with(Series::new("wanted", steps(&[4.0, 6.0, 9.0, 6.0, 2.0, 2.0])).step().thin());
    expect![[r#"
        The pool follows
        workers
        10 ┤                  ⢀⣀⣀⣀⣀⣀⣀⣀⣀⣀⡀
           │                  ⢸         ⡧⠤⠤⠤⠤⠤⠤⠤⠤⡄
           │                  ⢸         ⡇        ⡇
           │         ⢸⠉⠉⠉⠉⠉⠉⠉⠉⠉         ⡏⠉⠉⠉⠉⠉⠉⠉⠉⡇
         5 ┤⣀⣀⣀⣀⣀⣀⣀⣀⣀⣸        ⢸⠉⠉⠉⠉⠉⠉⠉⠉⠉⠁        ⡇
           │                  ⢸                  ⡧⠤⠤⠤⠤⠤⠤⠤⠤⠤ workers
           │⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠚                  ⠓⠒⠒⠒⠒⠒⠒⠒⠒⠒ wanted
         0 ┤
           └┬────────┬────────┬─────────┬────────┬────────┬
          08:00    09:00    10:00     11:00    12:00    13:00
                              time of day
    "#]]
    .assert_eq(&draw(&pool, size, Paint::Plain));
    let pairs = (0..20).map(|i| (f64::from(i), f64::from(i + i % 3))).collect();
    let mut qq =
        Chart::qq("Alike?", Axis::new("law", Unit::Plain), Axis::new("seen", Unit::Plain), "", pairs);
    qq.spots.push(Spot::new("odd one", 5.0, 18.0).x_within(4.0, 6.0));
    qq.markers.push(Marker { name: "never".to_owned(), at: At::X(f64::NAN) });
    expect![[r#"
        Alike?
        seen
        20 ┤           ⢀                           ⠠  ⡀·⠁··
           │                                ⠠   ·⠂····      odd one
           │                         ⢀    ⠂····⠁
           │                       ⠠····⠁·
        10 ┤                ⢀·⠈··⠂··
           │         ⢀ ⠈··⠄··
           │    ⠐··⠄···
         0 ┤⡀·⠈··
           └┬──────────┬───────────┬───────────┬──────────┬
            0          5          10          15         20
                                  law
    "#]]
    .assert_eq(&draw(&qq, size, Paint::Plain));
}
