//! Stories of the pages' safety: who is let in, what only our own pages can send, what every page carries.

mod support;

use axum::body::Body;
use axum::http::Request;
use muster_server::access::Scope;
use muster_server::pages::form::csrf;
use support::World;
use support::browser::Browser;

#[tokio::test]
async fn signing_in_sets_a_cookie_that_scripts_and_other_sites_do_not_get() {
    let world = World::new().await;
    let browser = Browser::new(&world);
    let body = format!("token={}&next=%2Foperations", world.admin);
    let seen = browser.post("/sign-in", &body).await;
    assert_eq!((seen.status.as_u16(), seen.leads_to()), (303, "/operations"));
    let cookie = seen.header("set-cookie");
    for flag in ["muster=mst_", "; HttpOnly", "; SameSite=Strict", "; Path=/", "; Max-Age=2592000"] {
        assert!(cookie.contains(flag), "{flag}: {cookie}");
    }
    assert!(!cookie.contains("Secure"));
    let behind = Browser::new(&world).with("x-forwarded-proto", "https");
    assert!(behind.post("/sign-in", &body).await.header("set-cookie").ends_with("; Secure"));

    let wrong = browser.post("/sign-in", "token=mst_wrong").await;
    assert_eq!(wrong.status.as_u16(), 401);
    assert!(wrong.header("set-cookie").is_empty() && wrong.text.contains("There is no such token"));
}

#[tokio::test]
async fn only_local_paths_follow_a_sign_in() {
    let world = World::new().await;
    let browser = Browser::new(&world);
    for foreign in ["https%3A%2F%2Fevil.example", "%2F%2Fevil.example", "%2F%5Cevil.example"] {
        let seen = browser.post("/sign-in", &format!("token={}&next={foreign}", world.admin)).await;
        assert_eq!(seen.leads_to(), "/", "{foreign}");
        let page = browser.get(&format!("/sign-in?next={foreign}")).await;
        assert!(!page.text.contains("evil"), "{}", page.text);
    }
}

#[tokio::test]
async fn strangers_are_led_to_sign_in_and_come_back() {
    let world = World::new().await;
    let seen = Browser::new(&world).get("/").await;
    assert_eq!((seen.status.as_u16(), seen.leads_to()), (303, "/sign-in?next=%2F"));
    // From another site the browser keeps the cookie back: the page asks for itself once more.
    let from_elsewhere = Browser::new(&world).with("sec-fetch-site", "cross-site").get("/").await;
    assert_eq!(from_elsewhere.status.as_u16(), 200);
    assert!(from_elsewhere.text.contains("http-equiv=\"refresh\""));
    // Programs hear what is wrong instead.
    let program = Browser { more: Vec::new(), ..Browser::new(&world) };
    assert_eq!(program.get("/").await.status.as_u16(), 401);

    let tenant = world.token(Scope::Tenant(muster_engine::ids::TenantId(0))).await;
    let worker = world.token(Scope::Worker(None)).await;
    for (token, place) in [(&world.admin, "/operations"), (&tenant, "/jobs"), (&worker, "/work")] {
        assert_eq!(Browser::signed_in(&world, token).get("/").await.leads_to(), place);
    }
}

#[tokio::test]
async fn forms_are_taken_from_our_own_pages_only() {
    let world = World::new().await;
    let value = csrf(&world.admin);
    let browser = || Browser::signed_in(&world, &world.admin);
    for body in ["", "csrf=", "csrf=00", &format!("csrf={}", csrf("mst_other"))] {
        assert_eq!(browser().post("/sign-out", body).await.status.as_u16(), 403, "{body}");
    }
    let body = format!("csrf={value}");
    for (name, foreign) in [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("origin", "https://evil.example"),
        ("origin", "null"),
    ] {
        let refused = browser().with(name, foreign).post("/sign-out", &body).await;
        assert_eq!(refused.status.as_u16(), 403, "{name}: {foreign}");
        assert!(refused.header("set-cookie").is_empty());
        let sign_in = Browser::new(&world)
            .with(name, foreign)
            .post("/sign-in", &format!("token={}", world.admin))
            .await;
        assert_eq!(sign_in.status.as_u16(), 403, "{name}: {foreign}");
    }
    for (name, own) in [("sec-fetch-site", "same-origin"), ("origin", "https://muster.example")] {
        let done = browser().with(name, own).post("/sign-out", &body).await;
        assert_eq!((done.status.as_u16(), done.leads_to()), (303, "/sign-in"), "{}", done.text);
        assert!(done.header("set-cookie").contains("Max-Age=0"));
    }
}

