//! Mutational fuzzing of every parser of uploads, in process: good inputs with bytes flipped, cut, doubled, swapped between each
//! other and sown with what parsers stumble over. Nothing panics, and what is taken in pieces is taken as it is at once.
//!
//! Seeded, so that a failure repeats: it prints its seed. More with MUSTER_LONG=1, others with MUSTER_SEED.

use muster_formats::document::Document;
use muster_formats::facts::Facts;
use muster_formats::template::Template;
use muster_formats::trace::{ColumnMap, Trace};
use muster_formats::upload::{Limits, Upload};
use serde_json::{Map, Value};

/// `SplitMix64`.
struct Dice(u64);

impl Dice {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let bits = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.bits() % n.max(1) as u64) as usize
    }
}

/// What parsers stumble over.
const ODD: &[&[u8]] = &[
    b"\0",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\r",
    b"\r\n",
    b"\n\n",
    b"\"",
    b"\"\"",
    b"\\u0000",
    b"\\ud800",
    b"${",
    b"}",
    b"${Input.x}",
    b",",
    b",,,,,,,,",
    b"{",
    b"[[[[[[[[[[[[[[[[",
    b"1e999",
    b"-0",
    b"99999999999999999999",
    b"null",
    b"=1+1",
    b"Input.",
    b"Answer.x",
    b"'''",
    b"[[app]]",
    b"= {",
    b"\xe2\x80\xae",
    b"\xf0\x9f\x98\x80",
    b"NaN",
    b"inf",
    b"nothing USD/min",
    b"-5 s",
];

/// One to eight changes.
fn mutated(seeds: &[&[u8]], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = seeds[dice.below(seeds.len())].to_vec();
    for _ in 0..=dice.below(8) {
        let (at, to) = (dice.below(bytes.len() + 1), dice.below(bytes.len() + 1));
        let (from, to) = (at.min(to), at.max(to));
        match dice.below(8) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(from..to.min(from + 20))),
            2 => {
                let piece = bytes[from..to.min(from + 200)].to_vec();
                bytes.splice(at..at, piece);
            }
            3 if at < bytes.len() => bytes[at] ^= 1 << dice.below(8),
            4 if at < bytes.len() => bytes[at] = dice.bits() as u8,
            5 => {
                let other = seeds[dice.below(seeds.len())];
                let from = dice.below(other.len());
                bytes.splice(at..at, other[from..].iter().copied().take(60));
            }
            _ => {
                let odd = ODD[dice.below(ODD.len())];
                bytes.splice(at..at, odd.iter().copied());
            }
        }
    }
    bytes
}

/// Many mutations of good inputs.
fn fuzz(name: &str, seeds: &[&str], mut one: impl FnMut(&[u8], &mut Dice)) {
    let rounds = if std::env::var_os("MUSTER_LONG").is_some() { 1_000_000 } else { 4_000 };
    let first = std::env::var("MUSTER_SEED").ok().and_then(|seed| seed.parse().ok());
    let seeds: Vec<&[u8]> = seeds.iter().map(|seed| seed.as_bytes()).collect();
    let range = first.map_or(0..rounds, |first: u64| first..first + 1);
    for round in range {
        let mut dice = Dice(round);
        let bytes = mutated(&seeds, &mut dice);
        let told = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| one(&bytes, &mut dice)));
        assert!(
            told.is_ok(),
            "MUSTER_SEED={round} cargo test -p muster-formats --test fuzz {name}: {:?}",
            String::from_utf8_lossy(&bytes)
        );
    }
}

const LIMITS: Limits = Limits { rows_most: 50, columns_most: 30, row_bytes_most: 4096 };

type Told = Result<(Vec<(u64, u64, Vec<u8>)>, u64), String>;

