//! Keys of the work that comes: apps, demands, arrivals, curves.

use super::{Form, Group, Key, key, table};

pub(super) const GROUPS: &[Group] = &[
    table(
        "app",
        "[[app]]",
        "A type of task. The keys from arrivals on are those of a demand: with any of them here, the app has a demand of its own, called like the app.",
        APP,
    ),
    table(
        "practice",
        "practice = { ... }",
        "Whoever does an app for the first time is slower, and the excess shrinks with each doubling of the tasks done.",
        PRACTICE,
    ),
    table(
        "lease",
        "lease = { ... }",
        "A lease whose length is learned from completions: a factor times what 95 % of them take.",
        LEASE,
    ),
    table("demand", "[[demand]]", "A stream of jobs of one tenant.", DEMAND),
    table("step", "steps = [{ ... }, ...]", "A task of a workflow.", STEP),
    table(
        "clients",
        "clients = { ... }",
        "The clients for whom jobs are done, in turn, and how their patience changes with how long they wait.",
        CLIENTS,
    ),
    table(
        "curve",
        "curve = { ... }",
        "How a rate changes with time: factors on it. One of file, steps and slopes.",
        CURVE,
    ),
    table(
        "spike",
        "spikes = [{ ... }, ...]",
        "A time in which more comes. Spikes are in the curve's own time, so they repeat with it.",
        SPIKE,
    ),
];

const ARRIVALS: Key = key(
    "arrivals",
    Form::OneOf("arrivals"),
    "none; then a backlog is required",
    "When jobs come.",
    "{ law = \"poisson\", rate = \"12 /min\" }",
);
const BACKLOG: Key = key("backlog", Form::Whole, "0", "How many jobs are there at the beginning.", "40");
const BUDGET: Key =
    key("budget", Form::Money, "no limit but the tenant's", "What a job may cost.", "\"25 USD\"");
const CLIENTS_KEY: Key = key(
    "clients",
    Form::Table("clients"),
    "not set",
    "For whom jobs are done, where patience matters.",
    "{ count = 50, ideal = \"20 s\" }",
);
const FROM: Key = key("from", Form::SpanOrZero, "0", "Nothing comes before this.", "\"1 h\"");
const GIVES_UP: Key = key(
    "gives_up",
    Form::Times(""),
    "never",
    "End users give up after so long without anybody having begun.",
    "{ law = \"exponential\", mean = \"12 min\" }",
);
const PRICE: Key = key("price", Form::Money, "nothing", "What a person gets for an answer.", "\"0.05 USD\"");
const PRIORITY: Key =
    key("priority", Form::Whole, "1", "The jobs' priority under policies that use it.", "5");
const SIZE: Key = key(
    "size",
    Form::Counts,
    "1",
    "How many tasks a job has.",
    "{ law = \"uniform\", least = 10, most = 40 }",
);
const SLOTS: Key =
    key("slots", Form::Whole, "1", "How many answers each task needs, from different workers.", "3");
const TENANT: Key =
    key("tenant", Form::Name("a tenant"), "the only one", "Who submits and pays.", "\"shop\"");
const UNTIL: Key = key("until", Form::Span, "the end", "Nothing comes from this on.", "\"6 h\"");
const EXPECTED: Key = key(
    "expected",
    Form::Span,
    "learned from completions",
    "How long a task takes, as the engine is told beforehand.",
    "\"20 s\"",
);

const APP: &[Key] = &[
    key("name", Form::Text, "required", "What it is called.", "\"moderation\""),
    key(
        "work",
        Form::Times(""),
        "required",
        "How long a task takes somebody of speed 1.",
        "{ law = \"log-normal\", mean = \"18 s\", sd = \"12 s\" }",
    ),
    key(
        "work_of",
        Form::WorkOf,
        "as work says",
        "The same for particular kinds, by name.",
        "{ gpu = \"2 s\" }",
    ),
    key(
        "training",
        Form::Times(""),
        "0",
        "How long learning it takes; 0: anybody can do it at once.",
        "\"90 s\"",
    ),
    key(
        "practice",
        Form::Table("practice"),
        "none",
        "Whether practice makes faster.",
        "{ first = 2.0, rate = 0.7 }",
    ),
    key(
        "switching",
        Form::Times(""),
        "0",
        "What changing to this app from another costs each time.",
        "\"30 s\"",
    ),
    key("switching_job", Form::Times(""), "0", "What changing to another job of this app costs.", "\"5 s\""),
    key(
        "lease",
        Form::SpanOr("lease"),
        "30 min",
        "How long somebody may hold a task before it goes to another.",
        "\"10 min\"",
    ),
    key(
        "late_pay",
        Form::Word(&["if-counted", "always", "never"]),
        "if-counted",
        "Whether an answer after its lease is paid.",
        "\"never\"",
    ),
    EXPECTED,
    ARRIVALS,
    BACKLOG,
    BUDGET,
    CLIENTS_KEY,
    FROM,
    GIVES_UP,
    PRICE,
    PRIORITY,
    SIZE,
    SLOTS,
    TENANT,
    UNTIL,
];

