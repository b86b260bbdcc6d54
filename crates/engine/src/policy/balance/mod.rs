//! Balance: should idle workers move to another pool? One policy looks at all pools that take part.
//! To add an answer: a new file here, and a line in [`ALL`].

pub mod none;
pub mod preference_aware;
pub mod random;

use crate::policy::{Controller, Entry};
use crate::state::pool::Pool;
use crate::view::View;

/// All balance policies.
pub const ALL: &[Entry<dyn Controller>] = &[none::ENTRY, random::ENTRY, preference_aware::ENTRY];

/// The pools between which workers may move.
fn pools(view: View<'_>) -> impl Iterator<Item = &Pool> {
    view.state.pools().iter().filter(|pool| pool.spec.balanced)
}
