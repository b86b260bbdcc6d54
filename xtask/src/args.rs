//! What the user typed, as one [`Task`]. Decides nothing else: an unknown word is refused with what is allowed.

/// The whole help text: each command in plain words, with an example.
pub(crate) const HELP: &str = include_str!("help.txt");

#[derive(Debug, PartialEq)]
pub(crate) enum Task {
    Test { long: bool },
    Bench { subject: Option<String>, json: bool },
    Edges,
    Tidy,
    Screenshots,
    Help,
}

/// The benchmarks that can be asked for by name.
pub(crate) const SUBJECTS: &[&str] = &["engine", "sim", "tail", "serve"];

/// Reads the words after `cargo xtask`; `Err` is the sentence to show.
pub(crate) fn parse(words: &[String]) -> Result<Task, String> {
    let Some((command, rest)) = words.split_first() else { return Ok(Task::Help) };
    if words.iter().any(|word| word == "--help" || word == "-h") {
        return Ok(Task::Help);
    }
    match command.as_str() {
        "test" => parse_test(rest),
        "bench" => parse_bench(rest),
        "edges" => no_more(rest, "edges", Task::Edges),
        "tidy" => no_more(rest, "tidy", Task::Tidy),
        "screenshots" => no_more(rest, "screenshots", Task::Screenshots),
        "help" => no_more(rest, "help", Task::Help),
        other => {
            Err(format!("unknown command `{other}`: allowed are test, bench, edges, tidy, screenshots, help"))
        }
    }
}

fn parse_test(words: &[String]) -> Result<Task, String> {
    let mut long = false;
    for word in words {
        match word.as_str() {
            "--long" => long = true,
            other => return Err(format!("`test` does not know `{other}`: allowed is --long")),
        }
    }
    Ok(Task::Test { long })
}

fn parse_bench(words: &[String]) -> Result<Task, String> {
    let (mut subject, mut json) = (None, false);
    for word in words {
        match word.as_str() {
            "--json" => json = true,
            name if SUBJECTS.contains(&name) && subject.is_none() => subject = Some(name.to_owned()),
            name if SUBJECTS.contains(&name) => {
                return Err(format!("`bench` runs one crate or all of them: `{name}` is a second one"));
            }
            other => {
                let subjects = SUBJECTS.join(", ");
                return Err(format!("`bench` does not know `{other}`: allowed are {subjects}, and --json"));
            }
        }
    }
    Ok(Task::Bench { subject, json })
}

fn no_more(words: &[String], command: &str, task: Task) -> Result<Task, String> {
    match words.first() {
        None => Ok(task),
        Some(word) => Err(format!("`{command}` does not know `{word}`: nothing may follow it")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(line: &str) -> Result<Task, String> {
        parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn every_command_is_understood() {
        assert_eq!(typed("test"), Ok(Task::Test { long: false }));
        assert_eq!(typed("test --long"), Ok(Task::Test { long: true }));
        assert_eq!(typed("bench"), Ok(Task::Bench { subject: None, json: false }));
        let tail = Task::Bench { subject: Some("tail".to_owned()), json: true };
        assert_eq!(typed("bench --json tail"), Ok(tail));
        assert_eq!(typed("edges"), Ok(Task::Edges));
        assert_eq!(typed("tidy"), Ok(Task::Tidy));
        assert_eq!(typed("screenshots"), Ok(Task::Screenshots));
        for line in ["", "help", "--help", "test -h"] {
            assert_eq!(typed(line), Ok(Task::Help), "{line}");
        }
    }

    #[test]
    fn an_unknown_word_is_refused_with_what_is_allowed() {
        for (line, allowed) in [
            ("tset", "test, bench, edges, tidy, screenshots, help"),
            ("test --fast", "--long"),
            ("bench server", "engine, sim, tail, serve, and --json"),
            ("bench sim tail", "one crate"),
            ("edges now", "nothing"),
        ] {
            let refusal = typed(line).unwrap_err();
            assert!(refusal.contains(allowed), "{line}: {refusal}");
        }
    }

    #[test]
    fn help_shows_an_example_of_each_command() {
        for command in ["test", "bench", "edges", "tidy", "screenshots", "help"] {
            assert!(HELP.contains(&format!("    cargo xtask {command}")), "{command}");
        }
    }
}
