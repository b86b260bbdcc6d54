//! Stories of the requester's pages, over HTTP: uploads with a preview and their problems, what is submitted, what others see.

mod support;

use axum::http::Method;
use http_body_util::BodyExt;
use muster_engine::Span;
use muster_engine::ids::TenantId;
use muster_server::access::Scope;
use serde_json::{Value, json};
use support::World;
use support::browser::{Browser, Seen};

/// What the second step is filled in with.
const WISHES: [(&str, &str); 5] =
    [("name", "cats"), ("price", "0.05"), ("slots", "2"), ("priority", "3"), ("budget", "1.5")];

/// Two tenants with a token each.
struct Two {
    world: World,
    acme: String,
    beta: String,
}

async fn two() -> Two {
    let world = World::new().await;
    world.set_up().await;
    world.post("/api/tenants", json!({"name": "beta"})).await.ok();
    let acme = world.token(Scope::Tenant(TenantId(0))).await;
    let beta = world.token(Scope::Tenant(TenantId(1))).await;
    Two { world, acme, beta }
}

impl Two {
    fn acme(&self) -> Browser<'_> {
        Browser::signed_in(&self.world, &self.acme)
    }

    fn beta(&self) -> Browser<'_> {
        Browser::signed_in(&self.world, &self.beta)
    }

    async fn upload(&self, file: (&str, &str)) -> Seen {
        self.acme().upload("/jobs/new", &[("tenant", "acme"), ("app", "look"), ("name", "cats")], file).await
    }

    async fn jobs(&self) -> Vec<Value> {
        let found = self.world.get("/api/jobs?tenant=acme").await.ok();
        found["jobs"].as_array().expect("a list").clone()
    }

    /// A job by page, with its number.
    async fn submit(&self, file: (&str, &str), more: &[(&str, &str)]) -> String {
        let draft = self.upload(file).await.led();
        let fields: Vec<(&str, &str)> = WISHES.iter().chain(more).copied().collect();
        let led = self.acme().fill(&draft, &fields).await.led();
        led.strip_prefix("/jobs/").expect("a job").to_owned()
    }
}

/// The first live event of a page that says something.
async fn shown_live(browser: &Browser<'_>, path: &str, what: &str) -> String {
    let mut live = browser.reply(Method::GET, path, "").await.into_body();
    loop {
        let frame = live.frame().await.expect("an event").expect("a frame");
        let text = String::from_utf8_lossy(&frame.into_data().expect("data")).into_owned();
        if text.contains(what) {
            return text;
        }
    }
}

#[tokio::test]
async fn an_upload_with_bad_rows_names_every_problem_with_its_row_and_keeps_nothing() {
    let two = two().await;
    let seen = two.upload(("cats.csv", "url,tag\na,1\nb\nc,3\nd,4,5\n")).await;
    assert_eq!(seen.status.as_u16(), 422);
    for told in [
        "Nothing was submitted: 2 problems",
        "row 2: the header has 2 columns, this row 1",
        "row 4: the header has 2 columns, this row 3",
    ] {
        assert!(seen.text.contains(told), "{told}: {}", seen.text);
    }
    // What was said beside the file is still there.
    assert!(seen.text.contains("value=\"cats\""), "{}", seen.text);
    let lines = two.upload(("cats.jsonl", "{\"url\":1}\n[2]\n{\"url\":3\n")).await;
    assert!(
        lines.text.contains("2 problems") && lines.text.contains("row 2") && lines.text.contains("row 3"),
        "{}",
        lines.text
    );
    for (name, text, told) in [
        ("cats.xlsx", "x", "a file whose name ends in .csv or .jsonl"),
        ("cats.csv", "", "there is no row in the file"),
        ("cats.csv", "PK\u{3}\u{4}", "it is a spreadsheet or an archive"),
    ] {
        let seen = two.upload((name, text)).await;
        assert!(
            seen.status.as_u16() == 422 && seen.text.contains(told),
            "{told}: {} {}",
            seen.status,
            seen.text
        );
    }
    assert!(two.jobs().await.is_empty());
    assert!(!two.acme().get("/jobs/new").await.page().contains("Not submitted yet"));
}

