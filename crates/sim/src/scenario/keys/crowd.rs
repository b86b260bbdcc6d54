//! Keys of those who work: the crowd, kinds, pools.

use super::{Form, Group, Key, key, table};

pub(super) const GROUPS: &[Group] = &[
    table(
        "crowd",
        "[crowd]",
        "How people behave, and what they are paid besides the price of an answer. Every kind of person takes from here what it does not say itself; machines take nothing.",
        CROWD,
    ),
    table(
        "kind",
        "[[kind]]",
        "A kind of worker. With machine it is a machine, and has no wages. The first kind is the one that numbers of workers and policies mean if they name none.",
        KIND,
    ),
    table(
        "machine",
        "machine = { ... }",
        "A machine costs so much for every period begun, whatever it does.",
        MACHINE,
    ),
    table("recruiting", "recruiting = { law = ..., ... }", "Beside the keys of its law.", RECRUITING_MORE),
    table("staying", "staying = { law = ..., ... }", "Beside the keys of its law.", STAYING_MORE),
    table("returning", "returning = { ... }", "Who leaves of their own accord may come again.", RETURNING),
    table(
        "skipping",
        "skipping = { ... }",
        "What workers do not take, or not to the end: shares of the tasks they get. Together at most 1.",
        SKIPPING,
    ),
    table(
        "pausing",
        "pausing = { ... }",
        "Breaks between tasks, in which nothing is paid for answers.",
        PAUSING,
    ),
    table("pool", "[[pool]]", "Serves a set of apps with its workers and policies.", POOL),
    table(
        "shift",
        "shifts = [{ ... }, ...]",
        "Workers who come and go by the clock. A task in hand is finished.",
        SHIFT,
    ),
];

const BORED: Key = key(
    "bored",
    Form::Times(""),
    "never",
    "How long somebody waits for a task before leaving.",
    "{ law = \"exponential\", mean = \"6 min\" }",
);
const LEAVES: Key =
    key("leaves_after_task", Form::Share, "0", "The share of tasks after which somebody leaves.", "\"2 %\"");
const LIKES: Key = key(
    "likes",
    Form::Likes,
    "nothing is known",
    "How much workers like apps, from 0 to 1: one law for all, or one by app, with others for the rest.",
    "{ moderation = 0.3, others = 0.8 }",
);
const MOST: Key =
    key("most", Form::Whole, "no limit", "There are no more of it than this, in all pools together.", "12");
const PARTICIPATION: Key = key(
    "participation",
    Form::Counts,
    "no limit",
    "How many tasks somebody does before leaving.",
    "{ law = \"pareto\", least = 5, shape = 1.3 }",
);
const PAUSING_KEY: Key = key(
    "pausing",
    Form::Table("pausing"),
    "none",
    "Breaks between tasks.",
    "{ share = \"5 %\", length = \"10 min\" }",
);
const RECRUITING: Key = key(
    "recruiting",
    Form::Times("recruiting"),
    "0, or a machine's boot",
    "How long it takes until somebody who was called for is there.",
    "{ law = \"exponential\", mean = \"90 s\", renew = \"5 min\", come = \"80 %\" }",
);
const RETURNING_KEY: Key = key(
    "returning",
    Form::Table("returning"),
    "nobody",
    "Whether those who left come again.",
    "{ share = \"30 %\", after = \"1 h\" }",
);
const SKIPPING_KEY: Key = key(
    "skipping",
    Form::Table("skipping"),
    "nothing",
    "What workers do not take.",
    "{ task = \"2 %\", after = \"5 s\" }",
);
const SPEED: Key = key(
    "speed",
    Form::Numbers,
    "1",
    "How fast they work against the apps' work; a law if they differ.",
    "{ law = \"log-normal\", mean = 1.0, sd = 0.2 }",
);
const STAYING: Key = key(
    "staying",
    Form::Times("staying"),
    "to the end",
    "How long somebody stays, whatever happens.",
    "{ law = \"weibull\", mean = \"5 min\", shape = 1.4 }",
);
const TRAINED: Key = key(
    "trained",
    Form::Flag,
    "false; machines true",
    "Whether who comes can do all apps of the pool at once, without training.",
    "true",
);
const WAGE_TRAINING: Key = key(
    "wage_training",
    Form::MoneyRate,
    "as for waiting",
    "What a person is paid while learning.",
    "\"0.02 USD/min\"",
);
const WAGE_WAITING: Key = key(
    "wage_waiting",
    Form::MoneyRate,
    "nothing",
    "What a person is paid while waiting for a task.",
    "\"0.05 USD/min\"",
);

const CROWD: &[Key] = &[
    key(
        "workers",
        Form::PerKind,
        "none",
        "How many are in each pool at the beginning, if the pool does not say.",
        "20",
    ),
    RECRUITING,
    STAYING,
    LEAVES,
    PARTICIPATION,
    BORED,
    RETURNING_KEY,
    LIKES,
    SKIPPING_KEY,
    PAUSING_KEY,
    SPEED,
    TRAINED,
    WAGE_WAITING,
    WAGE_TRAINING,
    MOST,
];

