//! The text of a scenario made of a trace: laws where they fit, the values themselves where none does, and what had to be
//! assumed in comments. Writes no file. Start at [`scenario`].

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use muster_engine::{Span, Time};
use muster_formats::trace::{Session, Trace};
use muster_sim::fit::fit;
use muster_sim::law::Law;

use super::fit::{NEAR, deviation};
use super::inspect;
use super::streams::{self, Stream};

/// Files to be written, none before all are known.
pub(super) struct Files {
    /// What their names begin with.
    pub(super) stem: PathBuf,
    /// Their names and texts.
    pub(super) all: Vec<(PathBuf, String)>,
}

/// A scenario as in the trace; what follows within `gap` belongs to one stay of a worker.
pub(super) fn scenario(trace: &Trace, source: &Path, gap: Span, files: &mut Files) -> Result<String, String> {
    let streams = streams::streams(trace, gap);
    let of = |name: &str| streams.iter().find(|stream| stream.name == name);
    let Some(work) = of("work").or_else(|| of("service")) else {
        return Err("it does not tell how long tasks take: there is no scenario in it".to_owned());
    };
    let name = source.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let arrivals = streams::arrivals(trace);
    let there = There::of(trace, gap);
    let span = there.as_ref().map(|there| there.covered).or_else(|| span(&arrivals));
    let mut text = format!("# Made of {name} ({}).\n# Change what you like.\n", inspect::kind(trace));
    let quoted = quote(&format!("as in {name}"));
    let _ = writeln!(text, "name = {quoted}\nhorizon = \"{}\"\nreplications = 20\n", horizon(span));
    text += &apps(trace, &streams, work, files);
    text +=
        &demand(trace, &Coming { span, arrivals: arrivals.len(), work, gives_up: gives_up(trace, &streams) });
    let workers = there.map_or(USUAL, |there| there.workers);
    text += &crowd(workers, of("stay"), of("recruitment"), files);
    Ok(text)
}

/// How many workers there are where the file does not tell.
const USUAL: u64 = 10;

fn apps(trace: &Trace, streams: &[Stream], work: &Stream, files: &mut Files) -> String {
    let app = |name: &str, work: &Stream, files: &mut Files| {
        format!("[[app]]\nname = {}\nwork = {}\n\n", quote(name), law(work, files))
    };
    let names = trace.apps.list();
    if names.len() < 2 {
        return app(names.first().map_or("task", String::as_str), work, files);
    }
    let own = |name: &str| streams.iter().find(|stream| stream.name == format!("work: {name}"));
    names.iter().map(|name| app(name, own(name).unwrap_or(work), files)).collect()
}

/// What is known of how much comes.
struct Coming<'a> {
    /// Seconds in which it came.
    span: Option<f64>,
    /// How many arrivals are told.
    arrivals: usize,
    work: &'a Stream,
    /// A line on giving up, if anybody did.
    gives_up: String,
}

impl Coming<'_> {
    /// So many per minute, if the file tells of so many; else enough for four in five of the usual workers.
    fn rate(&self, count: usize) -> (f64, &'static str) {
        match self.span {
            Some(span) if count > 1 => (count as f64 / span * 60.0, ""),
            _ => {
                let work = self.work.values.iter().sum::<f64>() / self.work.values.len() as f64;
                let busy = 0.8 * USUAL as f64;
                (
                    60.0 * busy / work.max(1e-9),
                    "# How much comes is not in the file: this keeps eight people busy.\n",
                )
            }
        }
    }
}

/// Work as it came: as much as in the time in which anybody was there or, of calls, from the first to the last.
fn demand(trace: &Trace, coming: &Coming<'_>) -> String {
    let answers = |app: Option<usize>| {
        let of = trace.assignments.iter().filter(|it| app.is_none() || it.app == app);
        of.filter(|it| it.timed().is_some()).count()
    };
    let one = |name: &str, count: usize| {
        let (rate, note) = coming.rate(count);
        format!(
            "{note}[[demand]]\nname = {}\napp = {}\narrivals = {{ law = \"poisson\", rate = \"{} /min\" }}\n{}\n",
            quote(&format!("{name}, as it came")),
            quote(name),
            significant(rate),
            coming.gives_up,
        )
    };
    let names = trace.apps.list();
    if names.len() < 2 {
        let name = names.first().map_or("task", String::as_str);
        return one(name, answers(None).max(coming.arrivals));
    }
    names.iter().enumerate().map(|(place, name)| one(name, answers(Some(place)))).collect()
}

fn gives_up(trace: &Trace, streams: &[Stream]) -> String {
    let Some(gave_up) = streams.iter().find(|stream| stream.name == "waiting of those who gave up") else {
        return String::new();
    };
    // All waiting divided by those who gave up: the maximum-likelihood mean, with those who were served as censored.
    let waited: f64 = trace.calls.iter().map(|call| call.wait.as_secs_f64()).sum();
    let mean = seconds(waited / gave_up.values.len() as f64);
    format!("gives_up = {{ law = \"exponential\", mean = \"{mean}\" }}\n")
}

