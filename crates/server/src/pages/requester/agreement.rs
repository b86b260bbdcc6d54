//! How far workers agree, as a table; counted again only when there are more answers.

use std::sync::{Arc, Mutex, PoisonError};

use maud::{Markup, html};
use muster_engine::ids::JobId;
use muster_report::number;

use super::super::parts::{self, Column};
use crate::http::Server;
use crate::http::results::{FieldAgreement, JobAgreement, agreed};
use crate::problem::Answer;

/// The last count of a job's agreement, with how many answers counted then.
#[derive(Clone, Debug, Default)]
pub(super) struct Counted(Arc<Mutex<Option<(u64, JobAgreement)>>>);

impl Counted {
    /// How far the answers of a job agree, of which `answered` count now.
    pub(super) async fn agreement(&self, server: &Server, job: JobId, answered: u64) -> Answer<JobAgreement> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((_, agreement)) = kept.filter(|(at, _)| *at == answered) {
            return Ok(agreement);
        }
        let agreement = agreed(server, job).await?;
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((answered, agreement.clone()));
        Ok(agreement)
    }
}

const COLUMNS: [Column; 6] = [
    Column::text("Field"),
    Column::number("Tasks compared"),
    Column::number("All agree"),
    Column::number("Tied"),
    Column::number("Equal pairs"),
    Column::number("Alpha"),
];

fn percent(share: f64) -> String {
    format!("{} %", number::fixed(100.0 * share, 1))
}

fn row(field: &FieldAgreement) -> Vec<Markup> {
    let share = |n: u32| percent(f64::from(n) / f64::from(field.tasks.max(1)));
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
    vec![
        html! { @if field.field.is_empty() { "answer" } @else { (field.field) } },
        html! { (parts::count(field.tasks)) },
        html! { (share(field.unanimous)) },
        html! { (share(field.tied)) },
        html! { (or_dash(field.agreement.map(percent))) },
        html! { (or_dash(field.alpha.map(|alpha| number::fixed(alpha, 2)))) },
    ]
}

/// The table, or why there is none.
pub(super) fn view(agreement: &JobAgreement, slots: u8) -> Markup {
    if agreement.fields.is_empty() {
        let next = if slots < 2 {
            "Each task of this job gets one answer, so there is nothing to compare. Ask for two or more answers per task to see how far workers agree."
        } else {
            "No task has two answers yet. How far workers agree is shown here as soon as some have."
        };
        return parts::empty("Nothing to compare", next);
    }
    html! {
        (parts::table("Agreement between workers", &COLUMNS, agreement.fields.iter().map(row)))
        p .soft {
            "Equal pairs: of all pairs of answers to a task, how many are equal, averaged over tasks. "
            "Alpha (Krippendorff's, for nominal values) counts off what guessing would give: 1 is full agreement, 0 as good as chance. "
            "It is – where all answers are the same."
        }
    }
}
