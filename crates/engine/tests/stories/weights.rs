//! `weighted-fair`: shares in proportion to tenants' weights and jobs' priorities.

use expect_test::expect;

use crate::story::check;

/// Ann weighs 3, bob 1: of eight slots ann has six. Among ann's, the job of priority 2 has twice as many as the other.
#[test]
fn tenants_by_weight_and_then_their_jobs_by_priority() {
    check(
        "
        tenant ann weight 3
        tenant bob
        app tag
        kind person
        pool p serves tag dispatch weighted-fair
        submit j ann tag 9
        submit k ann tag 9 priority 2
        submit b bob tag 9 priority 9
        join s t u v w x y z p person
        hand s t u v w x y z
        show why z
        show job j
        show job k
        show job b
        ",
        expect![[r#"
            0s       ann submits j: 9 tasks
            0s       ann submits k: 9 tasks
            0s       bob submits b: 9 tasks
            0s       s joins p
            0s       t joins p
            0s       u joins p
            0s       v joins p
            0s       w joins p
            0s       x joins p
            0s       y joins p
            0s       z joins p
            0s       handed: s j.0, t b.0, u k.0, v k.1, w b.1, x j.1, y k.2, z k.3
            0s       z, because: the least share of the workers for its weight, of those with something for this worker
            0s       j: share 2.000
            0s       k: share 2.000
            0s       b: share 0.222
        "#]],
    );
}

/// Between jobs alone a job weighs its priority times its tenant's weight: 3, 6 and 9 of eighteen.
#[test]
fn between_jobs_the_weight_is_priority_times_tenant() {
    check(
        "
        tenant ann weight 3
        tenant bob
        app tag
        kind person
        pool p serves tag dispatch weighted-fair,between=jobs
        submit j ann tag 99 takes 1s
        submit k ann tag 99 priority 2 takes 1s
        submit b bob tag 99 priority 9 takes 1s
        join c d e f g h i l m n o p q r s t u v p person
        hand c d e f g h i l m n o p q r s t u v
        show job j
        show job k
        show job b
        ",
        expect![[r#"
            0s       ann submits j: 99 tasks
            0s       ann submits k: 99 tasks
            0s       bob submits b: 99 tasks
            0s       c joins p
            0s       d joins p
            0s       e joins p
            0s       f joins p
            0s       g joins p
            0s       h joins p
            0s       i joins p
            0s       l joins p
            0s       m joins p
            0s       n joins p
            0s       o joins p
            0s       p joins p
            0s       q joins p
            0s       r joins p
            0s       s joins p
            0s       t joins p
            0s       u joins p
            0s       v joins p
            0s       handed: c j.0, d k.0, e b.0, f b.1, g k.1, h b.2, i j.1, l k.2, m b.3, n b.4, o k.3, p b.5, q j.2, r k.4, s b.6, t b.7, u k.5, v b.8
            0s       j: share 1.000
            0s       k: share 1.000
            0s       b: share 1.000
        "#]],
    );
}

/// Three slots each at weights 1 and 1; then bob weighs 3 and gets the next six. A job's priority does the same among his own.
#[test]
fn weights_and_priorities_set_while_running_count_at_once() {
    check(
        "
        usual
        set p dispatch weighted-fair
        submit j ann tag 99
        submit k bob tag 99
        submit l bob tag 99
        join c d e f g h p person
        hand c d e f g h
        set tenant bob weight 3
        join i m n o q r p person
        hand i m n o q r
        priority l 3
        join s t u v p person
        hand s t u v
        ",
        expect![[r#"
            0s       p has dispatch weighted-fair
            0s       ann submits j: 99 tasks
            0s       bob submits k: 99 tasks
            0s       bob submits l: 99 tasks
            0s       c joins p
            0s       d joins p
            0s       e joins p
            0s       f joins p
            0s       g joins p
            0s       h joins p
            0s       handed: c j.0, d k.0, e j.1, f l.0, g j.2, h k.1
            0s       i joins p
            0s       m joins p
            0s       n joins p
            0s       o joins p
            0s       q joins p
            0s       r joins p
            0s       handed: i l.1, m k.2, n l.2, o k.3, q l.3, r k.4
            0s       l has priority 3
            0s       s joins p
            0s       t joins p
            0s       u joins p
            0s       v joins p
            0s       handed: s j.3, t l.4, u l.5, v l.6
        "#]],
    );
}

/// Of dispatches ann has three quarters, and since her tasks are longer, more of the time.
#[test]
fn weights_in_dispatches() {
    check(
        "
        tenant ann weight 3
        tenant bob
        app tag
        kind person
        pool p serves tag dispatch weighted-fair,share=dispatches
        submit j ann tag 9999 takes 8s
        submit k bob tag 9999 takes 2s
        join a p person
        work 2000s
        ",
        expect![[r#"
            0s       ann submits j: 9999 tasks
            0s       bob submits k: 9999 tasks
            0s       a joins p
            33min20s worked: ann 230 in 30min46s, bob 77 in 2min34s
        "#]],
    );
}

/// Of worker-time ann has three quarters, though her tasks are longer.
#[test]
fn weights_in_time() {
    check(
        "
        tenant ann weight 3
        tenant bob
        app tag
        kind person
        pool p serves tag dispatch weighted-fair,share=time,half_life=100h
        submit j ann tag 9999 takes 8s
        submit k bob tag 9999 takes 2s
        join a p person
        work 2000s
        ",
        expect![[r#"
            0s       ann submits j: 9999 tasks
            0s       bob submits k: 9999 tasks
            0s       a joins p
            33min20s worked: ann 187 in 25min, bob 250 in 8min20s
        "#]],
    );
}