/// Who works, the policies, and a variant to compare with.
fn crowd(workers: u64, stay: Option<&Stream>, recruitment: Option<&Stream>, files: &mut Files) -> String {
    let mut text = format!("[crowd]\nworkers = {workers}\n");
    let mean = |stream: &Stream| stream.values.iter().sum::<f64>() / stream.values.len() as f64;
    let coming = recruitment.map_or(0.0, mean);
    let called = stay.map(|stay| coming / mean(stay).max(1e-9));
    if let Some(stay) = stay {
        let _ = writeln!(text, "staying = {}", law(stay, files));
    }
    if let Some(recruitment) = recruitment {
        let _ = writeln!(text, "recruiting = {}", law(recruitment, files));
    }
    text += "\n[policy]\ndispatch = \"fifo\"\n";
    let Some(called) = called else {
        return text
            + &format!("\n[[variant]]\nname = \"one more\"\ncrowd = {{ workers = {} }}\n", workers + 1);
    };
    // With as many on their way as come while somebody stays, about `workers` are there.
    let kept = |workers: u64| {
        let size = (workers as f64 * (1.0 + called)).round();
        format!("{{ name = \"rules\", every = \"1 s\", rules = \"if size < {size} then recruit 1\" }}")
    };
    let _ = writeln!(
        text,
        "# Who leaves is replaced, so that about {workers} are there; those on their way count for the size.\nreplacement = {}",
        kept(workers)
    );
    let more = workers + 1;
    let _ = writeln!(
        text,
        "\n[[variant]]\nname = \"one more\"\ncrowd = {{ workers = {more} }}\npolicy = {{ replacement = {} }}",
        kept(more)
    );
    text
}

/// From the first to the last, in seconds.
fn span(arrivals: &[Time]) -> Option<f64> {
    let span = arrivals.last()?.since(*arrivals.first()?).as_secs_f64();
    (span > 0.0).then_some(span)
}

/// A whole number of minutes, but no less than an hour and no more than a week.
fn horizon(span: Option<f64>) -> Span {
    let minutes = span.map_or(8.0 * 60.0, |span| span / 60.0);
    Span::from_mins(minutes.clamp(60.0, 7.0 * 24.0 * 60.0) as u64)
}

/// Who was there.
struct There {
    /// How many at once, on average over the time in which anybody was.
    workers: u64,
    /// Seconds in which anybody was.
    covered: f64,
}

impl There {
    fn of(trace: &Trace, gap: Span) -> Option<Self> {
        let told = trace.sessions.clone();
        let sessions = if told.is_empty() { trace.stays_within(gap) } else { told };
        let total: f64 = sessions.iter().map(|session| session.length.as_secs_f64()).sum();
        let covered = covered(&sessions);
        (covered > 0.0).then(|| Self { workers: (total / covered).round().max(1.0) as u64, covered })
    }
}

/// Seconds in which at least one of them lasts.
fn covered(sessions: &[Session]) -> f64 {
    let ends = |session: &Session| [(session.start, 1_i64), (session.start + session.length, -1)];
    let mut ends: Vec<(Time, i64)> = sessions.iter().flat_map(ends).collect();
    ends.sort_unstable();
    let (mut there, mut since, mut covered) = (0, Time::ZERO, 0.0);
    for (at, change) in ends {
        if there > 0 {
            covered += at.since(since).as_secs_f64();
        }
        there += change;
        since = at;
    }
    covered
}

/// The nearest law, or the values themselves if none is near.
fn law(stream: &Stream, files: &mut Files) -> String {
    let fits = fit(&stream.values);
    let nearest = fits.first().filter(|fit| fit.distance < NEAR || stream.values.len() < 50);
    match nearest.map(|fit| (fit.name, &fit.law)) {
        Some((name, Law::Fixed(value))) => format!("{{ law = \"{name}\", value = \"{}\" }}", seconds(*value)),
        Some((name, law @ Law::Exponential(_))) => {
            format!("{{ law = \"{name}\", mean = \"{}\" }}", seconds(law.mean()))
        }
        Some((name, law @ (Law::LogNormal { .. } | Law::Gamma { .. }))) => {
            format!(
                "{{ law = \"{name}\", mean = \"{}\", sd = \"{}\" }}",
                seconds(law.mean()),
                seconds(deviation(law))
            )
        }
        Some((name, law @ Law::Weibull { shape, .. })) => {
            format!(
                "{{ law = \"{name}\", mean = \"{}\", shape = {} }}",
                seconds(law.mean()),
                significant(*shape)
            )
        }
        Some((name, Law::Pareto { least, shape })) => {
            format!(
                "{{ law = \"{name}\", least = \"{}\", shape = {} }}",
                seconds(*least),
                significant(*shape)
            )
        }
        _ => format!("{{ law = \"empirical\", file = {} }}", quote(&files.values(stream))),
    }
}

impl Files {
    /// Puts values into a file of their own, and says its name.
    fn values(&mut self, stream: &Stream) -> String {
        let word: String = stream
            .name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
            .collect();
        let mut file = self.stem.clone().into_os_string();
        file.push(format!("-{word}.csv"));
        let file = PathBuf::from(file);
        let mut text = "seconds\n".to_owned();
        for value in &stream.values {
            let _ = writeln!(text, "{value}");
        }
        let name = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        if !self.all.iter().any(|(there, _)| *there == file) {
            self.all.push((file, text));
        }
        name
    }
}

/// Four digits, without separators, as TOML takes them.
fn significant(number: f64) -> String {
    let decimals = if number > 0.0 { (3 - number.log10().floor() as i32).clamp(0, 9) } else { 0 };
    let text = format!("{number:.*}", decimals as usize);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

fn seconds(number: f64) -> String {
    format!("{} s", significant(number))
}

/// A text in TOML.
fn quote(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out + "\""
}