const PRACTICE: &[Key] = &[
    key("first", Form::Number, "required", "How many times as long the first task takes.", "2.0"),
    key(
        "rate",
        Form::Share,
        "required",
        "How much of the excess is left after each doubling of the tasks done.",
        "0.7",
    ),
];

const LEASE: &[Key] = &[
    key("factor", Form::Number, "required", "Times what 95 % of tasks take.", "4"),
    key("least", Form::Span, "30 s", "Never shorter.", "\"1 min\""),
    key(
        "most",
        Form::Span,
        "30 min",
        "Never longer; and so long until 20 completions have been seen.",
        "\"10 min\"",
    ),
];

const DEMAND: &[Key] = &[
    key("name", Form::Text, "the app's", "What it is called.", "\"images\""),
    key("app", Form::Name("an app"), "the only one", "What its tasks are.", "\"label image\""),
    key(
        "steps",
        Form::Tables("step"),
        "not set",
        "Instead of app and size: a workflow.",
        "[{ app = \"draft\" }, { app = \"correct\", after = [\"draft\"] }]",
    ),
    EXPECTED,
    ARRIVALS,
    BACKLOG,
    BUDGET,
    CLIENTS_KEY,
    FROM,
    GIVES_UP,
    PRICE,
    PRIORITY,
    SIZE,
    SLOTS,
    TENANT,
    UNTIL,
];

const STEP: &[Key] = &[
    key(
        "name",
        Form::Text,
        "the app's",
        "What it is called; needed if an app comes twice.",
        "\"second look\"",
    ),
    key("app", Form::Name("an app"), "required", "What it is.", "\"correct\""),
    key(
        "after",
        Form::Names("steps before this one"),
        "none",
        "The steps that must be done before.",
        "[\"draft\"]",
    ),
];

const CLIENTS: &[Key] = &[
    key("count", Form::Whole, "required; as many as submit with closed arrivals", "How many.", "50"),
    key("ideal", Form::Span, "what the work takes", "The response time of an empty system.", "\"20 s\""),
    key("tolerance", Form::Number, "1", "How many times the ideal a client finds right.", "2"),
    key("patience", Form::Number, "0.9", "Patience to begin with.", "0.7"),
    key("threshold", Form::Number, "0.5", "Below this patience a client is unhappy.", "0.4"),
    key(
        "alpha_gain",
        Form::Share,
        "0.2",
        "Weight of the past when an answer came sooner than expected.",
        "0.2",
    ),
    key("alpha_loss", Form::Share, "0.1", "Weight of the past when it came later.", "0.1"),
];

const CURVE: &[Key] = &[
    key(
        "file",
        Form::File,
        "not set",
        "A file with a column of times (seconds, minutes, hours ...) and one called factor.",
        "\"curves/workday.csv\"",
    ),
    key(
        "shape",
        Form::Word(&["steps", "slopes"]),
        "steps",
        "With a file: whether a factor holds until the next, or goes over to it.",
        "\"slopes\"",
    ),
    key(
        "steps",
        Form::Points,
        "not set",
        "Each factor holds from its time until the next.",
        "[[\"0 h\", 1], [\"2 h\", 3]]",
    ),
    key(
        "slopes",
        Form::Points,
        "not set",
        "Straight lines between the points.",
        "[[\"0 h\", 0.5], [\"4 h\", 1.6]]",
    ),
    key(
        "every",
        Form::Span,
        "never",
        "After so long it begins again; without it the last factor holds.",
        "\"1 d\"",
    ),
];

const SPIKE: &[Key] = &[
    key("at", Form::SpanOrZero, "required", "When it begins.", "\"2 h 30 min\""),
    key("length", Form::Span, "required", "How long it lasts.", "\"15 min\""),
    key("factor", Form::Number, "required", "How many times as much comes.", "4"),
];