#[tokio::test]
async fn every_page_says_what_it_may_load() {
    let world = World::new().await;
    let browser = Browser::signed_in(&world, &world.admin);
    for path in ["/", "/sign-in", "/claim", "/enter/mst_wrong", "/nowhere", "/assets/nothing.js"] {
        let seen = browser.get(path).await;
        let policy = seen.header("content-security-policy");
        for rule in
            ["default-src 'none'", "script-src 'self';", "style-src 'self';", "frame-ancestors 'none'"]
        {
            assert!(policy.contains(rule), "{path}: {policy}");
        }
        assert_eq!(seen.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(seen.header("cache-control"), "no-store", "{path}");
        assert!(
            !seen.text.contains(" style=")
                && !seen.text.contains("<script>")
                && !seen.text.contains("<style>"),
            "{path}"
        );
    }
}

#[tokio::test]
async fn scripts_of_our_pages_may_use_the_api_and_cookies_alone_may_not() {
    let world = World::new().await;
    let cookie = format!("muster={}", world.admin);
    let ask = async |more: &[(&str, &str)]| {
        let mut request = Request::builder().uri("/api/tokens").header("cookie", &cookie);
        for (name, value) in more {
            request = request.header(*name, *value);
        }
        world.request(request.body(Body::empty()).expect("a request")).await.status.as_u16()
    };
    let value = csrf(&world.admin);
    assert_eq!(ask(&[]).await, 401);
    assert_eq!(ask(&[("x-muster-csrf", "")]).await, 401);
    assert_eq!(ask(&[("x-muster-csrf", &csrf("mst_other"))]).await, 401);
    assert_eq!(ask(&[("x-muster-csrf", &value)]).await, 200);
    assert_eq!(ask(&[("x-muster-csrf", &value), ("sec-fetch-site", "cross-site")]).await, 403);
    assert_eq!(ask(&[("x-muster-csrf", &value), ("authorization", "Bearer mst_wrong")]).await, 401);
}

#[tokio::test]
async fn links_sign_in_and_ask_before_they_sign_in_anew() {
    let world = World::new().await;
    let path = format!("/enter/{}", world.admin);
    let seen = Browser::new(&world).get(&path).await;
    assert_eq!((seen.status.as_u16(), seen.leads_to()), (303, "/"));
    assert!(seen.header("set-cookie").starts_with("muster=mst_"));
    let other = world.token(Scope::Worker(None)).await;
    let asked = Browser::signed_in(&world, &other).get(&path).await;
    assert!(asked.header("set-cookie").is_empty() && asked.text.contains("Sign in as somebody else?"));
    assert_eq!(Browser::new(&world).get("/enter/mst_wrong").await.status.as_u16(), 404);

    let link = muster_server::http::tokens::make_link(&world.server).await.expect("a link");
    let claimed = Browser::new(&world).post("/claim", &format!("secret={link}")).await;
    assert_eq!((claimed.status.as_u16(), claimed.leads_to()), (303, "/"));
    assert!(claimed.header("set-cookie").starts_with("muster=mst_"));
    assert_eq!(Browser::new(&world).post("/claim", &format!("secret={link}")).await.status.as_u16(), 404);
}

#[tokio::test]
async fn assets_may_be_kept_for_ever_under_their_own_names() {
    let world = World::new().await;
    let seen = Browser::new(&world).get(muster_server::pages::assets::url("muster.css")).await;
    assert_eq!((seen.status.as_u16(), seen.header("content-type")), (200, "text/css; charset=utf-8"));
    assert!(seen.header("cache-control").contains("immutable") && seen.text.contains("--m-accent"));
}
