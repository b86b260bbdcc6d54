//! Recorded jobs in scenario files: read as they were, refused at their lines.

use expect_test::expect;
use muster_engine::policy::Registry;
use muster_sim::drive::{Run, Unwatched, run};
use muster_sim::measure::Measure;
use muster_sim::scenario;

use super::APP;

#[test]
fn recorded_jobs_come_when_they_came_and_take_what_they_took() {
    let text = "drain = \"1 h\"\nreplications = 1\n[[app]]\nname = \"check\"\nwork = \"1 s\"\narrivals = { law = \"recorded\", file = \"jobs.csv\" }\n[crowd]\nworkers = 1\n";
    let told = |file: &str| {
        let mut load = |_: &str| Ok(file.as_bytes().to_vec());
        let scenario = scenario::parse("day.toml", text, &mut load, &Registry::default())
            .unwrap_or_else(|refusals| panic!("{refusals}"));
        let (setup, plan) = (&scenario.variants[0].setup, &scenario.plan);
        let outcome = run(Run { setup, plan, number: 0, registry: &Registry::default(), watch: &Unwatched });
        let outcome = outcome.expect("the engine takes it");
        let words = scenario::explain(&scenario).split_whitespace().collect::<Vec<_>>().join(" ");
        let load = words.split("Pool 'everybody'").nth(2).expect("it says how much comes");
        let response = outcome.readings.iter().find(|reading| reading.measure == Measure::ResponseMean);
        let response = response.and_then(|reading| reading.value).expect("it was measured");
        let edges = outcome.edges;
        format!("{} jobs, {} tasks, response {response} s{load}", edges.jobs_done, edges.tasks_submitted)
    };
    // Three jobs of one task, of as many as the file says, and of as many as there are rows.
    expect!["3 jobs, 3 tasks, response 1 s: what comes keeps about 0.005 workers busy; with 1 there, that is 0.5 % of their time. "].assert_eq(&told("minutes\n1\n2\n10\n"));
    expect!["3 jobs, 9 tasks, response 3 s: what comes keeps about 0.015 workers busy; with 1 there, that is 1.5 % of their time. "].assert_eq(&told("minutes,tasks\n1,3\n2,0\n10,5\n"));
    expect!["2 jobs, 3 tasks, response 190 s: what comes would keep about 2.67 workers busy, with only 1 there: the queue grows unless more come. "].assert_eq(&told("job,seconds,work_seconds\n1,60,30\n1,60,90\n7,120,200\n"));
}

#[test]
fn recorded_jobs_are_refused_at_their_lines() {
    let text = format!(
        "horizon = \"1 h\"\n{}backlog = 2\n",
        APP.replace("{ law = \"poisson\", rate = \"1 /s\" }", "{ law = \"recorded\", file = \"jobs.csv\" }")
    );
    let refused = |file: &str| {
        let mut load = |_: &str| Ok(file.as_bytes().to_vec());
        scenario::parse("day.toml", &text, &mut load, &Registry::default())
            .expect_err("it is wrong")
            .to_string()
    };
    let files = [
        "seconds\n3\n2\n",
        "seconds,tasks\n3,1.5\n",
        "seconds,tasks,job\n3,1,1\n",
        "when\n3\n",
        "seconds,work_seconds\n3,1\n",
        "seconds\n",
        "",
    ];
    expect![[r#"
        its time is before that of the row before
         --> jobs.csv:3:1
          |
        3 | 2
          | ^

        tasks is a whole number up to 1000000; 0 is as the size says
         --> jobs.csv:2:1
          |
        2 | 3,1.5
          | ^^^^^

        a row is a job if there are tasks, and a task if there is a job or work_seconds: leave tasks out
         --> jobs.csv:1:1
          |
        1 | seconds,tasks,job
          | ^^^^^^^^^^^^^^^^^

        the headings are 'when'; there must be a column of times, called milliseconds, seconds, minutes, hours or days
         --> jobs.csv:1:1
          |
        1 | when
          | ^^^^

        app[0].arrivals: how long tasks took is recorded: that goes with tasks of one app, and without a backlog
         --> day.toml:6:12
          |
        6 | arrivals = { law = "recorded", file = "jobs.csv" }
          |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

        there is no row after the headings
         --> jobs.csv:1:1
          |
        1 | seconds
          | ^^^^^^^

        the file is empty; it begins with headings
         --> jobs.csv:1:1
          |
        1 | 
          | ^"#]].assert_eq(&files.map(refused).join("\n\n"));
}
