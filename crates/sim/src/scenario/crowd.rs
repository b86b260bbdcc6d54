//! Kinds of worker and how they behave, as it is written: `[crowd]` for all people, `[[kind]]` for each kind.
//!
//! A kind of person takes from the crowd what it does not say itself; a machine takes nothing from it. Start at
//! [`read_all`].

use muster_engine::Span;
use muster_engine::money::Money;
use muster_engine::spec::{KindSpec, Role};
use muster_formats::document::{Given, Table};
use muster_formats::quantity::MoneyRate;

use super::law::{self, Of};
use super::{Context, Names, Places};
use crate::law::Law;
use crate::model::{Kind, Leaving, Likes, Pausing, Recruiting, Returning, Skipping, Staying};

/// There are no more workers of a kind than this.
pub(super) const WORKERS_MOST: u32 = 10_000_000;

/// All kinds; people as the crowd is, if none is named.
pub(super) fn read_all<'d>(
    crowd: Option<Table<'d>>,
    tables: &[Table<'d>],
    names: &Names,
    cx: &Context<'_>,
    places: &mut Places<'d>,
) -> Vec<Kind> {
    let reader = Reader { names, cx };
    if let Some(crowd) = crowd {
        // What all people share is read also if every kind says something else, so that slips in it are found.
        let _ = reader.person(crowd, "people");
    }
    if tables.is_empty() {
        let alone = |name: &String| match crowd {
            Some(crowd) => {
                places.put(format!("kind '{name}'"), crowd);
                reader.person(crowd, name)
            }
            None => Kind { trained: false, ..Kind::steady(name, KindSpec::person(Money::ZERO)) },
        };
        return names.kinds.iter().map(alone).collect();
    }
    let kind = |(name, table): (&String, &Table<'d>)| {
        places.put(format!("kind '{name}'"), *table);
        match (table.value("machine"), crowd) {
            (Some(_), _) => reader.machine(*table, name),
            (None, Some(crowd)) => reader.person(crowd.overlaid(*table, &["workers"]), name),
            (None, None) => reader.person(*table, name),
        }
    };
    names.kinds.iter().zip(tables).map(kind).collect()
}

struct Reader<'a, 'c> {
    names: &'a Names,
    cx: &'a Context<'c>,
}

impl Reader<'_, '_> {
    /// Paid by the answer, and a wage for waiting and training.
    fn person(&self, table: Table<'_>, name: &str) -> Kind {
        let wage_waiting = wage(table.money_rate("wage_waiting")).unwrap_or(Money::ZERO);
        let wage_training = wage(table.money_rate("wage_training")).unwrap_or(wage_waiting);
        self.kind(table, name, Role::Person { wage_waiting, wage_training }, Span::ZERO)
    }

    /// Paid by the billing period.
    fn machine(&self, table: Table<'_>, name: &str) -> Kind {
        let (role, boot) = table.table("machine").optional().map_or_else(
            || (Role::Machine { period: Span::from_hours(1), cost: Money::ZERO }, Span::ZERO),
            role_of_machine,
        );
        self.kind(table, name, role, boot)
    }

    fn kind(&self, table: Table<'_>, name: &str, role: Role, boot: Span) -> Kind {
        let speed = law::at(table, "speed", Of::Number, self.cx).unwrap_or(Law::Fixed(1.0));
        let mean = speed.mean();
        if !(1e-6..=1e6).contains(&mean) {
            table.complain("speed", "allowed is a number above 0, up to 1000000, such as 1.2");
        }
        let most = table.integer("most", 0..=WORKERS_MOST).optional();
        Kind {
            name: name.to_owned(),
            spec: KindSpec { role, speed: mean.clamp(1e-6, 1e6), boot, most },
            speed: speed.scaled(1.0 / mean.clamp(1e-6, 1e6)),
            recruiting: self.recruiting(table, boot),
            leaving: self.leaving(table),
            returning: self.returning(table),
            likes: self.likes(table),
            skipping: self.skipping(table),
            pausing: self.pausing(table),
            trained: table.flag("trained").or(matches!(role, Role::Machine { .. })),
        }
    }