#[tokio::test]
async fn what_a_page_submits_is_what_the_api_submits() {
    let two = two().await;
    let csv = "Input.url,Answer.x\nhttp://a/1,0\nhttp://a/2,0\nhttp://a/3,0\n";
    let page = two.submit(("cats.csv", csv), &[]).await;
    let request = axum::http::Request::builder()
        .method(Method::POST)
        .uri("/api/uploads?app=look&name=cats&price=0.05&slots=2&priority=3&budget=1.5&format=csv")
        .header("authorization", format!("Bearer {}", two.acme))
        .body(axum::body::Body::from(csv))
        .expect("a request");
    let api = two.world.request(request).await.ok()["job"].to_string();
    assert_ne!(page, api);
    for path in ["", "/progress", "/tasks/0", "/tasks/2"] {
        let told = async |job: &str| {
            let mut body = two.world.get(&format!("/api/jobs/{job}{path}")).await.ok();
            body.as_object_mut().expect("an object").remove("job");
            body
        };
        assert_eq!(told(&page).await, told(&api).await, "{path}");
    }
}

#[tokio::test]
async fn a_draft_shows_its_rows_and_what_it_will_cost_and_is_submitted_once() {
    let two = two().await;
    let draft = two.upload(("cats.csv", "url,tag\nhttp://a/1,x\nhttp://a/2,y\n")).await.led();
    let page = two.acme().get(&draft).await.page();
    for told in [
        "http://a/1",
        "http://a/2",
        "<th scope=\"col\">tag</th>",
        "Submit 2 tasks",
        "Nobody works in this pool now",
    ] {
        assert!(page.contains(told), "{told}: {page}");
    }
    assert!(two.jobs().await.is_empty());
    let estimate = two.acme().fill(&format!("{draft}/estimate"), &WISHES).await.page();
    assert!(estimate.contains("0.20") && estimate.contains("4 answers at 0.05"), "{estimate}");
    let short = [("price", "1"), ("slots", "3"), ("priority", "1"), ("budget", "2")];
    let estimate = two.acme().fill(&format!("{draft}/estimate"), &short).await.page();
    assert!(estimate.contains("The budget pays for 2 of 6 answers"), "{estimate}");

    // What is wrong is said at its field, and nothing is submitted.
    let wrong = two.acme().fill(&draft, &[("price", "much"), ("slots", "0"), ("priority", "1")]).await;
    assert_eq!(wrong.status.as_u16(), 422);
    for told in ["price is &#39;much&#39;", "answers per task is &#39;0&#39;", "aria-invalid=\"true\""] {
        assert!(
            wrong.text.contains(told) || wrong.text.contains(&told.replace("&#39;", "'")),
            "{told}: {}",
            wrong.text
        );
    }
    let many = two.acme().fill(&draft, &[("price", "1"), ("slots", "255"), ("priority", "1")]).await;
    assert!(many.status.as_u16() == 422 && many.text.contains("e-slots"), "{} {}", many.status, many.text);
    assert!(two.jobs().await.is_empty());

    let first = two.acme().fill(&draft, &WISHES).await.led();
    let again = two.acme().fill(&draft, &WISHES).await;
    assert_eq!((again.status.as_u16(), two.jobs().await.len()), (404, 1), "{}", again.text);
    assert!(again.text.contains("it was submitted, discarded, or waited for too long"));
    assert!(two.acme().get(&first).await.page().contains("cats"));
}

