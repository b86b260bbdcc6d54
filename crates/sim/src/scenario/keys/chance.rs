//! Keys of tables that are one of several: laws, arrivals, aims.

use super::{Form, Group, Key, key};

pub(super) const GROUPS: &[Group] = &[
    arrivals("poisson", "Jobs come at random, independently of each other.", RATE),
    arrivals("deterministic", "Jobs come at a steady pace.", RATE),
    arrivals("log-normal", "Irregular gaps: cv is their standard deviation divided by their mean.", RATE_CV),
    arrivals("gamma", "Irregular gaps: cv above 1 is burstier than Poisson, below 1 steadier.", RATE_CV),
    arrivals(
        "weibull",
        "Irregular gaps: a shape below 1 is burstier than Poisson, above 1 steadier.",
        RATE_SHAPE,
    ),
    arrivals("pareto", "A few very long gaps: the nearer the shape is to 1, the longer.", RATE_SHAPE),
    arrivals("uniform", "Gaps from 1 - spread to 1 + spread times their mean.", RATE_SPREAD),
    arrivals(
        "empirical",
        "Gaps drawn from recorded ones, scaled to the rate if one is given.",
        RATE_EMPIRICAL,
    ),
    arrivals("recorded", "At the times of a file, in order.", RECORDED),
    arrivals(
        "closed",
        "So many clients submit a job, wait until it is done, think, and submit the next.",
        CLOSED,
    ),
    arrivals("none", "Nothing comes but the backlog.", LAW_ONLY),
    law("fixed", "Always the same; a bare value means this.", FIXED),
    law("exponential", "Memoryless.", MEAN),
    law("log-normal", "Many short, some long: how long most human work takes.", MEAN_SD),
    law("gamma", "Between regular and memoryless if sd is below the mean.", MEAN_SD),
    law("weibull", "A hazard that grows with time (shape above 1) or falls (below 1).", MEAN_SHAPE),
    law("pareto", "A long tail; the mean exists for a shape above 1.", LEAST_SHAPE),
    law("uniform", "Anything in between is as likely.", LEAST_MOST),
    law("mixture", "One of several laws, by weight.", PARTS),
    law("empirical", "One of recorded values, each as likely.", EMPIRICAL),
    aim("objective", "Waiting and cost together are least.", OBJECTIVE),
    aim("wait", "The mean wait is at most this.", WAIT),
    aim("within", "At least this share begins within this time.", WITHIN),
    aim("occupancy", "Workers are busy for at most this share of their time.", OCCUPANCY),
    aim("money", "Waiting and workers together cost least.", MONEY),
];

/// Groups are told apart by name: what they are for, and which it is.
const fn arrivals(name: &'static str, about: &'static str, keys: &'static [Key]) -> Group {
    Group { of: "arrivals", name, written: "arrivals = { law = ... }", about, keys }
}

const fn law(name: &'static str, about: &'static str, keys: &'static [Key]) -> Group {
    Group { of: "law", name, written: "{ law = ... }", about, keys }
}

const fn aim(name: &'static str, about: &'static str, keys: &'static [Key]) -> Group {
    Group { of: "recommend", name, written: "recommend = { aim = ... }", about, keys }
}

const LAW: Key = key("law", Form::Text, "required", "Which law.", "\"poisson\"");
const RATE_KEY: Key =
    key("rate", Form::Rate, "required, or every", "How many come, where the curve is 1.", "\"12 /min\"");
const EVERY: Key =
    key("every", Form::Span, "not set", "Instead of rate: one in so long, on average.", "\"5 s\"");
const CURVE: Key = key(
    "curve",
    Form::FileOr("curve"),
    "always the same",
    "How the rate changes with time.",
    "\"curves/workday.csv\"",
);
const SPIKES: Key = key(
    "spikes",
    Form::Tables("spike"),
    "none",
    "Times in which more comes.",
    "[{ at = \"2 h\", length = \"15 min\", factor = 4 }]",
);
const CV: Key = key("cv", Form::Number, "required", "How irregular gaps are.", "2");
const SHAPE: Key =
    key("shape", Form::Number, "required", "How the hazard changes, or how short the tail is.", "1.4");
const VALUES: Key =
    key("values", Form::Amounts, "not set", "The recorded values.", "[\"3 s\", \"8 s\", \"40 s\"]");
const FILE: Key = key(
    "file",
    Form::File,
    "not set",
    "Instead of values: a file with a column of times (seconds, minutes ...), or one called value for numbers.",
    "\"work-times.csv\"",
);

