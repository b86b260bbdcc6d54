//! What every scaling policy keeps to, whatever it wants: sizes, steps, and pauses between them.

use crate::ids::{KindId, WorkerId};
use crate::policy::Order;
use crate::policy::settings::{Reader, Setting, SettingError, Value};
use crate::state::worker::{Standing, Worker};
use crate::time::Span;
use crate::view::{Observation, View};

/// The settings that every scaling policy has.
pub const COMMON: [Setting; 7] = [
    Setting { name: "every", meaning: "How often the policy looks at the pool.", default: "10 s" },
    Setting { name: "kind", meaning: "The kind of worker to recruit and release.", default: "0" },
    Setting { name: "least", meaning: "The pool is never made smaller than this.", default: "0" },
    Setting { name: "most", meaning: "The pool is never made larger than this.", default: "100000" },
    Setting {
        name: "step_most",
        meaning: "At most so many workers are recruited or released at once.",
        default: "100000",
    },
    Setting { name: "cooldown", meaning: "After a change, nothing is changed for so long.", default: "none" },
    Setting {
        name: "count_in_flight",
        meaning: "Whether workers on their way count as being there.",
        default: "true",
    },
];

/// The common settings, with a policy's own after them.
#[must_use]
pub const fn with<const N: usize, const ALL: usize>(own: [Setting; N]) -> [Setting; ALL] {
    assert!(ALL == COMMON.len() + N, "all settings are the common ones and the policy's own");
    let mut all = [COMMON[0]; ALL];
    let mut i = 0;
    while i < ALL {
        all[i] = if i < COMMON.len() { COMMON[i] } else { own[i - COMMON.len()] };
        i += 1;
    }
    all
}

/// The limits of a pool's scaling.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How often the policy looks.
    pub every: Span,
    /// What is recruited and released.
    pub kind: KindId,
    least: u32,
    most: u32,
    step_most: u32,
    cooldown: Span,
    /// Whether workers on their way count.
    pub count_in_flight: bool,
}

impl Limits {
    /// Reads the common settings.
    pub fn read(reader: &Reader<'_>, view: View<'_>) -> Result<Self, SettingError> {
        let kinds = u32::try_from(view.state.kinds().len()).expect("kinds are numbered with 32 bits");
        let least = reader.whole("least", 0, 0, 10_000_000)?;
        Ok(Self {
            every: reader.span("every", Span::from_secs(10))?,
            kind: KindId(reader.whole("kind", 0, 0, kinds.saturating_sub(1))?),
            least,
            most: reader.whole("most", 100_000.max(least), least, 10_000_000)?,
            step_most: reader.whole("step_most", 100_000, 1, 10_000_000)?,
            cooldown: match reader.value("cooldown") {
                Some(Value::Text(text)) if text == "none" => Span::ZERO,
                _ => reader.span("cooldown", Span::ZERO)?,
            },
            count_in_flight: reader.flag("count_in_flight", true)?,
        })
    }

    /// How large the pool is for the policy.
    #[must_use]
    pub fn size(&self, seen: &Observation) -> u32 {
        seen.size(self.count_in_flight)
    }

    /// The orders for a change of so many workers, cut to the limits, and in words what was cut.
    #[must_use]
    pub fn orders(&self, wanted: i64, seen: &Observation, view: View<'_>) -> (Vec<Order>, &'static str) {
        let size = i64::from(self.size(seen));
        let target = (size + wanted).clamp(i64::from(self.least), i64::from(self.most));
        let step = (target - size).clamp(-i64::from(self.step_most), i64::from(self.step_most));
        let cooling = view.pool().scaled.is_some_and(|at| view.now() < at + self.cooldown);
        let cut = if step.abs() < wanted.abs() { "; cut to the limits" } else { "" };
        match step {
            0 => (Vec::new(), if wanted == 0 { "" } else { "; the limits allow no change" }),
            _ if cooling => (Vec::new(), "; cooling down"),
            1.. => {
                let n = u32::try_from(step).expect("no more than the most");
                (
                    vec![Order::Recruit { kind: self.kind, n }],
                    if step > wanted { "; up to the least size" } else { cut },
                )
            }
            _ => {
                let n = usize::try_from(-step).expect("no more than the size");
                let gone: Vec<Order> = idle(view, self.kind, n).into_iter().map(Order::Release).collect();
                let down = if step < wanted { "; down to the most size" } else { cut };
                let note = if gone.len() < n { "; only idle workers go" } else { down };
                (gone, note)
            }
        }
    }
}

/// Up to `n` idle workers of a kind, those first whose release saves most: machines nearest the end of what is paid, then
/// who has waited longest.
#[must_use]
pub fn idle(view: View<'_>, kind: KindId, n: usize) -> Vec<WorkerId> {
    let fits = |worker: &&Worker| worker.kind == kind && worker.standing == Standing::Idle;
    let mut idle: Vec<&Worker> = view.workers().filter(fits).collect();
    idle.sort_by_key(|worker| (worker.billed_until, worker.idle_seq));
    idle.into_iter().take(n).map(|worker| worker.id).collect()
}
