//! Who works, in words: kinds of worker and how they behave.

use muster_engine::spec::Role;

use super::Teller;
use super::words::{is_nothing, list, money, number, numbers, share, times};
use crate::law::Law;
use crate::model::{Kind, Likes};

impl Teller<'_> {
    pub(super) fn crowd(&self) -> Vec<String> {
        self.setup.kinds.iter().map(|kind| self.kind(kind)).collect()
    }

    fn kind(&self, kind: &Kind) -> String {
        let mut sentences = vec![self.pay(kind)];
        if (kind.spec.speed - 1.0).abs() > 1e-9 || kind.speed != Law::Fixed(1.0) {
            let differ = if kind.speed == Law::Fixed(1.0) { "" } else { ", more or less" };
            sentences.push(format!("They work {} times as fast as usual{differ}.", number(kind.spec.speed)));
        }
        if let Some(most) = kind.spec.most {
            sentences.push(format!("There are no more than {most}."));
        }
        sentences.push(recruiting(kind));
        sentences.extend(leaving(kind));
        sentences.extend(self.habits(kind));
        if !kind.trained && self.setup.apps.iter().any(|app| !is_nothing(&app.training)) {
            sentences.push("Who comes has to learn first.".to_owned());
        }
        sentences.join(" ")
    }

    fn pay(&self, kind: &Kind) -> String {
        match kind.spec.role {
            Role::Machine { period, cost } => {
                format!(
                    "Machines '{}' cost {} for every {period} begun.",
                    kind.name,
                    money(cost, self.currency)
                )
            }
            Role::Person { wage_waiting, wage_training }
                if wage_waiting.is_zero() && wage_training.is_zero() =>
            {
                format!("Workers '{}' get no wage for waiting.", kind.name)
            }
            Role::Person { wage_waiting, wage_training } => {
                let training = if wage_training == wage_waiting {
                    " and for training".to_owned()
                } else {
                    format!(", and {} for training", money(wage_training, self.currency))
                };
                let wage = money(wage_waiting, self.currency);
                format!("Workers '{}' get {wage} per hour for waiting{training}.", kind.name)
            }
        }
    }

    fn habits(&self, kind: &Kind) -> Vec<String> {
        let mut all = Vec::new();
        if kind.pausing.share > 0.0 {
            let (share, length) = (share(kind.pausing.share), times(&kind.pausing.law));
            all.push(format!("After {share} of tasks they pause for {length}."));
        }
        let skipping = &kind.skipping;
        let parts = [
            (skipping.task, "skip the task"),
            (skipping.job, "skip the job"),
            (skipping.give_back, "give it back"),
            (skipping.abandon, "walk away from it"),
        ];
        let parts = parts.iter().filter(|(part, _)| *part > 0.0);
        let parts: Vec<String> = parts.map(|(part, what)| format!("{} {what}", share(*part))).collect();
        if !parts.is_empty() {
            all.push(format!("Of those who get a task, {}.", list(&parts)));
        }
        if let Likes::Each { apps, others } = &kind.likes {
            let named =
                apps.iter().map(|(app, law)| format!("'{}' {}", self.setup.apps[*app].name, numbers(law)));
            let rest = (apps.len() < self.setup.apps.len()).then(|| format!("others {}", numbers(others)));
            let likes: Vec<String> = named.chain(rest).collect();
            all.push(format!("How much they like apps, from 0 to 1: {}.", list(&likes)));
        }
        all
    }
}

fn recruiting(kind: &Kind) -> String {
    let recruiting = &kind.recruiting;
    let who = match kind.spec.role {
        Role::Person { .. } => "Who is called for",
        Role::Machine { .. } => "One that is ordered",
    };
    if is_nothing(&recruiting.delay) && recruiting.come >= 1.0 {
        return format!("{who} is there at once.");
    }
    let mut text = format!("{who} is there after {}", times(&recruiting.delay));
    if let Some(renew) = recruiting.renew {
        text.push_str(&format!(", and a posting is renewed after {renew}"));
    }
    if recruiting.come < 1.0 {
        text.push_str(&format!("; {} come at all", share(recruiting.come)));
    }
    text.push('.');
    text
}

fn leaving(kind: &Kind) -> Vec<String> {
    let leaving = &kind.leaving;
    let mut all = Vec::new();
    if let Some(staying) = &leaving.staying {
        let task = if staying.drops { " and drop what they have in hand" } else { "" };
        all.push(format!("They stay for {}{task}.", times(&staying.law)));
    }
    if leaving.after_task > 0.0 {
        all.push(format!("They leave after a task in {} of cases.", share(leaving.after_task)));
    }
    if let Some(tasks) = &leaving.tasks {
        all.push(format!("They leave when they have done so many tasks: {}.", numbers(tasks)));
    }
    if let Some(bored) = &leaving.bored {
        all.push(format!("They leave when they have waited for {}.", times(bored)));
    }
    if all.is_empty() {
        all.push("They stay to the end.".to_owned());
    }
    if let Some(returning) = &kind.returning {
        all.push(format!("{} of them come again after {}.", share(returning.share), times(&returning.after)));
    }
    all
}