const LAW_ONLY: &[Key] = &[LAW];
const RATE: &[Key] = &[LAW, RATE_KEY, EVERY, CURVE, SPIKES];
const RATE_CV: &[Key] = &[LAW, RATE_KEY, EVERY, CURVE, SPIKES, CV];
const RATE_SHAPE: &[Key] = &[LAW, RATE_KEY, EVERY, CURVE, SPIKES, SHAPE];
const RATE_SPREAD: &[Key] = &[
    LAW,
    RATE_KEY,
    EVERY,
    CURVE,
    SPIKES,
    key("spread", Form::Share, "1", "How far gaps differ from their mean.", "0.5"),
];
const RATE_EMPIRICAL: &[Key] = &[LAW, RATE_KEY, EVERY, CURVE, SPIKES, VALUES, FILE];
const RECORDED: &[Key] = &[
    LAW,
    key(
        "file",
        Form::File,
        "required",
        "A file with a column of times (seconds, minutes, hours ...) in order, and perhaps one called tasks (how many tasks the job has; 0: as the size says).",
        "\"arrivals.csv\"",
    ),
];
const CLOSED: &[Key] = &[
    LAW,
    key("clients", Form::Whole, "required", "How many.", "120"),
    key(
        "thinking",
        Form::Times(""),
        "required",
        "How long they think before the next.",
        "{ law = \"exponential\", mean = \"35 min\" }",
    ),
];

const MEAN_KEY: Key = key("mean", Form::Amount, "required", "The mean.", "\"18 s\"");
const LEAST: Key = key("least", Form::Amount, "required", "The least value.", "\"5 s\"");
const FIXED: &[Key] = &[LAW, key("value", Form::Amount, "required", "The value.", "\"18 s\"")];
const MEAN: &[Key] = &[LAW, MEAN_KEY];
const MEAN_SD: &[Key] =
    &[LAW, MEAN_KEY, key("sd", Form::Amount, "required", "The standard deviation.", "\"12 s\"")];
const MEAN_SHAPE: &[Key] = &[LAW, MEAN_KEY, SHAPE];
const LEAST_SHAPE: &[Key] = &[LAW, LEAST, SHAPE];
const LEAST_MOST: &[Key] =
    &[LAW, LEAST, key("most", Form::Amount, "required", "The greatest value.", "\"60 s\"")];
const PARTS: &[Key] = &[
    LAW,
    key(
        "parts",
        Form::Parts,
        "required",
        "The laws, each with a weight (default: 1).",
        "[{ weight = 9, law = \"fixed\", value = \"10 s\" }, { law = \"exponential\", mean = \"5 min\" }]",
    ),
];
const EMPIRICAL: &[Key] = &[LAW, VALUES, FILE];

const AIM: Key = key("aim", Form::Text, "required", "Which aim.", "\"wait\"");
const SERVICE: Key = key(
    "service",
    Form::Span,
    "nothing is recommended until tasks were done",
    "What a task takes, until the pool has seen some.",
    "\"20 s\"",
);
const DELAY: Key = key(
    "recruitment_delay",
    Form::Span,
    "not set",
    "If given, those who leave while others are recruited, which takes so long, are added.",
    "\"90 s\"",
);
const SIZE_MOST: Key = key("size_most", Form::Whole, "100000", "No recommendation above this.", "60");
const OBJECTIVE: &[Key] = &[
    AIM,
    key("eta", Form::Share, "0.5", "How much waiting weighs against cost.", "0.7"),
    key(
        "worker",
        Form::MoneyRate,
        "the wage for waiting, else 0.05 per minute",
        "What a waiting worker costs.",
        "\"0.05 USD/min\"",
    ),
    key(
        "cost_of",
        Form::Word(&["idle", "as-printed"]),
        "idle",
        "Whether the cost counts idle workers, or follows the paper as printed.",
        "\"as-printed\"",
    ),
    SERVICE,
    DELAY,
    SIZE_MOST,
];
const WAIT: &[Key] =
    &[AIM, key("wait", Form::Span, "required", "The mean wait.", "\"30 s\""), SERVICE, DELAY, SIZE_MOST];
const WITHIN: &[Key] = &[
    AIM,
    key("within", Form::SpanOrZero, "required", "The time.", "\"20 s\""),
    key("share", Form::Share, "required", "The share.", "\"80 %\""),
    SERVICE,
    DELAY,
    SIZE_MOST,
];
const OCCUPANCY: &[Key] =
    &[AIM, key("occupancy", Form::Share, "required", "The share.", "\"85 %\""), SERVICE, DELAY, SIZE_MOST];
const MONEY: &[Key] = &[
    AIM,
    key("waiting", Form::MoneyRate, "required", "What waiting costs.", "\"0.10 USD/min\""),
    key("worker", Form::MoneyRate, "required", "What a worker costs.", "\"12 USD/h\""),
    SERVICE,
    DELAY,
    SIZE_MOST,
];
