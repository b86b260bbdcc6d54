//! What is asked for twice with one key is done once, also where the reply holds a secret.

use crate::stage::{SET_UP, Stage};

#[test]
fn a_token_is_made_once_and_its_text_is_told_once() {
    let mut stage = Stage::new();
    stage.play(SET_UP);
    stage.play(
        r#"
        admin POST[tokens] /api/tokens {"scope": "read", "label": "once"}
          -> 201
          $id = id
          $token = token
        admin POST[tokens] /api/tokens {"scope": "read", "label": "once"}
          -> 409 {"detail": "...token $id; its text was shown then..."}
        admin POST[tokens] /api/tokens {"scope": "admin"}
          -> 409 {"detail": "...another request..."}
        admin DELETE /api/tokens/$id
          -> 204
        admin DELETE /api/tokens/$id
          -> 404
        "#,
    );
}

#[test]
fn links_and_webhooks_are_made_once_and_told_again() {
    let mut stage = Stage::new();
    stage.play(SET_UP);
    stage.play(
        r#"
        admin POST[monday] /api/links {"pool": "day", "kind": "person", "label": "monday"}
          -> 201 {"joined": 0}
          $path = path
        admin POST[monday] /api/links {"pool": "day", "kind": "person", "label": "monday"}
          -> 201 {"path": "$path"}
        admin GET /api/links
          -> 200 {"links": [{"label": "monday"}]}
        admin POST[hook] /api/hooks {"url": "http://127.0.0.1:9/x", "events": ["job"]}
          -> 201 {"id": 0}
          $secret = secret
        admin POST[hook] /api/hooks {"url": "http://127.0.0.1:9/x", "events": ["job"]}
          -> 201 {"id": 0, "secret": "$secret"}
        admin GET /api/hooks
          -> 200 {"hooks": [{"id": 0}]}
        admin DELETE /api/hooks/0
          -> 204
        admin POST[hook] /api/hooks {"url": "http://127.0.0.1:9/x", "events": ["job"]}
          -> 404 {"detail": "...webhook '0'..."}
        "#,
    );
}

#[test]
fn who_joins_twice_with_one_key_is_one_worker_with_one_token() {
    let mut stage = Stage::new();
    stage.play(SET_UP);
    stage.play(
        r#"
        admin POST /api/links {"pool": "day", "kind": "person", "most": 1}
          $path = path
        "#,
    );
    let link = stage.known["path"].trim_start_matches("/join/").to_owned();
    stage.known.insert("link".to_owned(), link);
    stage.play(
        r#"
        nobody POST[guessable] /api/join {"link": "$link"}
          -> 422 {"field": "Idempotency-Key"}
        nobody POST[6f1c0b2e-3a55-4c0e-9d2b-0a4f5e6d7c8b] /api/join {"link": "$link", "name": "zoe"}
          -> 201 {"worker": 0}
          $token = token
        nobody POST[6f1c0b2e-3a55-4c0e-9d2b-0a4f5e6d7c8b] /api/join {"link": "$link", "name": "zoe"}
          -> 201 {"worker": 0, "token": "$token", "pool": "day"}
        nobody POST[6f1c0b2e-3a55-4c0e-9d2b-0a4f5e6d7c8c] /api/join {"link": "$link", "name": "zoe"}
          -> 410
        admin GET /api/links
          -> 200 {"links": [{"joined": 1}]}
        "#,
    );
    let token = stage.known["token"].clone();
    stage.tokens.insert("zoe".to_owned(), token);
    stage.play(
        r#"
        zoe POST /api/workers/0/ask
          -> 200 {"waiting": true}
        "#,
    );
}