/// What an upload makes of bytes that come in pieces of these lengths.
fn upload(mut upload: Upload, bytes: &[u8], mut piece: impl FnMut() -> usize) -> Told {
    let mut tasks = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let n = piece().clamp(1, rest.len());
        let take = &mut |task: muster_formats::upload::Task| tasks.push((task.row, task.line, task.payload));
        upload.feed(&rest[..n], take).map_err(|refusals| refusals.to_string())?;
        rest = &rest[n..];
    }
    let take = &mut |task: muster_formats::upload::Task| tasks.push((task.row, task.line, task.payload));
    let summary = upload.finish(take).map_err(|refusals| refusals.to_string())?;
    Ok((tasks, summary.rows))
}

fn check_upload(make: impl Fn() -> Upload, bytes: &[u8], dice: &mut Dice) {
    let whole = upload(make(), bytes, || usize::MAX);
    assert_eq!(upload(make(), bytes, || 1), whole, "byte by byte");
    assert_eq!(upload(make(), bytes, || 1 + dice.below(7)), whole, "in pieces");
    if let Ok((tasks, rows)) = whole {
        assert_eq!(tasks.len() as u64, rows);
        for (_, _, payload) in tasks {
            assert!(serde_json::from_slice::<Map<String, Value>>(&payload).is_ok(), "a payload is an object");
        }
    }
}

#[test]
fn csv_uploads() {
    let seeds = [
        "picture,question\ncat.jpg,\"a cat, really?\"\ndog.jpg,\"he said \"\"no\"\"\"\n",
        "HITId,Input.url,Input.text,Answer.label\r\nh1,http://x,\"two\r\nlines\",yes\r\nh2,http://y,,no\r\n",
        "\u{feff}name\n\u{e4}\u{f6}\u{fc}\n\u{1f600}\n",
    ];
    fuzz("csv_uploads", &seeds, |bytes, dice| check_upload(|| Upload::csv("up.csv", LIMITS), bytes, dice));
}

#[test]
fn jsonl_uploads() {
    let seeds = [
        "{\"picture\": \"cat.jpg\", \"n\": 1}\n{\"picture\": \"dog.jpg\", \"n\": [1, 2.5e3, null, true]}\n",
        "\n{\"a\":{\"b\":\"\\u00e4\\ud83d\\ude00\"}}\r\n\n{}",
    ];
    let needed = ["picture".to_owned()];
    fuzz("jsonl_uploads", &seeds, |bytes, dice| {
        check_upload(|| Upload::jsonl("up.jsonl", LIMITS), bytes, dice);
        check_upload(|| Upload::jsonl("up.jsonl", LIMITS).needing(&needed), bytes, dice);
    });
}

#[test]
fn templates() {
    let seeds = [
        "<h1>${title}</h1><p>${text}</p><form><input name=\"label\"></form>",
        "<crowd-form>${Input.x} $${kept} ${ spaced }</crowd-form><script>var x = '${y}';</script>",
        "no variable at all & <b>bold</b>",
    ];
    let inputs: Map<String, Value> = [("title", "<b>"), ("text", "\"&'"), ("x", "1"), ("y", "</script>")]
        .map(|(name, text)| (name.to_owned(), text.into()))
        .into_iter()
        .collect();
    let names: Vec<String> = inputs.keys().cloned().collect();
    fuzz("templates", &seeds, |bytes, _| {
        let Ok(text) = std::str::from_utf8(bytes) else { return };
        let Ok(template) = Template::parse("page.html", text) else { return };
        let _ = template.fit(&names);
        // A page is made, or it is said which input is missing.
        assert!(template.render(&inputs).is_ok() || !template.variables().is_empty());
    });
}

#[test]
fn facts_in_lines() {
    let lines = facts();
    fuzz("facts_in_lines", &[&lines], |bytes, dice| {
        let read = |piece: &mut dyn FnMut() -> usize| {
            let (mut facts, mut seen, mut rest) = (Facts::new("facts.jsonl"), Vec::new(), bytes);
            while !rest.is_empty() {
                let n = piece().clamp(1, rest.len());
                facts
                    .feed(&rest[..n], &mut |number, fact| seen.push((number, fact)))
                    .map_err(|refusals| refusals.to_string())?;
                rest = &rest[n..];
            }
            facts
                .finish(&mut |number, fact| seen.push((number, fact)))
                .map_err(|refusals| refusals.to_string())?;
            Ok::<_, String>(seen)
        };
        let whole = read(&mut || usize::MAX);
        assert_eq!(read(&mut || 1 + dice.below(9)), whole, "in pieces");
    });
}

