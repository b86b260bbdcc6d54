//! Figures as an aligned table for the terminal: words to the left, numbers to the right, four digits that count.

use super::figure::Figure;

const COLUMNS: usize = 6;
const TITLES: [&str; COLUMNS] = ["name", "value", "unit", "peer", "peer's value", "ratio"];
const IS_NUMBER: [bool; COLUMNS] = [false, true, false, false, true, true];
const NONE: &str = "-";

pub(super) fn layout(figures: &[Figure]) -> String {
    if figures.is_empty() {
        return "no figures\n".to_owned();
    }
    let titles = TITLES.map(str::to_owned);
    let rows: Vec<[String; COLUMNS]> = std::iter::once(titles).chain(figures.iter().map(cells)).collect();
    let widths: [usize; COLUMNS] =
        std::array::from_fn(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0));
    rows.iter().map(|row| line(row, &widths)).collect()
}

fn cells(figure: &Figure) -> [String; COLUMNS] {
    let optional = |number: Option<f64>| number.map_or_else(|| NONE.to_owned(), digits);
    [
        figure.name.clone(),
        digits(figure.value),
        figure.unit.clone(),
        figure.peer.clone().unwrap_or_else(|| NONE.to_owned()),
        optional(figure.peer_value),
        optional(figure.ratio),
    ]
}

fn line(row: &[String; COLUMNS], widths: &[usize; COLUMNS]) -> String {
    let padded = |column: usize| match (&row[column], widths[column]) {
        (cell, width) if IS_NUMBER[column] => format!("{cell:>width$}"),
        (cell, width) => format!("{cell:width$}"),
    };
    let cells: Vec<String> = (0..COLUMNS).map(padded).collect();
    format!("{}\n", cells.join("  ").trim_end())
}

/// Four digits that count: 0.01235, 12.35, 1235, 1_235_000; powers of ten only for what is tiny.
fn digits(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    let rounded: f64 = format!("{number:.3e}").parse().unwrap_or(number);
    match rounded.abs() {
        size if size < 1e-4 => format!("{rounded:e}"),
        size if size < 1000.0 => format!("{rounded:.*}", decimals(size)),
        _ => grouped(&format!("{rounded:.0}")),
    }
}

/// How many digits after the point make four that count, for sizes below 1000.
fn decimals(size: f64) -> usize {
    let steps = [100.0, 10.0, 1.0, 0.1, 0.01, 0.001];
    1 + steps.iter().take_while(|step| size < **step).count()
}

/// 1235000 as 1_235_000, as one writes it in Rust.
fn grouped(whole: &str) -> String {
    let (sign, number) = whole.strip_prefix('-').map_or(("", whole), |number| ("-", number));
    if number.len() <= 4 {
        return whole.to_owned();
    }
    let starts_group = |index: usize| index > 0 && (number.len() - index).is_multiple_of(3);
    let spaced = number.chars().enumerate().flat_map(|(index, digit)| {
        let gap = starts_group(index).then_some('_');
        gap.into_iter().chain([digit])
    });
    format!("{sign}{}", spaced.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_digits_count() {
        let cases = [
            (0.0, "0"),
            (0.000_012_345, "1.234e-5"),
            (0.000_123_45, "0.0001234"),
            (0.012_346, "0.01235"),
            (0.5, "0.5000"),
            (1.0, "1.000"),
            (9.999_96, "10.00"),
            (12.346, "12.35"),
            (999.96, "1000"),
            (1234.6, "1235"),
            (12_345.0, "12_340"),
            (1_234_567.0, "1_235_000"),
            (-2_500.4, "-2500"),
            (-25_000.0, "-25_000"),
        ];
        for (number, expected) in cases {
            assert_eq!(digits(number), expected, "{number}");
        }
    }

    #[test]
    fn the_table_is_aligned() {
        let figure = |name: &str, value: f64, peer: Option<(&str, f64)>| Figure {
            name: name.to_owned(),
            value,
            unit: "ns".to_owned(),
            peer: peer.map(|(name, _)| name.to_owned()),
            peer_value: peer.map(|(_, value)| value),
            ratio: peer.map(|(_, theirs)| value / theirs),
        };
        let figures =
            [figure("push", 12.5, Some(("BinaryHeap", 25_000.0))), figure("pop, 1000 deep", 1.0, None)];
        let expected = [
            "name            value  unit  peer        peer's value      ratio",
            "push            12.50  ns    BinaryHeap        25_000  0.0005000",
            "pop, 1000 deep  1.000  ns    -                      -          -",
        ];
        assert_eq!(layout(&figures).lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn no_figures_is_said() {
        assert_eq!(layout(&[]), "no figures\n");
    }
}