#[tokio::test]
async fn uploads_that_are_not_submitted_wait_are_discarded_or_grow_too_old() {
    let two = two().await;
    let (kept, dropped) =
        (two.upload(("a.csv", "x\n1\n")).await.led(), two.upload(("b.csv", "x\n1\n")).await.led());
    let page = two.acme().get("/jobs/new").await.page();
    assert!(page.contains(&kept) && page.contains(&dropped), "{page}");
    assert_eq!(two.acme().fill(&format!("{dropped}/discard"), &[]).await.led(), "/jobs/new");
    assert_eq!(two.acme().get(&dropped).await.status.as_u16(), 404);
    // A start deletes what uploads left behind, and keeps what waits.
    muster_server::staging::tidy(&two.world.server).await.expect("it works");
    assert!(two.acme().get(&kept).await.page().contains("Submit 1 task"));
    two.world.pass(Span::from_hours(73));
    muster_server::staging::tidy(&two.world.server).await.expect("it works");
    assert_eq!(two.acme().get(&kept).await.status.as_u16(), 404);
    for n in 0..muster_server::drafts::DRAFTS_MOST {
        two.upload(("c.csv", &format!("x\n{n}\n"))).await.led();
    }
    let refused = two.upload(("c.csv", "x\n1\n")).await;
    assert!(
        refused.status.as_u16() == 409 && refused.text.contains("submit or discard one first"),
        "{}",
        refused.text
    );
}

#[tokio::test]
async fn a_page_of_ones_own_must_fit_every_row_and_is_what_workers_see() {
    let two = two().await;
    let rows = "{\"url\":\"u1\",\"tag\":\"<b>\"}\n{\"url\":\"u2\"}\n";
    let draft = two.upload(("cats.jsonl", rows)).await.led();
    let fill = async |template: &str| {
        let fields: Vec<(&str, &str)> = WISHES.iter().copied().chain([("template", template)]).collect();
        two.acme().fill(&draft, &fields).await
    };
    for (template, told) in [
        ("${tag}", "row 2: 'tag' is missing, and the page shows it"),
        ("${urls}", "the page shows ${urls}, and no row has 'urls' ('url' comes near)"),
        ("<p ${url}>", "line 1: "),
    ] {
        let seen = fill(template).await;
        let text = seen.text.replace("&#39;", "'");
        assert!(seen.status.as_u16() == 422 && text.contains(told), "{told}: {} {text}", seen.status);
    }
    assert!(two.jobs().await.is_empty());
    let job = fill("<p>Look at ${url}</p>").await.led();
    let task = two.world.get(&format!("/api{job}/tasks/1")).await.ok();
    assert_eq!(task["page"], "<p>Look at u2</p>");
    // The API takes such a page too, and looks at it as closely.
    let body = |tasks: Value| json!({"app": "look", "tasks": tasks, "template": "${url}"});
    let made = two.world.post_as(&two.acme, "/api/jobs", body(json!([{"url": "u"}]))).await.ok();
    let task = two.world.get(&format!("/api/jobs/{}/tasks/0", made["job"])).await.ok();
    assert_eq!(task["page"], "u");
    let refused =
        two.world.post_as(&two.acme, "/api/jobs", body(json!([{"url": "u"}, {}]))).await.refused(422);
    assert_eq!(
        refused,
        "tasks[1] is without 'url'; allowed is an object with 'url', which the template shows"
    );
}

#[tokio::test]
async fn the_preview_is_a_sandbox_in_which_values_stay_values() {
    let two = two().await;
    let draft = two.upload(("cats.csv", "url\nplain\n<script>alert(1)</script>\n")).await.led();
    let frame = draft.replace("/jobs/new/", "/frame/drafts/");
    let shown = async |row: &str, template: &str| {
        two.acme().fill(&frame, &[("row", row), ("template", template)]).await
    };
    let seen = shown("2", "<h1>${url}</h1><script>own()</script>").await;
    assert!(seen.header("content-security-policy").starts_with("sandbox allow-scripts allow-forms;"));
    assert!(!seen.header("content-security-policy").contains("allow-same-origin"));
    assert!(seen.text.contains("<h1>&lt;script&gt;alert(1)&lt;/script&gt;</h1>"), "{}", seen.text);
    assert!(seen.text.contains("<script>own()</script>"));
    let wrong = shown("1", "<p ${url}>").await;
    assert!(
        wrong.text.contains("This page cannot be shown")
            && wrong.header("content-security-policy").starts_with("sandbox")
    );
    assert!(shown("99", "${url}").await.text.contains("there is no such row"));
    assert_eq!(two.beta().fill(&frame, &[("row", "1"), ("template", "x")]).await.status.as_u16(), 404);
}

