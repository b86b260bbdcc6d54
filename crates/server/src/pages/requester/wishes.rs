//! What a requester says of a new job: the fields of a form, read one by one, so that each can be shown again with what is wrong
//! with it. Knows no upload.

use std::collections::BTreeMap;

use muster_engine::money::Money;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::Error;

use super::super::form::Fields;
use crate::http::uploads::About;
use crate::problem::{Answer, Problem};
use crate::wire::Amount;

/// The fields of the form that have a place for what is wrong with them.
const PLACES: [&str; 6] = ["name", "price", "slots", "priority", "budget", "template"];

/// The largest priority that pages take.
pub(super) const PRIORITY_MOST: u32 = 1_000_000;

/// The longest name of a job, in letters.
const NAME_MOST: usize = 200;

/// The fields as they were filled in.
#[derive(Clone, Debug, Default)]
pub(super) struct Wishes {
    pub(super) name: String,
    pub(super) price: String,
    pub(super) slots: String,
    pub(super) priority: String,
    pub(super) budget: String,
    pub(super) template: String,
    /// Which row the preview shows, from 1.
    pub(super) row: String,
    /// What is wrong, by field; by nothing if it is no field's.
    pub(super) wrong: BTreeMap<&'static str, String>,
}

/// The fields as they are meant.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Meant {
    pub(super) name: String,
    pub(super) price: Money,
    pub(super) slots: u8,
    pub(super) priority: u32,
    pub(super) budget: Option<Money>,
}

impl Wishes {
    /// What the form begins with.
    pub(super) fn new(name: &str, template: &str) -> Self {
        let text = str::to_owned;
        Self {
            name: text(name),
            price: text("0.05"),
            slots: text("1"),
            priority: text("1"),
            row: text("1"),
            template: text(template),
            ..Self::default()
        }
    }

    /// What came with the form. Line ends of the page are those of its author, not those of forms.
    pub(super) fn of(fields: &Fields) -> Self {
        let get = |name: &str| fields.get(name).to_owned();
        Self {
            name: get("name"),
            price: get("price"),
            slots: get("slots"),
            priority: get("priority"),
            budget: get("budget"),
            template: get("template").replace("\r\n", "\n"),
            row: get("row"),
            wrong: BTreeMap::new(),
        }
    }

    /// The row that the preview shows, from 0.
    pub(super) fn place(&self) -> u32 {
        self.row.parse::<u32>().unwrap_or(1).saturating_sub(1)
    }

    /// The fields as they are meant; what cannot be read is noted with its field.
    pub(super) fn meant(&mut self) -> Option<Meant> {
        let mut note = |field: &'static str, problem: Problem| {
            self.wrong.insert(field, problem.detail.clone());
        };
        if self.name.chars().count() > NAME_MOST {
            note(
                "name",
                Problem::field(
                    "name",
                    format!("{} letters long", self.name.chars().count()),
                    "at most 200 letters",
                ),
            );
        }
        let price = amount("price", &self.price).map_err(|problem| note("price", problem)).ok();
        let slots = whole("slots", "answers per task", &self.slots, 255)
            .map_err(|problem| note("slots", problem))
            .ok();
        let priority = whole("priority", "priority", &self.priority, PRIORITY_MOST)
            .map_err(|problem| note("priority", problem))
            .ok();
        let budget = match self.budget.as_str() {
            "" => Some(None),
            said => amount("budget", said).map(Some).map_err(|problem| note("budget", problem)).ok(),
        };
        let meant = Meant {
            name: self.name.clone(),
            price: price?,
            slots: u8::try_from(slots?).unwrap_or(u8::MAX),
            priority: priority?,
            budget: budget?,
        };
        self.wrong.is_empty().then_some(meant)
    }

    /// Notes a problem with its field, if the form has a place for it.
    pub(super) fn blame(&mut self, problem: &Problem) {
        let field = problem.field.as_deref().unwrap_or_default();
        let place = PLACES.into_iter().find(|place| *place == field).unwrap_or("");
        self.wrong.insert(place, problem.detail.clone());
    }

    /// What is wrong with a field.
    pub(super) fn error(&self, field: &str) -> Option<&str> {
        self.wrong.get(field).map(String::as_str)
    }
}

impl Meant {
    /// As the API has it.
    pub(super) fn about(&self, tenant: &str, app: u32) -> About {
        About {
            tenant: Some(tenant.to_owned()),
            name: self.name.clone(),
            app: app.to_string(),
            format: None,
            priority: Some(self.priority),
            price: Amount(self.price),
            slots: Some(self.slots),
            budget: self.budget.map(Amount),
            expected: None,
        }
    }
}

/// An amount of money, not negative. A comma may stand for the point.
pub(super) fn amount(field: &str, said: &str) -> Answer<Money> {
    let allowed = "a number from 0 to 1000000000 with at most 6 decimals, as in 0.05";
    let wrong = || {
        Problem::field(field, if said.is_empty() { "empty".to_owned() } else { format!("'{said}'") }, allowed)
    };
    let units: f64 = said.replace(',', ".").parse().map_err(|_| wrong())?;
    let read: Result<Amount, Error> = Amount::deserialize(units.into_deserializer());
    read.ok().map(|amount| amount.0).filter(|amount| amount.0 >= 0).ok_or_else(wrong)
}

/// A whole number from 1 on.
pub(super) fn whole(field: &str, label: &str, said: &str, most: u32) -> Answer<u32> {
    let n = said.parse().ok().filter(|n| (1..=most).contains(n));
    n.ok_or_else(|| {
        let mut problem =
            Problem::field(label, format!("'{said}'"), &format!("a whole number from 1 to {most}"));
        problem.field = Some(field.to_owned());
        problem
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wishes(price: &str, slots: &str, budget: &str) -> Wishes {
        let mut wishes = Wishes::new("cats", "");
        (wishes.price, wishes.slots, wishes.budget) = (price.to_owned(), slots.to_owned(), budget.to_owned());
        wishes
    }

    #[test]
    fn fields_are_read_or_each_is_blamed() {
        let meant = wishes("0,05", "3", "12").meant().unwrap();
        assert_eq!((meant.price, meant.slots, meant.budget), (Money(50_000), 3, Some(Money(12_000_000))));
        assert_eq!(wishes("0", "1", "").meant().unwrap().budget, None);
        let mut wrong = wishes("-1", "0", "much");
        assert_eq!(wrong.meant(), None);
        assert_eq!(wrong.wrong.keys().copied().collect::<Vec<_>>(), ["budget", "price", "slots"]);
        assert_eq!(
            wrong.error("slots"),
            Some("answers per task is '0'; allowed is a whole number from 1 to 255")
        );
        assert!(wishes("0.0000001", "1", "").meant().is_none() && wishes("nan", "1", "").meant().is_none());
    }

    #[test]
    fn a_refusal_goes_to_its_field_or_to_the_top() {
        let mut it = wishes("1", "1", "");
        it.blame(&Problem::field("slots", 9, "1 to 8"));
        it.blame(&Problem::conflict("no room"));
        assert_eq!((it.error("slots").is_some(), it.error("")), (true, Some("no room")));
    }
}
