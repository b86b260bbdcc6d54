//! steal-first: finish what has begun as fast as possible, then begin the next. Knows nothing of targets.

use super::TailPolicy;

/// Plain work stealing: every request runs on as many cores as it can use.
#[derive(Clone, Copy, Debug, Default)]
pub struct StealFirst;

impl TailPolicy for StealFirst {
    fn name(&self) -> &str {
        "steal-first"
    }
}
