//! What happens at equal times: replacement, then scaling, then balance, each seeing the recruits of those before.

use expect_test::expect;
use muster_engine::Span;
use muster_engine::fact::Assessment;
use muster_engine::ids::KindId;
use muster_engine::policy::settings::{Reader, SettingError};
use muster_engine::policy::{Advice, Controller, Entry, Order, Start};
use muster_engine::random::Draws;
use muster_engine::view::View;

use crate::story::tell;

pub(crate) const ONE_MORE: Entry<dyn Controller> = Entry {
    name: "sketch-one-more",
    about: "Calls for one worker, every 10 s, with a draw that decides nothing.",
    settings: &[],
    version: 1,
    start,
};

#[derive(Debug)]
struct OneMore;

fn start(start: Start<'_>) -> Result<Box<dyn Controller>, SettingError> {
    Reader::new(start.spec, ONE_MORE.settings)?;
    Ok(Box::new(OneMore))
}

impl Controller for OneMore {
    fn every(&self) -> Option<Span> {
        Some(Span::from_secs(10))
    }

    fn advise(&self, _view: View<'_>, draws: &mut Draws) -> Advice {
        let reason = format!("one more, by lot {:.3}", draws.unit());
        let orders = vec![Order::Recruit { kind: KindId(0), n: 1 }];
        Advice { assessment: Assessment { reason, output: 1.0, ..Assessment::default() }, orders }
    }

    fn note(&mut self, _assessment: &Assessment, _view: View<'_>) {}
}

/// Four are wanted. Replacement has called for one: scaling calls for three, not four. Then balance looks.
#[test]
fn replacement_goes_before_scaling_before_balance() {
    let script = "
        usual
        set balance preference-aware,every=10s
        set p scaling static,size=4,every=10s
        set p replacement sketch-one-more
        at 10s
        at 20s
    ";
    expect![[r#"
        0s       balance is preference-aware
        0s       p has scaling static
        0s       p has replacement sketch-one-more
        10s      p replacement: one more, by lot 0.479 (error 0, output 1, 1 orders)
        10s      r0: 1 person for p by 10min10s
        10s      p scaling: to keep 4, have 1 (error 3, output 3, 1 orders)
        10s      r1: 3 person for p by 10min10s
        10s      balance: nobody waits who could move (error 0, output 0, 0 orders)
        20s      p replacement: one more, by lot 0.750 (error 0, output 1, 1 orders)
        20s      r2: 1 person for p by 10min20s
        20s      p scaling: to keep 4, have 5; only idle workers go (error -1, output -1, 0 orders)
        20s      balance: nobody waits who could move (error 0, output 0, 0 orders)
    "#]]
    .assert_eq(&tell(script, super::registry()));
}
