//! Results of a job while they come: lines of JSON or a table, what most say, and how far answers agree.

use axum::extract::State;
use axum::response::Response;
use bytes::Bytes;
use muster_engine::ids::JobId;
use muster_formats::results::agreement::{self as compared, Agreement};
use muster_formats::results::{self as written, Guard, Table, majority};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Server;
use super::extract::{By, Json, Query, Word};
use super::jobs::known;
use super::stream::{Form, Pieces, reply};
use crate::journal::{JournalError, Reader};
use crate::keeper;
use crate::payload;
use crate::problem::{Answer, Problem};
use crate::results::{self, Answers};

/// The endpoints.
pub fn router() -> OpenApiRouter<Server> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(most_say)).routes(routes!(agreement))
}

/// In what form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Lines of JSON, exactly as answered.
    #[default]
    Jsonl,
    /// A table with `Input.*` and `Answer.*`; what a spreadsheet would take for a formula gets an apostrophe in front.
    Csv,
    /// The same table, exactly as answered: for programs, not for spreadsheets.
    CsvExact,
}

impl Format {
    fn guard(self) -> Guard {
        if self == Self::CsvExact { Guard::Exact } else { Guard::Spreadsheet }
    }

    fn form(self) -> Form {
        if self == Self::Jsonl { Form::Jsonl } else { Form::Csv }
    }
}

/// Which results.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Which {
    /// jsonl, csv or csv-exact; jsonl unless said.
    #[serde(default)]
    pub format: Format,
    /// From this fact number on: the `number` of the last line seen, plus 1.
    #[serde(default)]
    pub from: u64,
    /// Whether to go on with answers as they come, until the job is over (jsonl only).
    #[serde(default)]
    pub follow: bool,
    /// Whether late answers that do not count are told as well.
    #[serde(default)]
    pub all: bool,
}