const KIND: &[Key] = &[
    key("name", Form::Text, "required", "What it is called.", "\"editor\""),
    key(
        "machine",
        Form::Table("machine"),
        "a person",
        "What a machine costs.",
        "{ cost = \"0.90 USD\", every = \"1 h\" }",
    ),
    RECRUITING,
    STAYING,
    LEAVES,
    PARTICIPATION,
    BORED,
    RETURNING_KEY,
    LIKES,
    SKIPPING_KEY,
    PAUSING_KEY,
    SPEED,
    TRAINED,
    WAGE_WAITING,
    WAGE_TRAINING,
    MOST,
];

const MACHINE: &[Key] = &[
    key("cost", Form::Money, "required", "What a period costs, due when it begins.", "\"0.90 USD\""),
    key("every", Form::Span, "1 h", "How long a period is.", "\"1 min\""),
    key("boot", Form::SpanOrZero, "0", "How long it takes from the order until it is there.", "\"2 min\""),
];

const RETURNING: &[Key] = &[
    key("share", Form::Share, "required", "The share of those who leave that come again.", "\"30 %\""),
    key(
        "after",
        Form::Times(""),
        "required",
        "After how long.",
        "{ law = \"exponential\", mean = \"40 min\" }",
    ),
];

const SKIPPING: &[Key] = &[
    key("task", Form::Share, "0", "They skip the task.", "\"2 %\""),
    key("job", Form::Share, "0", "They skip the whole job.", "\"1 %\""),
    key("give_back", Form::Share, "0", "They give the task back.", "\"0.5 %\""),
    key("abandon", Form::Share, "0", "They walk away without a word, and the lease runs out.", "\"0.1 %\""),
    key("after", Form::Times(""), "0", "How long it takes them to skip or give back.", "\"5 s\""),
];

const PAUSING: &[Key] = &[
    key("share", Form::Share, "required", "The share of tasks after which there is one.", "\"5 %\""),
    key("length", Form::Times(""), "required", "How long it is.", "\"10 min\""),
];

const POOL: &[Key] = &[
    key("name", Form::Text, "everybody, if it is the only one", "What it is called.", "\"day shift\""),
    key(
        "serves",
        Form::Names("apps"),
        "all, if it is the only one",
        "The apps that its workers do.",
        "[\"moderation\"]",
    ),
    key(
        "tenant",
        Form::Name("a tenant"),
        "all",
        "Only this tenant's tasks. Such a pool goes before one for all.",
        "\"shop\"",
    ),
    key(
        "payer",
        Form::Name("a tenant, or shared"),
        "shared",
        "Who pays for waiting, training and machines; shared: by the shares of the work.",
        "\"shop\"",
    ),
    key(
        "workers",
        Form::PerKind,
        "as the crowd says",
        "Who is there at the beginning: a number of the first kind, or one by kind.",
        "{ editor = 11, gpu = 2 }",
    ),
    key(
        "shifts",
        Form::Tables("shift"),
        "none",
        "Who comes and goes by the clock.",
        "[{ workers = 5, from = \"8 h\", length = \"8 h\", every = \"1 d\" }]",
    ),
    key(
        "recommend",
        Form::OneOf("recommend"),
        "objective",
        "How the recommended size is found, which several policies follow.",
        "{ aim = \"wait\", wait = \"30 s\" }",
    ),
    key("window", Form::Span, "5 min", "Over how long rates are measured.", "\"3 min\""),
    key("settle_every", Form::Span, "15 min", "How often waiting and training are paid.", "\"1 h\""),
    key(
        "recruit_within",
        Form::Span,
        "five times what recruiting takes, at least 10 min",
        "A recruit that has not come by then is lost.",
        "\"30 min\"",
    ),
    key("balanced", Form::Flag, "true", "Whether workers may be moved into and out of it.", "false"),
    key("policy", Form::Table("policy"), "as for all pools", "Its own policies.", "{ scaling = \"static\" }"),
];

const SHIFT: &[Key] = &[
    key("kind", Form::Name("a kind of worker"), "the first", "Of which kind.", "\"editor\""),
    key("workers", Form::Whole, "required", "How many.", "5"),
    key("from", Form::SpanOrZero, "0", "When they come.", "\"8 h\""),
    key("length", Form::Span, "required", "How long they stay.", "\"8 h\""),
    key("every", Form::Span, "once", "They come again after so long.", "\"1 d\""),
];

const RECRUITING_MORE: &[Key] = &[
    key(
        "renew",
        Form::Span,
        "never",
        "A posting that has brought nobody after so long is put up anew: it is as fresh as at first.",
        "\"5 min\"",
    ),
    key("come", Form::Share, "1", "The share of recruits who come at all.", "\"80 %\""),
];

const STAYING_MORE: &[Key] = &[key(
    "drops",
    Form::Flag,
    "false",
    "Whether a task in hand is dropped when the time is over, rather than finished.",
    "true",
)];