#[tokio::test]
async fn what_people_wrote_stays_text_on_every_page() {
    let two = two().await;
    let evil = "<script>alert(1)</script>";
    let fields = [("tenant", "acme"), ("app", "look"), ("name", evil)];
    let csv = format!("{evil},Answer.{evil}\n{evil},{evil}\n");
    let draft = two.acme().upload("/jobs/new", &fields, (&format!("{evil}.csv"), &csv)).await.led();
    let wishes = [
        ("name", evil),
        ("price", "0.01"),
        ("slots", "1"),
        ("priority", "1"),
        ("template", "</textarea><script>alert(1)</script>"),
    ];
    let checked: Vec<(&str, &str)> = wishes.iter().copied().chain([("act", "check")]).collect();
    let check = two.acme().fill(&draft, &checked).await.page();
    let upload = two.acme().get("/jobs/new").await.page();
    let job = two.acme().fill(&draft, &wishes).await.led();
    let worker = two.world.join().await;
    let lease = two.world.ask(worker).await["lease"]["lease"].clone();
    two.world.work(json!([{"do": "answer", "worker": worker, "lease": lease, "answer": {evil: evil}}])).await;
    let list = two.acme().get("/jobs").await.page();
    let seen = two.acme().get(&job).await.page();
    assert!(seen.contains("&lt;script&gt;alert(1)&lt;/script&gt;: &lt;script&gt;"), "{seen}");
    for page in [check, upload, list, seen] {
        assert!(!page.contains("<script>"), "{page}");
    }
}

#[tokio::test]
async fn a_tenant_sees_nothing_of_another() {
    let two = two().await;
    let job = two.submit(("cats.csv", "url\na\n"), &[]).await;
    let draft = two.upload(("dogs.csv", "url\na\n")).await.led();
    let download = format!("/jobs/{job}/download/answers.csv");
    for path in [
        &format!("/jobs/{job}"),
        &download,
        &draft,
        "/jobs?tenant=acme",
        &format!("/live/jobs/{job}"),
        "/live/jobs?tenant=acme",
    ] {
        let seen = two.beta().get(path).await;
        assert_eq!(seen.status.as_u16(), 404, "{path}: {}", seen.text);
        assert!(!seen.text.contains("cats"), "{path}");
    }
    for path in [
        format!("/jobs/{job}/cancel"),
        draft.clone(),
        format!("{draft}/discard"),
        format!("{draft}/estimate"),
    ] {
        assert_eq!(two.beta().fill(&path, &WISHES).await.status.as_u16(), 404, "{path}");
    }
    for path in ["/jobs", "/jobs/new"] {
        let seen = two.beta().get(path).await.page();
        assert!(!seen.contains("cats") && !seen.contains("dogs") && !seen.contains("acme"), "{path}: {seen}");
    }
    let foreign =
        two.beta().upload("/jobs/new", &[("tenant", "acme"), ("app", "look")], ("x.csv", "a\n1\n")).await;
    assert_eq!(foreign.status.as_u16(), 404, "{}", foreign.text);
    assert_eq!(two.jobs().await[0]["stage"], "open");
    // An admin sees all, and may submit for any.
    let admin = Browser::signed_in(&two.world, &two.world.admin);
    assert!(admin.get("/jobs").await.page().contains("cats"));
    assert!(admin.get(&draft).await.page().contains("dogs.csv"));
    let led =
        admin.upload("/jobs/new", &[("tenant", "beta"), ("app", "look")], ("x.csv", "a\n1\n")).await.led();
    assert!(two.beta().get(&led).await.page().contains("x.csv"));
    // Who may only read looks, and does nothing.
    let reader = two.world.token(Scope::Read(Some(TenantId(0)))).await;
    let reader = Browser::signed_in(&two.world, &reader);
    let page = reader.get(&format!("/jobs/{job}")).await.page();
    assert!(!page.contains("Cancel"), "{page}");
    assert_eq!(reader.get("/jobs/new").await.status.as_u16(), 403);
    assert_eq!(reader.fill(&format!("/jobs/{job}/cancel"), &[]).await.status.as_u16(), 403);
    assert_eq!(reader.get(&draft).await.status.as_u16(), 404);
    let worker = two.world.token(Scope::Worker(None)).await;
    assert_eq!(Browser::signed_in(&two.world, &worker).get("/jobs").await.status.as_u16(), 403);
}

