//! What a key holds, before it is said whether it must be there. Wrong values have been refused by then.

use super::{Table, Value};
use crate::refusal::Reason;

/// What a key holds: nothing, something wrong (and refused), or a value.
#[must_use = "say whether it is optional, required, or what it is by default"]
#[derive(Debug)]
pub struct Given<'d, T> {
    pub(super) table: Table<'d>,
    pub(super) key: String,
    pub(super) allowed: String,
    /// What was written.
    pub(super) written: Option<Value<'d>>,
    pub(super) read: Option<T>,
}

impl<'d, T> Given<'d, T> {
    /// The value, if it is there and right.
    pub fn optional(self) -> Option<T> {
        self.read
    }

    /// The value, or this if it is not there (or wrong: then the document is refused anyway).
    pub fn or(self, default: T) -> T {
        self.read.unwrap_or(default)
    }

    /// The value; if it is not there, that is refused. `None`: it has been refused.
    pub fn required(self) -> Option<T> {
        if self.written.is_none() {
            self.table.refuse_missing(&self.key, &self.allowed);
        }
        self.read
    }

    /// The value; if it is not there, that is refused, and reading goes on with this one to find what else is wrong.
    pub fn required_or(self, stand_in: T) -> T {
        self.required().unwrap_or(stand_in)
    }

    /// Refuses the value unless it is right in yet another way.
    pub fn check(mut self, is_right: impl FnOnce(&T) -> bool, allowed: &str) -> Self {
        if self.read.as_ref().is_some_and(|read| !is_right(read)) {
            self.refuse(allowed);
        }
        self
    }

    /// The value turned into something else; an error says what is allowed.
    pub fn and_then<U>(mut self, further: impl FnOnce(T) -> Result<U, String>) -> Given<'d, U> {
        let read = self.read.take().map(further);
        let mut next = Given {
            table: self.table,
            key: self.key,
            allowed: self.allowed,
            written: self.written,
            read: None,
        };
        match read {
            Some(Ok(read)) => next.read = Some(read),
            Some(Err(allowed)) => next.refuse(&allowed),
            None => {}
        }
        next
    }

    /// What was written, right or wrong.
    #[must_use]
    pub fn written(&self) -> Option<&Value<'d>> {
        self.written.as_ref()
    }

    /// Whether nothing was written.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        self.written.is_none()
    }

    fn refuse(&mut self, allowed: &str) {
        self.read = None;
        if let Some(written) = &self.written {
            written.refuse(allowed);
        }
    }
}

impl Table<'_> {
    fn refuse_missing(&self, key: &str, allowed: &str) {
        let reason = Reason::Missing { allowed: allowed.to_owned() };
        self.document.refuse(&self.place(), self.path_of(key), reason);
    }
}
