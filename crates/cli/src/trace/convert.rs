//! `muster trace convert`: a scenario made of what is in the file, to go on from.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use muster_engine::{Span, Time};
use muster_formats::trace::Trace;
use muster_sim::fit::fit;
use muster_sim::law::Law;

use super::fit::{NEAR, deviation};
use super::streams::{self, Stream};
use super::{Source, inspect};
use crate::output::Console;
use crate::refusal::{Failure, Refusal};

#[derive(Debug, Args)]
pub(crate) struct Convert {
    #[command(flatten)]
    source: Source,
    /// Where to write the scenario; recorded values go into CSV files beside it.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// What follows within this time of the end before belongs to the same stay of a worker.
    #[arg(long, value_name = "TIME", default_value = "5 min")]
    gap: Span,
    /// Write over files that are there.
    #[arg(long)]
    force: bool,
}

/// Files to be written, none before all are known.
struct Files {
    stem: PathBuf,
    all: Vec<(PathBuf, String)>,
}

impl Convert {
    pub(crate) fn run(&self, console: &Console) -> Result<(), Failure> {
        let trace = self.source.read()?;
        let mut files = Files { stem: self.out.with_extension(""), all: Vec::new() };
        let text = scenario(&trace, &self.source.file, self.gap, &mut files)
            .map_err(|why| Refusal::Together(format!("{}: {why}", self.source.file.display())))?;
        files.all.insert(0, (self.out.clone(), text));
        if let Some((there, _)) = files.all.iter().find(|(file, _)| file.exists() && !self.force) {
            let allowed = "a name that is free, or --force to write over it";
            return Err(Refusal::value("--out", there.display(), allowed).into());
        }
        for (file, text) in &files.all {
            fs::write(file, text).map_err(|error| Failure::File(file.display().to_string(), error))?;
        }
        let mut said = String::new();
        for (file, _) in &files.all {
            said += &format!("wrote {}\n", file.display());
        }
        console.print(&(said + &format!("now: muster simulate {}\n", self.out.display())))
    }
}

fn scenario(trace: &Trace, source: &Path, gap: Span, files: &mut Files) -> Result<String, String> {
    let streams = streams::streams(trace, gap);
    let of = |name: &str| streams.iter().find(|stream| stream.name == name);
    let Some(work) = of("work").or_else(|| of("service")) else {
        return Err("it does not tell how long tasks take: there is no scenario in it".to_owned());
    };
    let name = source.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let mut text = format!("# Made of {name} ({}).\n# Change what you like.\n", inspect::kind(trace));
    let quoted = quote(&format!("as in {name}"));
    let arrivals = streams::arrivals(trace);
    let horizon = horizon(&arrivals);
    let _ = writeln!(text, "name = {quoted}\nhorizon = \"{horizon}\"\nreplications = 20\n");
    apps(trace, &streams, work, &mut text, files);
    let _ = writeln!(text, "{}", demand(trace, &streams, work, &arrivals));
    let _ = writeln!(text, "[crowd]\nworkers = {}", workers(trace, gap));
    if let Some(stay) = of("stay") {
        let _ = writeln!(text, "staying = {}", law(stay, files));
    }
    if let Some(recruitment) = of("recruitment") {
        let _ = writeln!(text, "recruiting = {}", law(recruitment, files));
    }
    text +=
        "\n[policy]\ndispatch = \"fifo\"\n\n[[variant]]\nname = \"fair\"\npolicy = { dispatch = \"fair\" }\n";
    Ok(text)
}

fn apps(trace: &Trace, streams: &[Stream], work: &Stream, text: &mut String, files: &mut Files) {
    let names = trace.apps.list();
    if names.len() < 2 {
        let name = names.first().map_or("task", String::as_str);
        let _ = writeln!(text, "[[app]]\nname = {}\nwork = {}\n", quote(name), law(work, files));
        return;
    }
    for name in names {
        let own = streams.iter().find(|stream| stream.name == format!("work: {name}")).unwrap_or(work);
        let _ = writeln!(text, "[[app]]\nname = {}\nwork = {}\n", quote(name), law(own, files));
    }
}

/// Work as it came: at the rate of the trace, or, where arrivals are not told, of its answers.
fn demand(trace: &Trace, streams: &[Stream], work: &Stream, arrivals: &[Time]) -> String {
    let names = trace.apps.list();
    let rate_of = |times: &mut Vec<Time>| {
        times.sort_unstable();
        let span = times.last()?.since(*times.first()?).as_secs_f64();
        (span > 0.0).then(|| (times.len() - 1) as f64 / span * 60.0)
    };
    let gives_up =
        streams.iter().find(|stream| stream.name == "waiting of those who gave up").map(|stream| {
            let waited: f64 = trace.calls.iter().map(|call| call.wait.as_secs_f64()).sum();
            format!(
                "gives_up = {{ law = \"exponential\", mean = \"{}\" }}\n",
                seconds(waited / stream.values.len() as f64)
            )
        });
    let mut text = String::new();
    for (place, name) in names
        .iter()
        .enumerate()
        .map(|(i, name)| (Some(i), name.as_str()))
        .chain(names.is_empty().then_some((None, "task")))
    {
        let starts = trace.assignments.iter().filter(|it| place.is_none() || it.app == place);
        let mut times: Vec<Time> = starts.filter_map(|it| it.created.or(it.start).or(it.submit)).collect();
        let told = if names.len() < 2 && arrivals.len() > 1 { &mut arrivals.to_vec() } else { &mut times };
        // A trace of durations alone does not tell how much comes: four in five of ten workers are kept busy.
        let usual = 60.0 * 8.0 / (work.values.iter().sum::<f64>() / work.values.len() as f64).max(1e-9);
        let (rate, note) = match rate_of(told) {
            Some(rate) => (rate, ""),
            None => (usual, "# How much comes is not in the file: this keeps eight people busy.\n"),
        };
        let _ = writeln!(
            text,
            "{note}[[demand]]\nname = {}\napp = {}\narrivals = {{ law = \"poisson\", rate = \"{} /min\" }}\n{}",
            quote(&format!("{name}, as it came")),
            quote(name),
            significant(rate),
            gives_up.clone().unwrap_or_default()
        );
    }
    text
}

/// The span of the trace, but no less than an hour and no more than a week.
fn horizon(arrivals: &[Time]) -> Span {
    let span = match (arrivals.first(), arrivals.last()) {
        (Some(first), Some(last)) => last.since(*first),
        _ => Span::from_hours(8),
    };
    let minutes = (span.0 / 60_000_000_000).clamp(60, 7 * 24 * 60);
    Span::from_mins(minutes)
}

/// How many were there at once, on average over the time in which anybody was.
fn workers(trace: &Trace, gap: Span) -> u64 {
    let sessions =
        if trace.sessions.is_empty() { trace.sessions_within(gap) } else { trace.sessions.clone() };
    let total: f64 = sessions.iter().map(|session| session.length.as_secs_f64()).sum();
    let mut ends: Vec<(Time, i64)> = sessions
        .iter()
        .flat_map(|session| [(session.start, 1), (session.start + session.length, -1)])
        .collect();
    ends.sort_unstable();
    let (mut there, mut since, mut covered) = (0_i64, Time::ZERO, 0.0);
    for (at, change) in ends {
        if there > 0 {
            covered += at.since(since).as_secs_f64();
        }
        there += change;
        since = at;
    }
    if covered > 0.0 { (total / covered).round().max(1.0) as u64 } else { 10 }
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
