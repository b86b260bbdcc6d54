//! Looking ahead: what it forecasts, whom it counts on, and how it lets people go.

use expect_test::expect;

use crate::story::check;

/// A task every second that takes ten: about ten are busy. The pool is short, so it calls for people; when it looks again
/// those on their way count in part, as some of them may come late.
#[test]
fn it_calls_for_as_many_as_will_be_missing() {
    check(
        "
        tenant ann
        app tag
        kind person
        pool p serves tag window 1min prior 10s scaling look-ahead,every=10s,within=10s,delay=30s,caution=0
        submit j ann tag 10
        at 10s
        submit k ann tag 10
        at 20s
        submit l ann tag 10
        at 30s
        ",
        expect![[""]],
    );
}

/// Nothing comes any more: a part of those who are idle goes at each look, never all at once.
#[test]
fn people_who_are_not_needed_go_by_and_by() {
    check(
        "
        tenant ann
        app tag
        kind person
        pool p serves tag window 1min prior 1s scaling look-ahead,every=10s,within=10s,delay=30s,release=0.5,least=1
        join a b c d e f g h p person
        ask a b c d e f g h
        at 10s
        at 20s
        at 30s
        at 40s
        ",
        expect![[""]],
    );
}

/// Many more come than chance explains: the forecast jumps at once, rather than creep.
#[test]
fn a_surprise_is_a_new_level() {
    check(
        "
        tenant ann
        app tag
        kind person
        pool p serves tag window 1min prior 2s scaling look-ahead,every=10s,within=2s,delay=30s,caution=0
        join a b c p person
        submit j ann tag 10 takes 2s
        work 10s
        submit k ann tag 10 takes 2s
        work 20s
        submit l ann tag 100 takes 2s
        at 30s
        ",
        expect![[""]],
    );
}

/// What is wrong is refused with what is allowed.
#[test]
fn settings_are_checked() {
    check(
        "
        usual
        set p scaling look-ahead,share=1.5
        set p scaling look-ahead,dely=30s
        ",
        expect![[""]],
    );
}
