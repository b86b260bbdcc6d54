//! Policies that are refused, with what is allowed and what was probably meant.

use expect_test::expect;
use muster_engine::policy::Registry;

use crate::story::tell;

/// The policy in use stays. Only a few policies are known here, so that the story stays as it is when there are more.
#[test]
fn a_wrong_policy_is_refused_with_what_is_meant() {
    let mut registry = Registry::default();
    registry.dispatch.retain(|entry| ["fifo", "fair"].contains(&entry.name));
    registry.matching.retain(|entry| entry.name == "longest-waiting");
    registry.replacement.retain(|entry| entry.name == "none");
    registry.balance.retain(|entry| entry.name == "none");
    let script = "
        usual
        set p dispatch fiar
        set p dispatch lottery
        set p dispatch fifo,share=time
        set p dispatch fair,betwen=jobs
        set p dispatch fair,between=people
        set p dispatch fair,half_life=5
        set p scaling pid-size,kp=-1
        set p scaling pid-size,kind=7
        set p scaling static,least=5,most=3
        set p replacement some
        set balance everybody
        set p matching nearest
        pool q serves #9 dispatch fiar
    ";
    expect![[r#"
        0s       refused: there is no dispatch policy 'fiar' (did you mean 'fair'?); there are fifo, fair
        0s       refused: there is no dispatch policy 'lottery'; there are fifo, fair
        0s       refused: fifo has no setting 'share'; it has none
        0s       refused: fair has no setting 'betwen' (did you mean 'between'?); it has between, share, half_life
        0s       refused: fair: between is 'people'; allowed is tenants or jobs
        0s       refused: fair: half_life is 5; allowed is a length of time above zero, such as 90 s or 1.5 h
        0s       refused: pid-size: kp is -1; allowed is a number from 0 to 1000
        0s       refused: pid-size: kind is 7; allowed is a whole number from 0 to 0
        0s       refused: static: most is 3; allowed is a whole number from 5 to 10000000
        0s       refused: there is no replacement policy 'some' (did you mean 'none'?); there are none
        0s       refused: there is no balance policy 'everybody'; there are none
        0s       refused: there is no matching policy 'nearest'; there are longest-waiting
        0s       refused: there is no app 9
    "#]].assert_eq(&tell(script, registry));
}
