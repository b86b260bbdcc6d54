//! What went wrong, for the one who asked: a status, a sentence, and where it can be said the field, the value and what is
//! allowed. Becomes problem+json (RFC 9457).

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use muster_engine::Refusal;
use muster_formats::refusal::{Reason, Refusals};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::journal::JournalError;
use crate::keeper::Unavailable;

/// A problem, as it is sent: see [`Told`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct Problem(Box<Told>);

impl std::ops::Deref for Problem {
    type Target = Told;
    fn deref(&self) -> &Told {
        &self.0
    }
}

impl std::ops::DerefMut for Problem {
    fn deref_mut(&mut self) -> &mut Told {
        &mut self.0
    }
}

/// What a problem says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Told {
    /// What sort of problem it is, as a stable word in the form of an address.
    #[serde(rename = "type")]
    pub kind: String,
    /// The HTTP status.
    pub status: u16,
    /// The sort of problem in words.
    pub title: String,
    /// What is wrong, in a sentence.
    pub detail: String,
    /// The field that is wrong.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub field: Option<String>,
    /// Its value.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub value: Option<String>,
    /// What is allowed there.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub allowed: Option<String>,
    /// So many seconds later it may be tried again.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub retry_after: Option<u32>,
    /// All that is wrong, if it is more than one thing: each with what is known of line, field, value and what is allowed.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[schema(value_type = Vec<Object>)]
    pub problems: Vec<serde_json::Value>,
}

/// A reply, or what went wrong.
pub type Answer<T> = Result<T, Problem>;

impl Problem {
    /// A problem of a kind.
    #[must_use]
    pub fn new(status: StatusCode, kind: &str, title: &str, detail: impl Into<String>) -> Self {
        Self(Box::new(Told {
            kind: format!("urn:muster:{kind}"),
            status: status.as_u16(),
            title: title.to_owned(),
            detail: detail.into(),
            field: None,
            value: None,
            allowed: None,
            retry_after: None,
            problems: Vec::new(),
        }))
    }

    /// A value that is not allowed.
    #[must_use]
    pub fn field(field: &str, value: impl std::fmt::Display, allowed: &str) -> Self {
        let value = value.to_string();
        let detail = format!("{field} is {value}; allowed is {allowed}");
        let mut problem =
            Self::new(StatusCode::UNPROCESSABLE_ENTITY, "value", "A value is not allowed", detail);
        (problem.field, problem.value, problem.allowed) =
            (Some(field.to_owned()), Some(value), Some(allowed.to_owned()));
        problem
    }

    /// Something that is not there, or not for the caller.
    #[must_use]
    pub fn not_found(what: impl std::fmt::Display) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", "Not found", format!("there is no {what}"))
    }

    /// Something that the caller's token does not allow.
    #[must_use]
    pub fn forbidden(what: &str) -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            "forbidden",
            "Not allowed with this token",
            format!("this token does not allow to {what}"),
        )
    }

    /// Something that is there already, or otherwise in the way.
    #[must_use]
    pub fn conflict(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, "conflict", "It conflicts with how things stand", detail)
    }

    /// A request that cannot be read.
    #[must_use]
    pub fn unreadable(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "unreadable", "The request cannot be read", detail)
    }

    /// Too much, for now.
    #[must_use]
    pub fn too_many(detail: impl Into<String>, retry_after: u32) -> Self {
        let mut problem = Self::new(StatusCode::TOO_MANY_REQUESTS, "too-many", "Too much at once", detail);
        problem.retry_after = Some(retry_after);
        problem
    }

    /// The HTTP status.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.0.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        let detail = refusal.to_string();
        match refusal {
            Refusal::Field { field, value, allowed } => Self::field(field, value, &allowed),
            Refusal::UnknownTenant(_)
            | Refusal::UnknownApp(_)
            | Refusal::UnknownKind(_)
            | Refusal::UnknownPool(_)
            | Refusal::UnknownClient(_)
            | Refusal::UnknownJob(_)
            | Refusal::UnknownWorker(_)
            | Refusal::UnknownRecruit(_) => {
                Self::new(StatusCode::NOT_FOUND, "not-found", "Not found", detail)
            }
            Refusal::UnknownLease(..) => {
                Self::new(StatusCode::CONFLICT, "lease", "The lease is not held", detail)
            }
            Refusal::Standing { .. }
            | Refusal::ClientWaits(_)
            | Refusal::NoRoom { .. }
            | Refusal::OverBudget { .. }
            | Refusal::ServedTwice { .. } => Self::conflict(detail),
            Refusal::NoPool(..)
            | Refusal::Cycle { .. }
            | Refusal::UnknownParent { .. }
            | Refusal::DuplicateParent { .. }
            | Refusal::Policy(_) => {
                Self::new(StatusCode::UNPROCESSABLE_ENTITY, "value", "A value is not allowed", detail)
            }
            Refusal::TimeWentBack { .. } | Refusal::MustResume => {
                Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "The server made a mistake", detail)
            }
        }
    }
}

impl From<Refusals> for Problem {
    /// A file or table that is wrong: the first problem in words, and all of them.
    fn from(refused: Refusals) -> Self {
        let (status, n) = (StatusCode::UNPROCESSABLE_ENTITY, refused.0.len());
        let problems = match refused.to_json() {
            serde_json::Value::Array(problems) => problems,
            other => vec![other],
        };
        let Some(first) = refused.0.into_iter().next() else {
            return Self::new(status, "file", "The file is not what is wanted here", "it cannot be read");
        };
        let place = first.at.as_ref().map(|at| format!("line {}: ", at.line)).unwrap_or_default();
        let more = if n > 1 { format!(" ({} more problems are listed)", n - 1) } else { String::new() };
        let detail = format!("{place}{}{more}", first.message());
        let mut problem = Self::new(status, "file", "The file is not what is wanted here", detail);
        (problem.value, problem.allowed) = match first.reason {
            Reason::Value { value, allowed, .. } => (Some(value), Some(allowed)),
            Reason::Missing { allowed } => (None, Some(allowed)),
            Reason::Unknown { key, known, .. } => (Some(key), Some(known.join(", "))),
            Reason::Format(_) | Reason::Other(_) => (None, None),
        };
        problem.field = Some(first.field).filter(|field| !field.is_empty());
        problem.problems = problems;
        problem
    }
}

impl From<JournalError> for Problem {
    fn from(error: JournalError) -> Self {
        let detail = format!("the journal cannot be read: {error}");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "journal", "The journal cannot be read", detail)
    }
}

impl From<Unavailable> for Problem {
    fn from(why: Unavailable) -> Self {
        let (status, kind, detail) = match why {
            Unavailable::Busy => {
                (StatusCode::SERVICE_UNAVAILABLE, "busy", "too many requests wait already; nothing was done")
            }
            Unavailable::Full => (
                StatusCode::INSUFFICIENT_STORAGE,
                "disk-full",
                "the server's disk is full; nothing was done. Reading works, and writing will when there is space",
            ),
            Unavailable::Stopped => {
                (StatusCode::SERVICE_UNAVAILABLE, "stopped", "the server is stopping; nothing was done")
            }
            Unavailable::Lost => (
                StatusCode::SERVICE_UNAVAILABLE,
                "lost",
                "the server could not make it durable; nothing was done, try again",
            ),
        };
        let mut problem = Self::new(status, kind, "The server cannot take this now", detail);
        problem.retry_after = Some(1);
        problem
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = serde_json::to_vec(&self).unwrap_or_default();
        let mut response = (self.status(), body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.0.status == StatusCode::UNAUTHORIZED.as_u16() {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}