#[tokio::test]
async fn forms_from_elsewhere_do_nothing() {
    let two = two().await;
    let job = two.submit(("cats.csv", "url\na\n"), &[]).await;
    let draft = two.upload(("dogs.csv", "url\na\n")).await.led();
    let frame = draft.replace("/jobs/new/", "/frame/drafts/");
    let acts = [
        format!("/jobs/{job}/cancel"),
        format!("/jobs/{job}/change"),
        draft.clone(),
        format!("{draft}/discard"),
        format!("{draft}/estimate"),
        frame,
    ];
    let fields = [("tenant", "acme"), ("app", "look")];
    for browser in
        [two.acme().with("sec-fetch-site", "cross-site"), two.acme().with("origin", "https://evil.example")]
    {
        for path in &acts {
            assert_eq!(browser.fill(path, &WISHES).await.status.as_u16(), 403, "{path}");
        }
        assert_eq!(browser.upload("/jobs/new", &fields, ("x.csv", "a\n1\n")).await.status.as_u16(), 403);
    }
    // The page is of another session, or of none.
    for path in &acts {
        for value in ["", "csrf=", "csrf=00&price=1"] {
            assert_eq!(two.acme().post(path, value).await.status.as_u16(), 403, "{path} {value}");
        }
    }
    let stale = [("csrf", "00"), ("tenant", "acme"), ("app", "look")];
    assert_eq!(two.acme().upload("/jobs/new", &stale, ("x.csv", "a\n1\n")).await.status.as_u16(), 403);
    assert_eq!(two.jobs().await.len(), 1);
    assert_eq!(two.jobs().await[0]["stage"], "open");
    let page = two.acme().get("/jobs/new").await.page();
    assert_eq!(page.matches("/jobs/new/").count(), 1, "{page}");
    assert!(page.contains(&draft), "{page}");
}

#[tokio::test]
async fn a_job_is_watched_compared_downloaded_and_cancelled() {
    let two = two().await;
    let job = two.submit(("cats.csv", "url\na\nb\n"), &[]).await;
    let path = format!("/jobs/{job}");
    let page = two.acme().get(&path).await.page();
    for told in [
        "0 of 2",
        "0 of 4",
        "No answers yet",
        "No task has two answers yet",
        "not known yet",
        "of a budget of 1.50",
        "Cancel job",
    ] {
        assert!(page.contains(told), "{told}: {page}");
    }
    for said in ["cat", "dog"] {
        let worker = two.world.join().await;
        let lease = two.world.ask(worker).await["lease"]["lease"].clone();
        two.world.pass(Span::from_secs(30));
        two.world
            .work(json!([{"do": "answer", "worker": worker, "lease": lease, "answer": {"is": said}}]))
            .await;
    }
    let page = two.acme().get(&path).await.page();
    for told in ["2 of 4", "is: dog", "url: a", "0.10", "0.0 %", "100.0 %"] {
        assert!(page.contains(told), "{told}: {page}");
    }
    let csv = two.acme().get(&format!("{path}/download/answers.csv")).await;
    assert_eq!(csv.header("content-disposition"), format!("attachment; filename=\"job-{job}-answers.csv\""));
    assert!(csv.text.contains("Input.url") && csv.text.contains("dog"), "{}", csv.text);
    let lines = two.acme().get(&format!("{path}/download/answers.jsonl")).await.page();
    assert_eq!(lines.lines().count(), 2);
    let most = two.acme().get(&format!("{path}/download/majority.csv")).await.page();
    assert!(most.contains("Majority.is"), "{most}");
    assert_eq!(two.acme().get(&format!("{path}/download/nothing.csv")).await.status.as_u16(), 404);

    let shown = shown_live(&two.acme(), &format!("/live{path}"), "is: dog").await;
    assert!(shown.contains("job-latest"), "{shown}");

    for (field, value) in [("budget", "2.5"), ("priority", "7"), ("priority", "much"), ("budget", "")] {
        assert_eq!(two.acme().fill(&format!("{path}/change"), &[(field, value)]).await.led(), path);
    }
    let progress = two.world.get(&format!("/api{path}/progress")).await.ok();
    assert_eq!((&progress["priority"], progress.get("budget")), (&json!(7), None), "{progress}");
    assert_eq!(two.beta().fill(&format!("{path}/change"), &[("priority", "9")]).await.led(), path);
    assert_eq!(two.world.get(&format!("/api{path}/progress")).await.ok()["priority"], 7);

    assert_eq!(two.acme().fill(&format!("{path}/cancel"), &[]).await.led(), path);
    let page = two.acme().get(&path).await.page();
    assert!(
        page.contains("cancelled") && !page.contains("Cancel job") && !page.contains("data-live"),
        "{page}"
    );
    assert!(two.acme().get("/jobs").await.page().contains("cancelled"));
}

