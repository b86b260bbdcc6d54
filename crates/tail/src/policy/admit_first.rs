//! admit-first: begin every request at once, help others only when none waits. Knows nothing of targets.

use super::{Load, Order, TailPolicy};

/// Begins new requests before it helps those that run.
#[derive(Clone, Copy, Debug, Default)]
pub struct AdmitFirst;

impl TailPolicy for AdmitFirst {
    fn name(&self) -> &str {
        "admit-first"
    }
    fn order(&self, _load: &Load) -> Order {
        Order::AdmitFirst
    }
}