/// Answers of a job, in the order in which they came.
#[utoipa::path(get, path = "/api/jobs/{job}/results", tag = "jobs", params(("job" = u64, Path), Which),
    responses((status = 200, content((String = "application/jsonl"), (String = "text/csv"))), (status = "default", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn list(
    State(server): State<Server>,
    by: By,
    word: Word,
    Query(which): Query<Which>,
) -> Answer<Response> {
    let (_, job, _) = known(&server, &by, &word).await?;
    if which.follow && which.format != Format::Jsonl {
        return Err(Problem::field(
            "follow",
            "true",
            "false with a table, whose columns are known only at its end",
        ));
    }
    let (response, pieces) = reply(which.format.form());
    if which.format == Format::Jsonl {
        tokio::spawn(lines(server, job, which, pieces));
    } else {
        spawn_reading(&server, move |shared| table(shared, job, which, &pieces));
    }
    Ok(response)
}

/// Reads in a thread that may wait for disk and client. What cannot be read ends the reply early; the reader is told so by the
/// metrics and by `/ready`, as the head has gone out already.
fn spawn_reading(
    server: &Server,
    read: impl FnOnce(&keeper::Shared) -> Result<(), JournalError> + Send + 'static,
) {
    let (shared, counts) =
        (std::sync::Arc::clone(&server.keeper.shared), std::sync::Arc::clone(&server.counts));
    tokio::task::spawn_blocking(move || {
        if read(&shared).is_err() {
            counts.broken();
        }
    });
}

/// Lines of JSON, until the end or, if followed, until the job is over.
async fn lines(server: Server, job: JobId, which: Which, pieces: Pieces) {
    let mut durable = server.keeper.shared.durable.subscribe();
    let mut from = which.from;
    loop {
        durable.mark_unchanged();
        let cache = std::sync::Arc::clone(&server.keeper.shared);
        let batch = server.read(move |reader| Ok(some_lines(reader, &cache, job, from, which.all)?)).await;
        let Ok(batch) = batch else { return server.counts.broken() };
        from = batch.next;
        if !batch.text.is_empty() && pieces.send(batch.text.into()).await.is_err() {
            return;
        }
        if batch.is_more {
            continue;
        }
        if !which.follow || batch.is_over {
            return;
        }
        tokio::select! {
            changed = durable.changed() => if changed.is_err() { return },
            () = pieces.closed() => return,
            () = server.stopped() => return,
        }
    }
}

struct Batch {
    text: String,
    next: u64,
    /// Whether there may be more at once.
    is_more: bool,
    /// Whether the job was over before this was read.
    is_over: bool,
}

fn some_lines(
    reader: &dyn Reader,
    shared: &keeper::Shared,
    job: JobId,
    from: u64,
    all: bool,
) -> Result<Batch, JournalError> {
    let is_over = reader.get(&crate::keys::closing(job))?.is_some();
    let mut answers = Answers::from(reader, job, from)?;
    let found = answers.more()?;
    let mut text = String::new();
    for answer in found.iter().filter(|answer| all || results::counts(answer)) {
        text += &results::told(reader, &shared.cache, job, answer, written::line)?;
        text.push('\n');
    }
    Ok(Batch { text, next: answers.position(), is_more: !found.is_empty(), is_over })
}

/// A table: once through all answers for its columns, once for its rows.
fn table(shared: &keeper::Shared, job: JobId, which: Which, pieces: &Pieces) -> Result<(), JournalError> {
    let (reader, guard) = (&*shared.reader, which.format.guard());
    let until = reader.end()?;
    let each = |visit: &mut dyn FnMut(&payload::Answer) -> Result<bool, JournalError>| {
        let mut answers = Answers::from(reader, job, which.from)?;
        loop {
            let found = answers.more()?;
            let wanted = found.iter().filter(|it| it.number < until && (which.all || results::counts(it)));
            for answer in wanted {
                if !visit(answer)? {
                    return Ok(());
                }
            }
            if found.is_empty() {
                return Ok(());
            }
        }
    };
    let mut table = Table::new();
    each(&mut |answer| {
        results::told(reader, &shared.cache, job, answer, |told| table.widen(told))?;
        Ok(true)
    })?;
    if pieces.blocking_send(table.header(guard).into()).is_err() {
        return Ok(());
    }
    each(&mut |answer| {
        let row = results::told(reader, &shared.cache, job, answer, |told| table.row(told, guard))?;
        let row =
            row.map_err(|column| JournalError::Failed(format!("column {column} came while it was read")))?;
        Ok(pieces.blocking_send(Bytes::from(row)).is_ok())
    })
}

/// In which form the majority is told.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct How {
    /// jsonl, csv or csv-exact; jsonl unless said.
    #[serde(default)]
    pub format: Format,
}

/// What most answers say, task by task and field by field; ties are named.
#[utoipa::path(get, path = "/api/jobs/{job}/majority", tag = "jobs", params(("job" = u64, Path), How),
    responses((status = 200, content((String = "application/jsonl"), (String = "text/csv"))), (status = "default", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn most_say(
    State(server): State<Server>,
    by: By,
    word: Word,
    Query(how): Query<How>,
) -> Answer<Response> {
    let (_, job, _) = known(&server, &by, &word).await?;
    let (response, pieces) = reply(how.format.form());
    spawn_reading(&server, move |shared| {
        let tasks = results::by_task(&*shared.reader, job)?;
        let texts =
            |answers: &Vec<String>| majority::count(&answers.iter().map(String::as_str).collect::<Vec<_>>());
        let counted = tasks.iter().map(|(task, answers)| (*task, answers.len(), texts(answers)));
        if how.format == Format::Jsonl {
            for (task, n, votes) in counted {
                if pieces.blocking_send((majority::line(task, n, &votes) + "\n").into()).is_err() {
                    break;
                }
            }
            return Ok(());
        }
        let counted: Vec<_> = counted.collect();
        let mut fields: Vec<String> =
            counted.iter().flat_map(|it| it.2.iter().map(|vote| vote.field.clone())).collect();
        fields.sort();
        fields.dedup();
        let guard = how.format.guard();
        let rows = counted.iter().map(|(task, n, votes)| majority::row(*task, *n, votes, &fields, guard));
        for line in std::iter::once(majority::header(&fields, guard)).chain(rows) {
            if pieces.blocking_send(line.into()).is_err() {
                break;
            }
        }
        Ok(())
    });
    Ok(response)
}

/// How far the answers to a field agree.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct FieldAgreement {
    /// The field; empty for answers that are no objects.
    pub field: String,
    /// Tasks with several votes for it.
    pub tasks: u32,
    /// Of them those where all votes are equal.
    pub unanimous: u32,
    /// Of them those where nothing has won.
    pub tied: u32,
    /// The mean share of pairs of votes on a task that are equal.
    pub agreement: Option<f64>,
    /// Krippendorff's alpha for nominal values: 1 is full agreement, 0 as good as chance; absent if all votes are equal.
    pub alpha: Option<f64>,
}

/// How far the answers of a job agree.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct JobAgreement {
    /// Tasks with an answer that counts.
    pub tasks: usize,
    /// Answers that count.
    pub answers: usize,
    /// By field.
    pub fields: Vec<FieldAgreement>,
}

/// How far the answers to the same tasks agree, field by field.
#[utoipa::path(get, path = "/api/jobs/{job}/agreement", tag = "jobs", params(("job" = u64, Path)),
    responses((status = 200, body = JobAgreement), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn agreement(State(server): State<Server>, by: By, word: Word) -> Answer<Json<JobAgreement>> {
    let (_, job, _) = known(&server, &by, &word).await?;
    agreed(&server, job).await.map(Json)
}

/// How far the answers of a job agree. Goes through all of them.
pub(crate) async fn agreed(server: &Server, job: JobId) -> Answer<JobAgreement> {
    let field = |(field, it): (String, Agreement)| FieldAgreement {
        field,
        tasks: it.tasks,
        unanimous: it.unanimous,
        tied: it.tied,
        agreement: it.mean(),
        alpha: it.alpha(),
    };
    let read = move |reader: &dyn Reader| {
        let tasks = results::by_task(reader, job)?;
        let fields = compared::agreement(tasks.values()).into_iter().map(field).collect();
        let answers = tasks.values().map(Vec::len).sum();
        Ok(JobAgreement { tasks: tasks.len(), answers, fields })
    };
    server.read(read).await
}
