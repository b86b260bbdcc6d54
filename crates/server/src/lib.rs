//! The server of Muster: the engine in real time, durable, over HTTP.
//!
//! One thread, the [`keeper`], owns the engine and the [`journal`]. Whatever changes something is work in that thread: a group of
//! works is made durable in one transaction, and only then are their replies let out. Handlers never touch the engine.
//!
//! | module | what it does |
//! |---|---|
//! | [`journal`] | facts and blobs, durable together: SQLite, memory, and one that fails for tests |
//! | [`frame`], [`keys`] | facts as bytes; the names of blobs |
//! | [`clock`], [`histogram`] | the only file that reads a clock; how often values fell into which range |
//! | [`keeper`] | engine, journal and desk; groups; recovery; [`keeper::turn::Turn`] is what work can do |
//! | [`archive`] | backups, export, import |
//! | [`snapshot`] | snapshots by a second engine that follows the journal |
//! | [`directory`] | names and descriptions of tenants, apps, kinds and pools |
//! | [`access`] | tokens: hashed, with a scope and a pace |
//! | [`payload`], [`jobs`] | what tasks and answers say, in chunks on disk; jobs as they are kept |
//! | [`staging`], [`drafts`], [`results`] | uploads on their way in; those that wait to be submitted; answers on their way out |
//! | [`follow`] | reading durable facts |
//! | [`once`] | idempotency keys |
//! | [`problem`], [`wire`] | what went wrong; how money, spans, moments and policies look in JSON |
//! | [`http`] | the API, one file for each resource |
//! | [`pages`] | the pages, for workers, requesters and operations |
//! | [`listen`] | connections |
//! | [`webhook`], [`recruiter`] | what follows the facts: telling the outside, bringing workers |
//! | [`serve`] | a running server: start, stop |
//!
//! # How to add an endpoint
//!
//! 1. A file `http/NAME.rs` with `pub fn router() -> OpenApiRouter<Server>`, one line for it in `http::resources`. (What is not in
//!    the OpenAPI document gets a `.route(..)` in [`http::router`]; how to add a page is told in [`pages`].)
//! 2. A handler takes [`axum::extract::State<Server>`], then [`http::extract::By`] (who calls; refuses without a good token), then words of the
//!    path ([`http::extract::Word`]), [`http::extract::Query`], and last a body: [`http::extract::Body`] (JSON into a struct, with the idempotency key),
//!    [`http::extract::KeyAndRequest`] or [`http::extract::Raw`] (bytes, for structs that borrow: use these where many tasks or answers come).
//!    It returns [`problem::Answer`]. Give it a `#[utoipa::path]` with `status = "default", body = Problem`.
//! 3. Check the scope with [`access::Caller`]'s functions. What is not the caller's is *not found*, never *forbidden*.
//! 4. To change something: [`http::Server::turn`]. The closure runs in the keeper's thread; its value is returned when everything it did is
//!    durable. In it: look and check, then [`keeper::turn::Turn::command`], then `put`/`put_record`/`delete` blobs, `directory_mut()`,
//!    `after(..)` for what other threads may see once it is durable. A command that was accepted stands, so check first. Creating and
//!    paying goes through [`once::run`]. Never wait or read slowly in there: everybody waits.
//! 5. To see something: [`http::Server::look`] for the engine's state and the desk (short: it runs in the same thread; what it saw is durable
//!    when it is returned), [`http::Server::read`] for blobs and facts (a thread of its own, may take long), `server.directory()` for names.
//! 6. New kinds of blobs get a letter in [`keys::Sort`]. Records are postcard: new fields mean a new letter or an enum of versions.
//!
//! Who follows facts (streams, webhooks, recruiters) keeps a cursor, waits on `server.keeper.shared.durable.subscribe()` (the number after the
//! last durable fact), reads with `reader.frames(cursor, ..)` and [`frame::each`], acts idempotently by fact number, and stores
//! the cursor as a blob (`keys::named(Sort::Cursor, NAME)`) in a turn.
//!
//! Tests: `tests/support` has a server in the test (`World`) with a journal in memory and a clock that is moved by hand.

pub mod access;
pub mod archive;
pub mod clock;
pub mod directory;
pub mod drafts;
pub mod follow;
pub mod frame;
pub mod histogram;
pub mod http;
pub mod jobs;
pub mod journal;
pub mod keeper;
pub mod keys;
pub mod listen;
pub mod once;
pub mod pages;
pub mod payload;
pub mod problem;
pub mod recruiter;
pub mod results;
pub mod serve;
pub mod snapshot;
pub mod staging;
pub mod webhook;
pub mod wire;
