//! What went wrong, and with which exit code the program ends.

use std::fmt;
use std::process::ExitCode;

/// Input that is not allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// A value that is not allowed.
    Value { field: String, value: String, allowed: String },
    /// Something that must be given.
    Missing { field: String, allowed: String },
    /// A key that nobody knows.
    Unknown { key: String, nearest: Option<String>, known: Vec<String> },
    /// Fields that do not go together, in a sentence.
    Together(String),
}

impl Refusal {
    pub(crate) fn value(field: &str, value: impl fmt::Display, allowed: &str) -> Self {
        Self::Value { field: field.to_owned(), value: value.to_string(), allowed: allowed.to_owned() }
    }
}

impl Refusal {
    /// A name that nobody knows, with the nearest of those there are.
    pub(crate) fn unknown(key: &str, known: Vec<String>) -> Self {
        let nearest = muster_engine::policy::settings::nearest(key, known.iter().map(String::as_str));
        Self::Unknown { key: key.to_owned(), nearest: nearest.map(str::to_owned), known }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value { field, value, allowed } => write!(f, "{field} is '{value}'; allowed is {allowed}"),
            Self::Missing { field, allowed } => write!(f, "{field} is missing; it is {allowed}"),
            Self::Unknown { key, nearest, known } => {
                write!(f, "there is no '{key}'")?;
                if let Some(nearest) = nearest {
                    write!(f, " (did you mean '{nearest}'?)")?;
                }
                write!(f, "; there are {}", known.join(", "))
            }
            Self::Together(sentence) => f.write_str(sentence),
        }
    }
}

/// Why the program ends without having done what was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Bad input.
    Refused(Refusal),
    /// Everything that is wrong with a file, as it is to be shown.
    Many(String),
    /// What could not be done, in a sentence.
    Said(String),
    /// A file or stream that could not be read or written.
    File(String, std::io::Error),
}

impl Failure {
    /// 2 for bad input, 1 for the rest.
    pub(crate) fn code(&self) -> ExitCode {
        match self {
            Self::Refused(_) | Self::Many(_) => ExitCode::from(2),
            Self::Said(_) | Self::File(..) => ExitCode::FAILURE,
        }
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refusal) => refusal.fmt(f),
            Self::Many(text) | Self::Said(text) => f.write_str(text),
            Self::File(path, error) => write!(f, "{path}: {error}"),
        }
    }
}
