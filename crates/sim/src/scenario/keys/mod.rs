//! Every key of a scenario file: what it means, what it may be, what it is by default, and an example.
//!
//! One list for the reference, for the schema of editors and for the test that the parser knows exactly these keys. Does
//! not read anything. Start at [`GROUPS`].

mod chance;
mod crowd;
mod top;
mod work;

/// What a value may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A length of time above zero.
    Span,
    /// A length of time, perhaps zero.
    SpanOrZero,
    /// So many per time.
    Rate,
    /// Money.
    Money,
    /// Money per time.
    MoneyRate,
    /// From 0 to 1, or in hundredths.
    Share,
    /// A whole number.
    Whole,
    /// A number.
    Number,
    /// A text.
    Text,
    /// True or false.
    Flag,
    /// One of these words.
    Word(&'static [&'static str]),
    /// The name of something else in the file.
    Name(&'static str),
    /// Names of things in the file.
    Names(&'static str),
    /// The name of a file.
    File,
    /// A length of time, or a law of them; with these further keys in its table, if any.
    Times(&'static str),
    /// A number, or a law of counts.
    Counts,
    /// A number, or a law of numbers.
    Numbers,
    /// A length of time or a number, as the law is of.
    Amount,
    /// A list of these.
    Amounts,
    /// Laws with weights.
    Parts,
    /// A whole number, or one for each kind.
    PerKind,
    /// A law of times for each kind.
    WorkOf,
    /// A number or law for all apps, or for each by name.
    Likes,
    /// A list of points: a time and a factor.
    Points,
    /// A table of this group.
    Table(&'static str),
    /// A list of tables of this group.
    Tables(&'static str),
    /// A length of time, or a table of this group.
    SpanOr(&'static str),
    /// The name of a file, or a table of this group.
    FileOr(&'static str),
    /// One of several tables, told apart by the key that names them.
    OneOf(&'static str),
    /// A policy of this family.
    Policy(&'static str),
}

/// A key.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// As it is written.
    pub name: &'static str,
    /// What it may be.
    pub form: Form,
    /// What it is if nothing is said; `required` if something must be.
    pub default: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// How it may be written, after the equals sign.
    pub example: &'static str,
}

/// The keys of a table.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// If it is one of several: of which (`arrivals`, `law`, `recommend`); else nothing.
    pub of: &'static str,
    /// What it is called: `app`, or among laws `exponential`.
    pub name: &'static str,
    /// How it is written in a file.
    pub written: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Its keys.
    pub keys: &'static [Key],
}

const fn key(
    name: &'static str,
    form: Form,
    default: &'static str,
    meaning: &'static str,
    example: &'static str,
) -> Key {
    Key { name, form, default, meaning, example }
}

const fn table(
    name: &'static str,
    written: &'static str,
    about: &'static str,
    keys: &'static [Key],
) -> Group {
    Group { of: "", name, written, about, keys }
}

/// All tables, in the order of the reference.
pub const GROUPS: &[&[Group]] = &[top::GROUPS, work::GROUPS, crowd::GROUPS, chance::GROUPS];

/// All groups, one after the other.
pub fn groups() -> impl Iterator<Item = &'static Group> {
    GROUPS.iter().copied().flatten()
}

/// The table of this name.
#[must_use]
pub fn group(name: &str) -> Option<&'static Group> {
    groups().find(|group| group.of.is_empty() && group.name == name)
}

/// The tables that may stand for one.
pub fn choices(of: &'static str) -> impl Iterator<Item = &'static Group> {
    groups().filter(move |group| group.of == of)
}