/// Facts of a short life, as lines.
fn facts() -> String {
    use muster_engine::spec::{AppSpec, JobSpec, KindSpec, PoolSpec, Role, TenantSpec, WorkerSpec};
    use muster_engine::{Command, Engine, Span, Time, fact::Fact, ids, money::Money};
    let (mut engine, mut facts) = (Engine::new(1), Vec::<Fact>::new());
    let role = Role::Person { wage_waiting: Money(3_000_000), wage_training: Money(1) };
    let kind = KindSpec { role, speed: 1.0, boot: Span::ZERO, most: None };
    let (app, pool) = (ids::AppId(0), ids::PoolId(0));
    let worker = WorkerSpec {
        pool,
        kind: ids::KindId(0),
        trained: vec![app],
        preferences: vec![(app, 0.5)],
        recruit: None,
    };
    let commands = vec![
        Command::AddTenant(TenantSpec::default()),
        Command::AddApp(AppSpec::default()),
        Command::AddKind(kind),
        Command::AddPool(Box::new(PoolSpec::serving(&[app]))),
        Command::Submit(Box::new(JobSpec::batch(ids::TenantId(0), app, 2))),
        Command::Join(Box::new(worker)),
        Command::Ask(ids::WorkerId(0)),
    ];
    for (second, command) in (0..).zip(commands) {
        let _ = engine.handle(Time(second * 1_000_000_000), command, &mut facts);
    }
    let lines = (0..).zip(&facts).map(|(number, fact)| muster_formats::facts::line(number, fact) + "\n");
    lines.collect()
}

#[test]
fn documents() {
    let seeds = [
        "name = \"x\"\nhorizon = \"8 h\"\n[[app]]\nname = \"a\"\nwork = { law = \"log-normal\", mean = \"18 s\", sd = \"12 s\" }\n",
        "[policy]\ndispatch = { name = \"worker-conscious\", concessions = 3 }\nscaling = 'static'\nlist = [1, 2.5, true, \"\"\"\nlong\"\"\"]\n",
        "price = \"0.05 USD\"\nrate = \"12 /min\"\nwhen = 1979-05-27T07:32:00Z\n\"quoted key\" = 0x1f\na.b.c = -inf\n",
    ];
    fuzz("documents", &seeds, |bytes, _| {
        let Ok(text) = std::str::from_utf8(bytes) else { return };
        let Ok(document) = Document::parse("scenario.toml", text) else { return };
        let top = document.top();
        let _ = (top.text("name").or(String::new()), top.tables("app").or(Vec::new()).len());
        let _ = top.table("policy").optional().map(|policy| policy.text("scaling").or(String::new()));
        let _ = (document.currency(), document.finish().map_err(|refusals| refusals.to_string()));
    });
}

#[test]
fn traces() {
    let seeds = [
        "worker,task,start,end\nann,1,2026-01-01T00:00:00Z,2026-01-01T00:00:30Z\nbob,2,0,12.5\n",
        "WorkerId,HITId,AcceptTime,SubmitTime,AssignmentStatus\nA1,h1,Tue Mar 03 10:00:00 PST 2026,Tue Mar 03 10:01:00 PST 2026,Approved\n",
    ];
    fuzz("traces", &seeds, |bytes, _| {
        let _ = Trace::read_table("trace.csv", bytes, &ColumnMap::default())
            .map(|trace| trace.sessions_within(muster_engine::Span::from_mins(30)));
        if let Ok(text) = std::str::from_utf8(bytes) {
            let _ = Trace::read_clamshell("trace.txt", text);
            let _ = ColumnMap::parse(text);
        }
    });
}
