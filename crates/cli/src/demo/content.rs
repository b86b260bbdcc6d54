//! What the demo's tasks say, and what its crowd answers: pictures in words, replies, receipts and products, put together
//! from short lists. A task's true answer can be seen from the task alone, so that most of the crowd gets it right and a
//! person can as well. Start at [`Demo`].

use muster_bots::crowd::content::Content;
use serde_json::{Value, json};

use super::draw::Draw;
use super::words::{
    CURRENCIES, NAMES, PICTURES, PICTURES_REFUSED, PLACES, PRODUCTS, QUESTIONS, SHOPS, UNHELPFUL, WARES,
};

/// One of the crowd is wrong about so many tasks.
const WRONG_ONE_IN: u64 = 12;

/// The demo's words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Demo;

impl Content for Demo {
    fn task(&self, demand: &str, app: &str, number: u64) -> Value {
        let mut draw = Draw::of(demand, number);
        match app {
            "image moderation" => picture(&mut draw, number),
            "reply check" => reply(&mut draw),
            "receipts" => receipt(&mut draw, number),
            _ => product(&mut draw),
        }
    }

    fn answer(&self, app: &str, task: &Value, place: u32, person: u64) -> Value {
        let mut draw = Draw::of(app, person << 32 | u64::from(place));
        let wrong = draw.one_in(WRONG_ONE_IN);
        match app {
            "image moderation" => judged(task, wrong),
            "reply check" => checked(task, wrong),
            "receipts" => typed(task, wrong),
            _ => sorted(task, wrong.then_some(&mut draw)),
        }
    }

    fn name(&self, _kind: &str, number: u64) -> String {
        let round = number / NAMES.len() as u64;
        let name = NAMES[number as usize % NAMES.len()];
        if round == 0 { name.to_owned() } else { format!("{name} {}", round + 1) }
    }
}

fn text<'a>(task: &'a Value, field: &str) -> &'a str {
    task[field].as_str().unwrap_or_default()
}

fn picture(draw: &mut Draw, number: u64) -> Value {
    let shows = if draw.one_in(5) { draw.one(PICTURES_REFUSED).0 } else { draw.one(PICTURES) };
    json!({"picture": format!("IMG-{:05}", 10_000 + number), "shows": shows, "posted in": draw.one(PLACES)})
}

fn judged(task: &Value, wrong: bool) -> Value {
    let refused = PICTURES_REFUSED.iter().find(|(shows, _)| *shows == text(task, "shows"));
    match refused.filter(|_| !wrong) {
        Some((_, reason)) => json!({"decision": "remove it", "reasons": [reason]}),
        None => json!({"decision": "keep it", "reasons": []}),
    }
}

fn reply(draw: &mut Draw) -> Value {
    let (question, good) = *draw.one(QUESTIONS);
    let reply = if draw.one_in(3) { *draw.one(UNHELPFUL) } else { good };
    json!({"customer": draw.one(NAMES), "question": question, "reply": reply})
}

fn checked(task: &Value, wrong: bool) -> Value {
    let helps = UNHELPFUL.contains(&text(task, "reply")) == wrong;
    let note = if helps { "" } else { "Does not answer the question." };
    json!({"helps": if helps { "yes" } else { "no" }, "tone": if helps { "friendly" } else { "curt" }, "note": note})
}

/// Cents as people write them.
fn amount(cents: u64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

fn receipt(draw: &mut Draw, number: u64) -> Value {
    let (shop, currency) = (draw.one(SHOPS), draw.one(CURRENCIES));
    let day = format!("2026-{:02}-{:02}", draw.between(1, 12), draw.between(1, 28));
    let mut cents_sum = 0;
    let mut lines = vec![(*shop).to_owned(), format!("{day}   no. {}", 4000 + number)];
    for _ in 0..draw.between(2, 4) {
        let ware = draw.one(WARES);
        let cents = draw.between(120, 2_450);
        cents_sum += cents;
        lines.push(format!("{ware:<18}{:>9}", amount(cents)));
    }
    lines.push(format!("{:<18}{:>9}", format!("TOTAL {currency}"), amount(cents_sum)));
    json!({"receipt": lines.join("\n")})
}

/// Reads a receipt as a person would: the first line, the day, the last line.
fn typed(task: &Value, wrong: bool) -> Value {
    let lines: Vec<&str> = text(task, "receipt").lines().collect();
    let word = |line: usize, place: usize| {
        lines.get(line).and_then(|line| line.split_whitespace().nth(place)).unwrap_or_default()
    };
    let last = lines.len().saturating_sub(1);
    let total: f64 = word(last, 2).parse().unwrap_or(0.0);
    let total = if wrong { total * 10.0 } else { total };
    let shop = lines.first().copied().unwrap_or_default();
    json!({"shop": shop, "date": word(1, 0), "total": total, "currency": word(last, 1)})
}

fn product(draw: &mut Draw) -> Value {
    let (name, about, _) = draw.one(PRODUCTS);
    json!({"product": name, "description": about, "price": format!("{} EUR", amount(draw.between(500, 18_000)))})
}

fn sorted(task: &Value, wrong: Option<&mut Draw>) -> Value {
    let known = PRODUCTS.iter().find(|(name, ..)| *name == text(task, "product"));
    let (_, _, category) = wrong.map_or(known, |draw| Some(draw.one(PRODUCTS))).unwrap_or(&PRODUCTS[0]);
    json!({"category": category})
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What three in four of twenty people say to a task.
    fn most_say(app: &str, task: &Value) -> Value {
        let answers: Vec<Value> = (0..20).map(|person| Demo.answer(app, task, 3, person)).collect();
        let most = answers.iter().max_by_key(|it| answers.iter().filter(|other| other == it).count());
        let most = most.expect("twenty").clone();
        assert!(answers.iter().filter(|answer| **answer == most).count() >= 15, "{app} {task}");
        most
    }

    #[test]
    fn the_crowd_mostly_agrees_on_what_the_task_says() {
        for number in 0..50 {
            let task = Demo.task("expense receipts", "receipts", number);
            let said = most_say("receipts", &task);
            let receipt = text(&task, "receipt");
            assert!(receipt.starts_with(text(&said, "shop")) && receipt.contains(text(&said, "date")));
            let total = said["total"].as_f64().expect("a number");
            assert!(total > 0.0 && receipt.ends_with(&format!("{total:.2}")), "{receipt} {said}");
            for app in ["image moderation", "reply check", "product categories"] {
                most_say(app, &Demo.task("some", app, number));
            }
        }
    }

    #[test]
    fn pictures_that_must_go_are_removed_with_their_reason() {
        let (shows, reason) = PICTURES_REFUSED[0];
        let said = most_say("image moderation", &json!({"shows": shows}));
        assert_eq!(said, json!({"decision": "remove it", "reasons": [reason]}));
    }

    #[test]
    fn everybody_has_a_name_of_their_own() {
        let names: std::collections::BTreeSet<String> = (0..500).map(|n| Demo.name("crowd", n)).collect();
        assert_eq!(names.len(), 500);
    }
}
