//! Which column of a table means what: by the names that are in use, or as somebody says. Knows no rows.

use std::collections::BTreeMap;

use crate::refusal::nearest;

/// What a column may mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    /// Who worked.
    Worker,
    /// The job or batch.
    Job,
    /// The type of task.
    App,
    /// When the task came.
    Created,
    /// When the worker took it.
    Start,
    /// When the worker was done.
    Submit,
    /// How long it took.
    Work,
    /// Whether it was answered, skipped, served or abandoned.
    Outcome,
    /// Whether a call was abandoned: yes or no.
    Abandoned,
    /// The run or experiment that a job is a part of.
    Run,
    /// When work or a call came.
    Arrival,
    /// How many tasks came.
    Tasks,
    /// How many answers each needs.
    Slots,
    /// How long a call waited.
    Wait,
    /// How long a call was served.
    Service,
    /// When a worker's stay began.
    SessionStart,
    /// How long it was.
    SessionLength,
}

/// Every field, its own name, and how others call it: small letters and digits only, without a unit at the end.
const NAMES: [(Field, &[&str]); 17] = [
    (Field::Worker, &["worker", "workerid", "annotator", "annotatorid"]),
    (Field::Job, &["job", "jobid", "batch", "batchid", "hittypeid"]),
    (Field::App, &["app", "tasktype", "hittype", "taskclass", "type", "title"]),
    (Field::Created, &["created", "hitcreated", "creationtime"]),
    (Field::Start, &["start", "started", "startedat", "accept", "accepted", "accepttime"]),
    (Field::Submit, &["submit", "submitted", "submittime", "submittedat", "createdat"]),
    (Field::Work, &["work", "worktime", "worktimeinseconds", "duration"]),
    (Field::Outcome, &["outcome", "kind"]),
    (Field::Abandoned, &["abandoned"]),
    (Field::Run, &["run"]),
    (Field::Arrival, &["arrival", "arrivaltime", "arrived"]),
    (Field::Tasks, &["tasks", "numtasks"]),
    (Field::Slots, &["slots", "repetition", "redundancy"]),
    (Field::Wait, &["wait", "waitingtime", "waittime", "qtime"]),
    (Field::Service, &["service", "servicetime", "sertime"]),
    (Field::SessionStart, &["sessionstart"]),
    (Field::SessionLength, &["sessionlen", "sessionlength"]),
];

impl Field {
    /// Its name in a column map.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SessionStart => "session_start",
            Self::SessionLength => "session_length",
            _ => NAMES.iter().find(|(field, _)| *field == self).map_or("", |(_, names)| names[0]),
        }
    }
}

/// What kind of file it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// A table of who did what, from when to when.
    Assignments,
    /// A table of what came when.
    Arrivals,
    /// A log of calls.
    Calls,
    /// A table of who was there when.
    Sessions,
    /// CLAMShell's three lists of numbers.
    Clamshell,
    /// Our own facts.
    Facts,
    /// A table that goes with others and tells nothing of this kind itself; its rows are only counted.
    #[default]
    Side,
}

/// Which columns mean what, where their names do not tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnMap(pub BTreeMap<Field, String>);

impl ColumnMap {
    /// Reads `worker=Annotator,start=Begin`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut map = BTreeMap::new();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (name, column) = part
                .split_once('=')
                .ok_or_else(|| format!("'{part}' is not written as field=column, such as worker=WorkerId"))?;
            let known = || NAMES.iter().map(|(field, _)| field.name());
            let field = NAMES.iter().map(|(field, _)| *field).find(|field| field.name() == name.trim());
            let field = field.ok_or_else(|| {
                let near = nearest(name.trim(), known()).map(|near| format!(" (did you mean '{near}'?)"));
                let known: Vec<&str> = known().collect();
                format!(
                    "there is no field '{}'{}; there are {}",
                    name.trim(),
                    near.unwrap_or_default(),
                    known.join(", ")
                )
            })?;
            map.insert(field, column.trim().to_owned());
        }
        Ok(Self(map))
    }
}

/// The places of the fields in a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Columns {
    pub(super) places: BTreeMap<Field, usize>,
    pub(super) width: usize,
}

impl Columns {
    /// Finds them in a header; the error names a column that a map asks for and that is not there.
    pub(super) fn find(header: &[&str], map: &ColumnMap) -> Result<Self, String> {
        let mut places = BTreeMap::new();
        for (field, names) in NAMES {
            let by_name = |wanted: &&str| header.iter().position(|column| plain(column) == **wanted);
            if let Some(place) = names.iter().find_map(by_name) {
                places.insert(field, place);
            }
        }
        for (field, column) in &map.0 {
            let place = header.iter().position(|name| name.trim() == column).ok_or_else(|| {
                let near =
                    nearest(column, header.iter().copied()).map(|near| format!(" (did you mean '{near}'?)"));
                format!(
                    "there is no column '{column}' for {}{}; there are {}",
                    field.name(),
                    near.unwrap_or_default(),
                    header.join(", ")
                )
            })?;
            // A column that was claimed means nothing else.
            places.retain(|_, other| *other != place);
            places.insert(*field, place);
        }
        Ok(Self { places, width: header.len() })
    }

    /// What kind of table this is.
    pub(super) fn shape(&self) -> Shape {
        let has = |field| self.places.contains_key(&field);
        if has(Field::SessionStart) && has(Field::SessionLength) && has(Field::Worker) {
            Shape::Sessions
        } else if has(Field::Arrival) && has(Field::Wait) {
            Shape::Calls
        } else if has(Field::Worker) && (has(Field::Work) || (has(Field::Start) && has(Field::Submit))) {
            Shape::Assignments
        } else if has(Field::Arrival) {
            Shape::Arrivals
        } else {
            Shape::Side
        }
    }
}

/// `Hit_Created_s` as `hitcreated`.
fn plain(name: &str) -> String {
    let name = name.trim().to_lowercase();
    let name = name.strip_suffix("_s").unwrap_or(&name);
    name.chars().filter(|c| c.is_alphanumeric()).collect()
}