#[tokio::test]
async fn the_list_is_turned_page_by_page_and_live() {
    let two = two().await;
    for _ in 0..55 {
        two.world.submit(json!([1])).await;
    }
    two.world
        .post("/api/jobs", json!({"tenant": "beta", "name": "betas", "app": "look", "tasks": [1]}))
        .await
        .ok();
    let admin = Browser::signed_in(&two.world, &two.world.admin);
    let first = admin.get("/jobs").await.page();
    assert!(
        first.contains("betas") && first.contains("\"/jobs/6\"") && !first.contains("\"/jobs/5\""),
        "{first}"
    );
    assert!(first.contains("/jobs?before=6"), "{first}");
    let second = admin.get("/jobs?before=6").await.page();
    assert!(
        second.contains("\"/jobs/5\"") && !second.contains("\"/jobs/6\"") && !second.contains("Older jobs"),
        "{second}"
    );
    let own = admin.get("/jobs?tenant=beta").await.page();
    assert!(own.contains("betas") && !own.contains("Older jobs"), "{own}");
    let shown = shown_live(&admin, "/live/jobs?top=54", "j54-done").await;
    assert!(shown.contains("new job"), "{shown}");
}

#[tokio::test]
async fn a_forecast_says_what_workers_and_queue_make_of_it() {
    let two = two().await;
    let ask = "/api/forecast?tenant=acme&app=look&tasks=100&slots=2&price=0.05&budget=1";
    let told = two.world.get(ask).await.ok();
    assert_eq!(
        (&told["answers"], &told["cost"], &told["covered"], &told["workers"]),
        (&json!(200), &json!(10.0), &json!(20), &json!(0))
    );
    assert!(told.get("finish").is_none(), "{told}");
    // One worker answers a task in 60 s: 200 answers take 200 minutes, and those that wait already come first at the latest.
    two.world.submit(json!([1, 2, 3])).await;
    let worker = two.world.join().await;
    let lease = two.world.ask(worker).await["lease"]["lease"].clone();
    two.world.pass(Span::from_secs(60));
    let next = json!([{"do": "answer", "worker": worker, "lease": lease, "answer": 1, "next": true}]);
    two.world.work(next).await;
    let told = two.world.get(ask).await.ok();
    assert_eq!((&told["workers"], &told["queue"]), (&json!(1), &json!(1)), "{told}");
    let now = two.world.now();
    let at = |minutes: u64| json!(muster_server::wire::Moment(now + Span::from_mins(minutes)));
    assert_eq!((&told["finish"]["earliest"], &told["finish"]["latest"]), (&at(200), &at(202)), "{told}");
    assert_eq!(two.world.send(Method::GET, ask, &two.beta, None).await.status.as_u16(), 404);
}
