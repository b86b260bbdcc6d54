//! The streams of numbers in a trace to which laws can be fitted.

use muster_engine::{Span, Time};
use muster_formats::trace::{Assignment, Trace};

/// Numbers of one sort, in seconds.
pub(super) struct Stream {
    pub(super) name: String,
    pub(super) values: Vec<f64>,
}

/// Fewer values than these are not worth a stream of their own.
const LEAST: usize = 20;

/// Everything in the trace that a law can be fitted to; what follows within `gap` belongs to one stay.
pub(super) fn streams(trace: &Trace, gap: Span) -> Vec<Stream> {
    let mut all = Vec::new();
    let mut put = |name: &str, values: Vec<f64>| {
        if values.len() > 1 {
            all.push(Stream { name: name.to_owned(), values });
        }
    };
    put("recruitment", seconds(&trace.recruitments));
    put("work", works(trace, None));
    for (place, app) in trace.apps.list().iter().enumerate() {
        let values = works(trace, Some(place));
        if trace.apps.list().len() > 1 && values.len() >= LEAST {
            put(&format!("work: {app}"), values);
        }
    }
    put("stay", stays(trace, gap));
    if trace.jobs.list().len() > 1 && trace.assignments.len() >= LEAST * trace.jobs.list().len() {
        put("stay in a job", trace.sessions_within(gap).iter().map(|it| it.length.as_secs_f64()).collect());
    }
    put("gap between arrivals", gaps(&arrivals(trace)));
    put("waiting", trace.calls.iter().map(|call| call.wait.as_secs_f64()).collect());
    put("service", trace.calls.iter().filter_map(|call| call.service).map(Span::as_secs_f64).collect());
    let gave_up = trace.calls.iter().filter(|call| call.service.is_none());
    put("waiting of those who gave up", gave_up.map(|call| call.wait.as_secs_f64()).collect());
    all
}

fn seconds(spans: &[Span]) -> Vec<f64> {
    spans.iter().map(|span| span.as_secs_f64()).collect()
}

fn works(trace: &Trace, app: Option<usize>) -> Vec<f64> {
    let of = trace.assignments.iter().filter(|it| app.is_none() || it.app == app);
    let mut values: Vec<f64> = of.filter_map(Assignment::took).map(Span::as_secs_f64).collect();
    if app.is_none() {
        values.extend(seconds(&trace.works));
    }
    values
}

fn stays(trace: &Trace, gap: Span) -> Vec<f64> {
    let mut values = seconds(&trace.stays);
    if trace.sessions.is_empty() {
        values.extend(trace.stays_within(gap).iter().map(|session| session.length.as_secs_f64()));
    } else {
        values.extend(trace.sessions.iter().map(|session| session.length.as_secs_f64()));
    }
    values
}

/// When work came, as far as it is told.
pub(super) fn arrivals(trace: &Trace) -> Vec<Time> {
    let mut times: Vec<Time> = trace.arrivals.iter().map(|arrival| arrival.at).collect();
    times.extend(trace.calls.iter().map(|call| call.at));
    times.sort_unstable();
    times
}

fn gaps(times: &[Time]) -> Vec<f64> {
    times.windows(2).map(|two| two[1].since(two[0]).as_secs_f64()).collect()
}
