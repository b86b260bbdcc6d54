//! What a calculator can be given: names, kinds, and what is allowed.

use muster_engine::Span;
use muster_formats::quantity::{self, MoneyRate};

/// The most workers that calculators look at: beyond, they would take too long.
pub(crate) const WORKERS_MOST: u32 = 10_000_000;

/// The largest number in a list: sums of them stay finite, and exact enough.
const LISTED_MOST: f64 = 1e12;

/// Something that can be given, as a flag or as a key in JSON.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) help: &'static str,
}

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    /// Events per time; from 0.
    Rate,
    /// A length of time above 0.
    Time,
    /// A length of time, perhaps 0.
    TimeOrZero,
    /// Several lengths of time above 0, with commas between them.
    Times,
    /// Money per time; from 0.
    Money,
    /// A whole number in a range.
    Count(u32, u32),
    /// A whole number, perhaps negative.
    Whole,
    /// A number in a range, ends included.
    Number(f64, f64),
    /// A number in a range, its upper end not included.
    Below(f64, f64),
    /// Several numbers, with commas between them.
    Numbers,
    /// Several numbers, none below 0.
    Weights,
    /// Names, with commas between them.
    Names,
    /// One of several words.
    Word(&'static [&'static str]),
}

/// A value that was read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Given {
    Number(f64),
    List(Vec<f64>),
    Money(MoneyRate),
    Names(Vec<String>),
    Word(String),
}

impl Kind {
    /// What stands for the value in the help.
    pub(crate) fn placeholder(self) -> &'static str {
        match self {
            Self::Rate => "RATE",
            Self::Time | Self::TimeOrZero => "TIME",
            Self::Times => "TIMES",
            Self::Money => "MONEY/TIME",
            Self::Count(..) | Self::Whole => "N",
            Self::Number(..) | Self::Below(..) => "X",
            Self::Numbers | Self::Weights => "X,Y,...",
            Self::Names => "NAMES",
            Self::Word(_) => "WORD",
        }
    }

    /// What is allowed, for a refusal.
    pub(crate) fn allowed(self) -> String {
        match self {
            Self::Rate => "a rate from 0, such as 12 /min".to_owned(),
            Self::Time => "a length of time above zero, such as 90 s or 1.5 h".to_owned(),
            Self::TimeOrZero => "a length of time, such as 90 s or 1.5 h".to_owned(),
            Self::Times => {
                "lengths of time above zero with commas between them, such as 10 s,1 min".to_owned()
            }
            Self::Money => "money per time from 0, such as 0.05 USD/min".to_owned(),
            Self::Count(least, most) => format!("a whole number from {least} to {most}"),
            Self::Whole => "a whole number".to_owned(),
            Self::Number(least, most) => format!("a number from {least} to {most}"),
            Self::Below(least, most) => format!("a number from {least} to below {most}"),
            Self::Numbers => "numbers up to 1e12 with commas between them, such as 2,3,-1".to_owned(),
            Self::Weights => "numbers from 0 to 1e12 with commas between them, such as 3,1,0.5".to_owned(),
            Self::Names => "names with commas between them".to_owned(),
            Self::Word(words) => words.join(" or "),
        }
    }

    /// Reads a value; `None` if it is not allowed.
    pub(crate) fn read(self, text: &str) -> Option<Given> {
        let between =
            |least: f64, most: f64| quantity::number(text).ok().filter(|x| (least..=most).contains(x));
        let whole =
            |least: f64, most: f64| between(least, most).filter(|x| x.fract() == 0.0).map(Given::Number);
        match self {
            Self::Rate => quantity::rate(text).ok().map(Given::Number),
            Self::Time => above_zero(text).map(Given::Number),
            Self::TimeOrZero => seconds(quantity::span_or_zero(text)).map(Given::Number),
            Self::Times => list(text, above_zero),
            Self::Money => quantity::money_rate(text).ok().map(Given::Money),
            Self::Count(least, most) => whole(f64::from(least), f64::from(most)),
            Self::Whole => whole(-1e9, 1e9),
            Self::Number(least, most) => between(least, most).map(Given::Number),
            Self::Below(least, most) => between(least, most).filter(|x| *x < most).map(Given::Number),
            Self::Numbers => {
                list(text, |part| quantity::number(part).ok().filter(|x| x.abs() <= LISTED_MOST))
            }
            Self::Weights => {
                list(text, |part| quantity::number(part).ok().filter(|x| (0.0..=LISTED_MOST).contains(x)))
            }
            Self::Names => Some(Given::Names(text.split(',').map(|name| name.trim().to_owned()).collect())),
            Self::Word(words) => words.contains(&text).then(|| Given::Word(text.to_owned())),
        }
    }
}

fn above_zero(text: &str) -> Option<f64> {
    seconds(quantity::span(text))
}

fn seconds(span: Result<Span, &str>) -> Option<f64> {
    span.ok().map(Span::as_secs_f64)
}

fn list(text: &str, read: impl Fn(&str) -> Option<f64>) -> Option<Given> {
    text.split(',').map(read).collect::<Option<Vec<f64>>>().map(Given::List)
}