    /// A law, and in the same table what becomes of postings.
    fn recruiting(&self, table: Table<'_>, boot: Span) -> Recruiting {
        let usual = Recruiting { delay: Law::Fixed(boot.as_secs_f64()), renew: None, come: 1.0 };
        let Some(value) = table.value("recruiting") else { return usual };
        let inner = value.as_table();
        Recruiting {
            renew: inner.and_then(|inner| inner.span("renew").optional()),
            come: inner.map_or(1.0, |inner| inner.share("come").or(1.0)),
            delay: law::of_value(&value, Of::Time, self.cx).unwrap_or(usual.delay),
        }
    }

    fn leaving(&self, table: Table<'_>) -> Leaving {
        let time = |key: &str| law::at(table, key, Of::Time, self.cx);
        let drops = table.value("staying").and_then(|value| value.as_table());
        let drops = drops.is_some_and(|staying| staying.flag("drops").or(false));
        Leaving {
            after_task: table.share("leaves_after_task").or(0.0),
            staying: time("staying").map(|law| Staying { law, drops }),
            tasks: law::at(table, "participation", Of::Count, self.cx),
            bored: time("bored"),
        }
    }

    fn returning(&self, table: Table<'_>) -> Option<Returning> {
        let returning = table.table("returning").optional()?;
        let share = returning.share("share").required();
        let after = law::required(returning, "after", Of::Time, self.cx);
        Some(Returning { share: share?, after: after? })
    }

    /// A number or law for all apps, or one for each by name with `others` for the rest; or `shares` of one liking.
    fn likes(&self, table: Table<'_>) -> Likes {
        let Some(value) = table.value("likes") else { return Likes::None };
        let by_app = value.as_table().filter(|likes| !likes.has("law"));
        let Some(by_app) = by_app else {
            let others = law::of_value(&value, Of::Number, self.cx);
            return others.map_or(Likes::None, |others| Likes::Each { apps: Vec::new(), others });
        };
        if by_app.has("shares") {
            let law = law::at(by_app, "shares", Of::Number, self.cx);
            return law.map_or(Likes::None, Likes::Shares);
        }
        let apps = self.names.apps.iter().enumerate();
        let law = |(place, app): (usize, &String)| Some((place, law::at(by_app, app, Of::Number, self.cx)?));
        let apps = apps.filter_map(law).collect();
        let others = law::at(by_app, "others", Of::Number, self.cx).unwrap_or(Law::Fixed(0.0));
        Likes::Each { apps, others }
    }

    fn skipping(&self, table: Table<'_>) -> Skipping {
        let Some(skipping) = table.table("skipping").optional() else { return Skipping::default() };
        let share = |key: &str| skipping.share(key).or(0.0);
        let (task, job, give_back, abandon) =
            (share("task"), share("job"), share("give_back"), share("abandon"));
        if task + job + give_back + abandon > 1.0 {
            skipping.complain("task", "task, job, give_back and abandon together must be at most 1");
        }
        let after = law::at(skipping, "after", Of::Time, self.cx).unwrap_or(Law::Fixed(0.0));
        if give_back >= 1.0 && after.mean() <= 0.0 {
            let text =
                "if everybody gives every task back (1), `after` must say after how long, more than 0 s";
            skipping.complain("give_back", text);
        }
        Skipping { task, job, give_back, abandon, after }
    }

    fn pausing(&self, table: Table<'_>) -> Pausing {
        let Some(pausing) = table.table("pausing").optional() else { return Pausing::default() };
        let share = pausing.share("share").required_or(0.0);
        let law = law::required(pausing, "length", Of::Time, self.cx).unwrap_or(Law::Fixed(0.0));
        Pausing { share, law }
    }
}

/// What a period costs, and how long it takes to start.
fn role_of_machine(machine: Table<'_>) -> (Role, Span) {
    let cost = machine.money("cost").required_or(Money::ZERO);
    let whole = "a length of time of at least 1 s, such as 1 h";
    let every = machine.span("every").check(|every| *every >= Span::from_secs(1), whole);
    let period = every.or(Span::from_hours(1));
    (Role::Machine { period, cost }, machine.span_or_zero("boot").or(Span::ZERO))
}

fn wage(given: Given<'_, MoneyRate>) -> Option<Money> {
    given
        .and_then(|rate| {
            Ok(rate.per_hour()).and_then(|wage| match wage <= Money::MOST {
                true => Ok(wage),
                false => Err("at most 1000000 per hour".to_owned()),
            })
        })
        .optional()
}
