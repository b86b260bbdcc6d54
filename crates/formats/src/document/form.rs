//! What a value may be: how it is read, and what is allowed, in words with an example.
//!
//! Does not know keys or tables. A [`Form`] is made by one of the functions here, and can be narrowed with [`Form::then`].

use std::fmt::Display;
use std::ops::RangeInclusive;

use crate::refusal::nearest;
use muster_engine::Span;
use muster_engine::money::Money;

use super::Value;
use super::node::Kind;
use crate::quantity::{self, MoneyRate};

/// Why a value was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// It is not what the form allows.
    NotAllowed,
    /// It is not, and this word may have been meant.
    Meant(Option<String>),
    /// It is not what is allowed here in particular.
    Allowed(String),
    /// It has been refused already, part by part.
    Said,
}

type Read<'f, T> = Box<dyn Fn(&Value<'_>) -> Result<T, Wrong> + 'f>;

/// What a value may be, and how it is read.
pub struct Form<'f, T> {
    pub(super) allowed: String,
    pub(super) read: Read<'f, T>,
}

impl<'f, T: 'f> Form<'f, T> {
    /// A form of one's own.
    pub fn new(allowed: impl Into<String>, read: impl Fn(&Value<'_>) -> Result<T, Wrong> + 'f) -> Self {
        Self { allowed: allowed.into(), read: Box::new(read) }
    }

    /// The same, read further; `None` is not allowed.
    pub fn then<U: 'f>(
        self,
        allowed: impl Into<String>,
        further: impl Fn(T) -> Option<U> + 'f,
    ) -> Form<'f, U> {
        let read = self.read;
        Form::new(allowed, move |value| further(read(value)?).ok_or(Wrong::NotAllowed))
    }
}

fn of_text<'f, T: 'f>(allowed: &'static str, read: fn(&str) -> Result<T, &'static str>) -> Form<'f, T> {
    Form::new(allowed, move |value| match value.kind() {
        Kind::Text(text) => read(text).map_err(|_| Wrong::NotAllowed),
        _ => Err(Wrong::NotAllowed),
    })
}

/// A length of time above zero.
#[must_use]
pub fn span<'f>() -> Form<'f, Span> {
    of_text(quantity::SPAN, quantity::span)
}

/// A length of time, perhaps zero. The number 0 needs no unit.
#[must_use]
pub fn span_or_zero<'f>() -> Form<'f, Span> {
    Form::new(quantity::SPAN_OR_ZERO, |value| match value.kind() {
        Kind::Text(text) => quantity::span_or_zero(text).map_err(|_| Wrong::NotAllowed),
        Kind::Integer(0) => Ok(Span::ZERO),
        _ => Err(Wrong::NotAllowed),
    })
}

/// A rate from 0, per second.
#[must_use]
pub fn rate<'f>() -> Form<'f, f64> {
    of_text(quantity::RATE, quantity::rate)
}

/// An amount of money from 0, in the one currency of the file.
#[must_use]
pub fn money<'f>() -> Form<'f, Money> {
    Form::new(quantity::MONEY, |value| {
        let Kind::Text(text) = value.kind() else { return Err(Wrong::NotAllowed) };
        let amount = quantity::money(text).map_err(|_| Wrong::NotAllowed)?;
        value.one_currency(&amount.currency)?;
        Ok(amount.money)
    })
}

/// Money per time from 0, in the one currency of the file.
#[must_use]
pub fn money_rate<'f>() -> Form<'f, MoneyRate> {
    Form::new(quantity::MONEY_RATE, |value| {
        let Kind::Text(text) = value.kind() else { return Err(Wrong::NotAllowed) };
        let rate = quantity::money_rate(text).map_err(|_| Wrong::NotAllowed)?;
        value.one_currency(&rate.currency)?;
        Ok(rate)
    })
}

/// A share of a whole: a number from 0 to 1, or a text such as `5 %`.
#[must_use]
pub fn share<'f>() -> Form<'f, f64> {
    Form::new(quantity::SHARE, |value| match value.kind() {
        Kind::Text(text) => quantity::share(text).map_err(|_| Wrong::NotAllowed),
        _ => value.as_number().filter(|share| (0.0..=1.0).contains(share)).ok_or(Wrong::NotAllowed),
    })
}

/// A text of at least one letter.
#[must_use]
pub fn text<'f>() -> Form<'f, String> {
    Form::new("a text in quotes", |value| match value.kind() {
        Kind::Text(text) if !text.trim().is_empty() => Ok(text.clone()),
        _ => Err(Wrong::NotAllowed),
    })
}

/// A whole number in a range.
pub fn integer<'f, N>(range: RangeInclusive<N>) -> Form<'f, N>
where
    N: TryFrom<i64> + PartialOrd + Display + 'f,
{
    let allowed = format!("a whole number from {} to {}", range.start(), range.end());
    Form::new(allowed, move |value| match value.kind() {
        Kind::Integer(number) => {
            N::try_from(*number).ok().filter(|number| range.contains(number)).ok_or(Wrong::NotAllowed)
        }
        _ => Err(Wrong::NotAllowed),
    })
}

/// A number in a range; an endless end of it is not said.
#[must_use]
pub fn number<'f>(range: RangeInclusive<f64>) -> Form<'f, f64> {
    let (least, most) = (*range.start(), *range.end());
    let allowed = match (least.is_finite(), most.is_finite()) {
        (true, true) => format!("a number from {least} to {most}"),
        (true, false) => format!("a number from {least}"),
        (false, true) => format!("a number up to {most}"),
        (false, false) => "a number".to_owned(),
    };
    Form::new(allowed, move |value| {
        let number = value.as_number().filter(|number| number.is_finite());
        number.filter(|number| range.contains(number)).ok_or(Wrong::NotAllowed)
    })
}

/// Yes or no.
#[must_use]
pub fn flag<'f>() -> Form<'f, bool> {
    Form::new("true or false", |value| match value.kind() {
        Kind::Flag(flag) => Ok(*flag),
        _ => Err(Wrong::NotAllowed),
    })
}

/// One of several words, each with its meaning.
pub fn choice<'f, T: Clone + 'f>(words: &[(&str, T)]) -> Form<'f, T> {
    let allowed: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    let words: Vec<(String, T)> = words.iter().map(|(word, it)| ((*word).to_owned(), it.clone())).collect();
    Form::new(allowed.join(" or "), move |value| {
        let Kind::Text(text) = value.kind() else { return Err(Wrong::NotAllowed) };
        let found = words.iter().find(|(word, _)| word == text).map(|(_, meaning)| meaning.clone());
        let near = || nearest(text, words.iter().map(|(word, _)| word.as_str())).map(str::to_owned);
        found.ok_or_else(|| Wrong::Meant(near()))
    })
}

/// The name of something that stands elsewhere in the file; its place among `names`.
pub fn name_of<'f>(what: &str, names: &'f [String]) -> Form<'f, usize> {
    let allowed = match names {
        [] => format!("the name of {what}, and there is none"),
        _ => format!("the name of {what}: {}", names.join(", ")),
    };
    Form::new(allowed, move |value| {
        let Kind::Text(text) = value.kind() else { return Err(Wrong::NotAllowed) };
        let near = || nearest(text, names.iter().map(String::as_str)).map(str::to_owned);
        names.iter().position(|name| name == text).ok_or_else(|| Wrong::Meant(near()))
    })
}
