//! Keys of the file as a whole: how it is run, variants, tenants, policies.

use super::{Form, Group, Key, key, table};

pub(super) const GROUPS: &[Group] = &[
    table(
        "scenario",
        "at the top of the file",
        "What it is called, and how long and how often it is run. Exactly one of horizon, drain and jobs says when a run ends.",
        TOP,
    ),
    table(
        "precision",
        "precision = { ... }",
        "As many runs as it takes until the 95 % interval of a measure is narrow enough in every variant.",
        PRECISION,
    ),
    table(
        "variant",
        "[[variant]]",
        "An alternative: what stands here lies over the rest of the file. Tables lie over each other key by key; things with a name (apps, pools, demands ...) are found by it; a law or policy is replaced whole if it is named anew, and else only in the keys that are given; every other list is replaced.",
        VARIANT,
    ),
    table(
        "tenant",
        "[[tenant]]",
        "Who submits and pays. Without any there is one, called everybody.",
        TENANT,
    ),
    table("budget", "budget = { ... }", "What a tenant may spend.", BUDGET),
    table(
        "policy",
        "[policy], or policy = { ... } in a pool",
        "Which policies pools are run by: a name, or a table with the name and settings (`muster policies` lists them). A pool's own go before those of all pools.",
        POLICY,
    ),
];

const TOP: &[Key] = &[
    key("name", Form::Text, "scenario", "What it is called.", "\"three apps share a crowd\""),
    key("about", Form::Text, "nothing", "What it is about, in a few sentences.", "\"Who waits for whom?\""),
    key(
        "base",
        Form::Text,
        "as written",
        "What the file without its variants is called in tables.",
        "\"as today\"",
    ),
    key(
        "horizon",
        Form::Span,
        "required, or drain or jobs",
        "The run ends at this time; what waits then is counted as waiting.",
        "\"8 h\"",
    ),
    key(
        "drain",
        Form::Span,
        "not set",
        "Work comes until this time, and the run ends when all of it is done.",
        "\"8 h\"",
    ),
    key("jobs", Form::Whole, "not set", "So many jobs come, and the run ends when all are done.", "1000"),
    key("warm_up", Form::SpanOrZero, "0", "Nothing before this is measured.", "\"30 min\""),
    key("replications", Form::Whole, "10", "How many independent runs of each variant.", "20"),
    key(
        "precision",
        Form::Table("precision"),
        "not set",
        "Instead of replications: run until it is known precisely enough.",
        "{ measure = \"wait-mean\", within = \"5 %\" }",
    ),
    key(
        "seed",
        Form::Whole,
        "1",
        "What all chance begins with. The same seed gives the same numbers, on any number of cores.",
        "42",
    ),
    key("points", Form::Whole, "200", "How many points curves over time have in reports.", "400"),
    key("tenant", Form::Tables("tenant"), "one, called everybody", "Who submits and pays.", "[[tenant]]"),
    key("app", Form::Tables("app"), "required", "The types of task.", "[[app]]"),
    key("demand", Form::Tables("demand"), "those in apps", "The work that comes.", "[[demand]]"),
    key(
        "kind",
        Form::Tables("kind"),
        "one, called people, as the crowd is",
        "The kinds of worker.",
        "[[kind]]",
    ),
    key(
        "crowd",
        Form::Table("crowd"),
        "nobody who leaves",
        "How people behave, unless their kind says something else.",
        "[crowd]",
    ),
    key("pool", Form::Tables("pool"), "one for all apps, called everybody", "The pools.", "[[pool]]"),
    key(
        "policy",
        Form::Table("policy"),
        "fifo, longest-waiting, static, none, none",
        "The policies of all pools.",
        "[policy]",
    ),
    key(
        "variant",
        Form::Tables("variant"),
        "none",
        "Alternatives to compare with the file as it is.",
        "[[variant]]",
    ),
];

const PRECISION: &[Key] = &[
    key("measure", Form::Word(MEASURES), "wait-mean", "Which measure.", "\"wait-p95\""),
    key("within", Form::Share, "required", "Half the interval's width, as a share of the mean.", "\"5 %\""),
    key("least", Form::Whole, "5", "No fewer runs than this.", "10"),
    key("most", Form::Whole, "200", "No more runs than this.", "1000"),
];

pub(in crate::scenario) const MEASURES: &[&str] = &[
    "throughput",
    "wait-mean",
    "wait-p50",
    "wait-p95",
    "wait-p99",
    "response-mean",
    "slowdown",
    "queue",
    "gave-up",
    "cost",
    "cost-answers",
    "cost-waiting",
    "cost-training",
    "cost-machines",
    "cost-per-answer",
    "idle-share",
    "size",
    "recommended",
    "size-gap",
    "switches-job",
    "switches-app",
    "share",
    "fairness",
    "preference",
    "joined",
    "left",
    "moved",
    "expired",
    "patience",
];

const VARIANT: &[Key] = &[
    key("name", Form::Text, "required", "What it is called.", "\"one more at the desk\""),
    key("tenant", Form::Tables("tenant"), "as in the file", "Tenants, by name.", "[[variant.tenant]]"),
    key("app", Form::Tables("app"), "as in the file", "Apps, by name.", "[[variant.app]]"),
    key("demand", Form::Tables("demand"), "as in the file", "Demands, by name.", "[[variant.demand]]"),
    key("kind", Form::Tables("kind"), "as in the file", "Kinds, by name.", "[[variant.kind]]"),
    key("crowd", Form::Table("crowd"), "as in the file", "How people behave.", "{ bored = \"10 min\" }"),
    key(
        "pool",
        Form::Tables("pool"),
        "as in the file",
        "Pools, by name.",
        "[{ name = \"desk\", workers = 7 }]",
    ),
    key(
        "policy",
        Form::Table("policy"),
        "as in the file",
        "Policies of all pools.",
        "{ scaling = \"static\" }",
    ),
];

const TENANT: &[Key] = &[
    key("name", Form::Text, "required", "What it is called.", "\"shop\""),
    key("weight", Form::Whole, "1", "Its share against other tenants' under policies that use weights.", "3"),
    key(
        "budget",
        Form::Table("budget"),
        "no limit",
        "What it may spend.",
        "{ amount = \"200 USD\", every = \"1 d\" }",
    ),
];

const BUDGET: &[Key] = &[
    key("amount", Form::Money, "required", "How much in an interval.", "\"200 USD\""),
    key("every", Form::Span, "required", "How long an interval is.", "\"1 d\""),
];

const POLICY: &[Key] = &[
    key(
        "dispatch",
        Form::Policy("dispatch"),
        "fifo",
        "Which slot does this worker get?",
        "{ name = \"worker-conscious\", concessions = 3 }",
    ),
    key(
        "matching",
        Form::Policy("matching"),
        "longest-waiting",
        "Which idle worker gets an arriving task?",
        "\"cheapest\"",
    ),
    key(
        "scaling",
        Form::Policy("scaling"),
        "static",
        "How many workers, of which kind?",
        "{ name = \"pid-size\", kp = 0.5 }",
    ),
    key(
        "replacement",
        Form::Policy("replacement"),
        "none",
        "How do we make up for people who leave?",
        "\"hybrid\"",
    ),
    key(
        "balance",
        Form::Policy("balance"),
        "none",
        "Should idle workers move to another pool? For all pools together, so not in a pool's own table.",
        "{ name = \"preference-aware\", omega = 0.3 }",
    ),
];
