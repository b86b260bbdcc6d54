//! The hard claims about tail-control, in virtual time and in arithmetic; and properties that every run must have.

use muster_tail::policy::Finished;
use muster_tail::sim::{
    Arrivals, Law, Offer, Outcome, Setup, Shape, Victims, misses, percentile, run, summary, workload,
};
use muster_tail::table::{active_max_generous, active_mean};
use muster_tail::{
    AdmitFirst, Bin, Goal, KnownWork, Load, Model, Progress, RandomPlacement, StealFirst, Table, TableError,
    TailControl, TailPolicy, Work,
};
use proptest::prelude::*;

const LOG_NORMAL: Law = Law::LogNormal { mean: 10.0, sd: 13.0 };

fn long() -> bool {
    std::env::var("MUSTER_LONG").is_ok_and(|value| value == "1")
}

fn setup(cores: usize, shape: Shape) -> Setup {
    Setup { cores, shape, victims: Victims::Random(7), trace: false }
}

fn offers(law: Law, rate: f64, count: usize) -> Vec<Offer> {
    workload(&law, &Arrivals::Poisson { rate }, count, 3)
}

fn work(law: &Law) -> Work {
    let sample = law.sample(99, 50_000);
    let largest = sample.iter().copied().fold(1.0, f64::max);
    Work::observed(&sample, largest.ceil() as usize).expect("a sound sample")
}

fn model(target: f64) -> Model {
    Model { target, rate: 1.2, cores: 16, work: work(&LOG_NORMAL) }
}

#[test]
fn neither_steal_first_nor_admit_first_is_always_better() {
    let ratios = |large: f64| {
        let rate = 0.65 * 16.0 / (0.98 + 0.02 * large);
        let offers = offers(Law::TwoSizes { large }, rate, 10_000);
        let setup = setup(16, Shape::one_loop(1.0 / 16.0));
        let steal_first = run(&setup, &StealFirst, &offers).latencies;
        let admit_first = run(&setup, &AdmitFirst, &offers).latencies;
        [0.9, 0.95, 0.975, 0.99, 0.9975].map(|tail| {
            let target = percentile(&steal_first, tail);
            misses(&admit_first, target) as f64 / misses(&steal_first, target) as f64
        })
    };
    let (short, long) = (ratios(5.0), ratios(100.0));
    assert!(short.iter().all(|ratio| *ratio > 1.2), "short tail: steal-first is better: {short:?}");
    assert!(long[..4].iter().all(|ratio| *ratio < 0.8), "long tail: admit-first is better: {long:?}");
    assert!(long[4] > 4.0 * long[0], "but less and less for longer targets: {long:?}");
}

#[test]
fn thresholds_fall_with_load_and_rise_with_the_target() {
    let tables: Vec<Table> =
        [15.0, 20.0, 25.0].iter().map(|&t| Table::build(&model(t), 200).expect("a table")).collect();
    for table in &tables {
        assert!(table.thresholds().is_sorted_by(|a, b| a >= b));
    }
    for q in 1..=200 {
        assert!(tables.is_sorted_by(|a, b| a.threshold(q) <= b.threshold(q)));
    }
}

#[test]
fn a_short_table_switches_the_policy_off() {
    let (mean, twice) = active_mean(1.2, 10.0, 16, 2.0);
    assert!((mean - 12.8).abs() < 0.3 && twice == 26, "mean {mean}, twice {twice}");
    let table = Table::build(&model(25.0), active_max_generous(16, 0)).expect("a table");
    assert!(table.threshold(160) < 0.2 * table.threshold(1), "generous rows reach low thresholds");
    assert!(table.threshold(twice) > 2.0 * table.threshold(160), "twice the mean does not");
}

/// Everything that is offered, under every policy that gives nothing up here.
fn unmarked(setup: &Setup, offers: &[Offer]) -> Vec<Outcome> {
    let high = || TailControl::with_table(1.0, Table::from_thresholds(vec![1e9]).expect("a table"));
    vec![
        run(setup, &StealFirst, offers),
        run(setup, &high(), offers),
        run(setup, &high().lazy(), offers),
        run(setup, &KnownWork(high()), offers),
    ]
}

#[test]
fn schedules_are_identical_when_nothing_is_marked() {
    for shape in [Shape::one_loop(0.25), Shape::loops(0.25, 16)] {
        let outcomes = unmarked(&setup(16, shape), &offers(LOG_NORMAL, 1.2, 5_000));
        assert!(outcomes.iter().all(|outcome| *outcome == outcomes[0] && outcome.marked == 0));
    }
}

#[test]
fn sequential_requests_are_scheduled_alike_by_all() {
    let offers = offers(LOG_NORMAL, 1.2, 5_000);
    let setup = setup(16, Shape::one_loop(1e9));
    let strict = || TailControl::with_table(1.0, Table::from_thresholds(vec![0.1]).expect("a table"));
    let first = run(&setup, &StealFirst, &offers).latencies;
    assert_eq!(first, run(&setup, &AdmitFirst, &offers).latencies);
    assert_eq!(first, run(&setup, &strict(), &offers).latencies);
    assert_eq!(first, run(&setup, &strict().lazy(), &offers).latencies);
}

/// Misses avoided against steal-first at its own 99th percentile, in per cent; without the first tenth, in which a
/// learning policy has no table yet.
fn gain(shape: Shape, policy: impl Fn(f64) -> TailControl) -> f64 {
    let offers = offers(LOG_NORMAL, 1.2, if long() { 100_000 } else { 10_000 });
    let setup = setup(16, shape);
    let settled =
        |policy: &dyn TailPolicy| run(&setup, policy, &offers).latencies.split_off(offers.len() / 10);
    let steal_first = settled(&StealFirst);
    let target = percentile(&steal_first, 0.99);
    let latencies = settled(&policy(target));
    100.0 * (1.0 - misses(&latencies, target) as f64 / misses(&steal_first, target) as f64)
}

#[test]
fn tail_control_avoids_misses_and_prompt_avoids_most() {
    let known = |target| TailControl::with_rows(model(target), 200).expect("a table");
    let lazy_one = gain(Shape::one_loop(0.25), |target| known(target).lazy());
    let lazy_loops = gain(Shape::loops(0.2, 16), |target| known(target).lazy());
    let prompt = gain(Shape::one_loop(0.25), known);
    let learned = gain(Shape::one_loop(0.25), |target| TailControl::learned(target, 16));
    assert!(lazy_one > 0.0 && lazy_loops > lazy_one, "lazy {lazy_one}, in short loops {lazy_loops}");
    assert!(prompt > lazy_one + 20.0, "prompt {prompt}, lazy {lazy_one}");
    assert!(learned > 0.7 * prompt, "learned {learned}, from the true distribution {prompt}");
}

#[test]
fn even_work_at_light_load_is_harmed_unless_only_crowds_are_given_up() {
    let offers = offers(Law::FinanceLike, 0.8, 5_000);
    let setup = setup(16, Shape::one_loop(0.25));
    let steal_first = run(&setup, &StealFirst, &offers).latencies;
    let target = percentile(&steal_first, 0.99);
    let policy = || {
        let model = Model { target, rate: 0.8, cores: 16, work: work(&Law::FinanceLike) };
        TailControl::new(model).expect("a table")
    };
    let before = misses(&steal_first, target);
    assert!(misses(&run(&setup, &policy(), &offers).latencies, target) > before);
    assert!(misses(&run(&setup, &policy().only_when_crowded(), &offers).latencies, target) <= before);
}

#[test]
fn a_learning_policy_builds_again_when_the_work_changes() {
    let policy = TailControl::learned(20.0, 4);
    let feed = |policy: &TailControl, work: f64, from: usize| {
        for i in from..from + 6_000 {
            let load = Load { active: 1 + i % 7, waiting: 0, cores: 4 };
            policy.arrived(i as f64 * 4.0, &load, Goal::Usual);
            let work = work * (1.0 + (i % 10) as f64);
            policy.finished(&Finished { now: i as f64 * 4.0, work, latency: work });
        }
    };
    assert_eq!(policy.table(), None, "nothing is known at first");
    feed(&policy, 0.5, 0);
    let (builds, first) = (policy.learned_so_far().0, policy.table());
    assert!(builds >= 1 && first.is_some());
    feed(&policy, 1.0, 6_000);
    assert!(policy.learned_so_far().0 > builds, "the work has doubled");
    assert_ne!(policy.table(), first);
    feed(&policy, 9.0, 12_000);
    assert!(matches!(policy.learned_so_far().1, Some(TableError::Overloaded { cores: 4, .. })));
}

#[test]
fn overload_is_refused_with_the_numbers() {
    let work = Work::new(vec![Bin { probability: 1.0, work_max: 8.0 }]).expect("a bin");
    let error = Table::build(&Model { target: 10.0, rate: 0.5, cores: 4, work }, 10).expect_err("overloaded");
    let text = "the work that arrives needs 4 cores, but there are only 4 (mean work 8 x rate 0.5): no threshold can help";
    assert_eq!(error.to_string(), text);
}

#[test]
fn bad_inputs_are_named() {
    let bad = |bins: Vec<(f64, f64)>| {
        let bins = bins.into_iter().map(|(probability, work_max)| Bin { probability, work_max });
        Work::new(bins.collect()).expect_err("refused").to_string()
    };
    assert_eq!(bad(vec![]), "the work distribution has no bins");
    assert_eq!(bad(vec![(0.5, 1.0)]), "the probabilities of the bins sum to 0.5, not to 1");
    let text = "bin 1 has probability 0.5 and work -1: a probability lies in 0..=1, work is above 0";
    assert_eq!(bad(vec![(0.5, 1.0), (0.5, -1.0)]), text);
    let no_rows = Table::build(&model(10.0), 0).expect_err("no rows");
    assert_eq!(no_rows.to_string(), "active_max is 0: it must be above 0 and finite");
}

#[test]
fn targets_weights_and_batch_requests_have_their_own_thresholds() {
    let policy = TailControl::with_rows(model(20.0), 200).expect("a table");
    let crowded = Load { active: 40, waiting: 20, cores: 16 };
    let calm = Load { active: 8, waiting: 0, cores: 16 };
    policy.arrived(0.0, &calm, Goal::Within(40.0));
    let is_large = |load: &Load, processed: f64, goal: Goal, weight: f64| {
        policy.is_large(load, &Progress { processed, goal, weight, ..Progress::fresh() })
    };
    let usual = policy.table().expect("a table").threshold(40);
    assert!(is_large(&crowded, usual + 1.0, Goal::Usual, 1.0));
    assert!(!is_large(&crowded, usual + 1.0, Goal::Usual, 2.0), "twice the weight, twice the work");
    assert!(!is_large(&crowded, usual + 1.0, Goal::Within(40.0), 1.0), "a longer target allows more");
    assert!(is_large(&crowded, usual + 1.0, Goal::Batch, 1.0));
    assert!(!is_large(&calm, 1e6, Goal::Batch, 1.0), "a batch request may use an empty machine");
}

#[test]
fn batch_requests_wait_but_do_not_starve() {
    let setup = setup(1, Shape::one_loop(1e9));
    let mut offers = vec![Offer::new(0.0, 1.0)];
    offers.push(Offer { goal: Goal::Batch, ..Offer::new(0.1, 1.0) });
    offers.extend((0..30).map(|i| Offer::new(0.2 + 0.001 * f64::from(i), 1.0)));
    let outcome = run(&setup, &StealFirst, &offers);
    assert!(outcome.latencies[1] > outcome.latencies[2], "those with a target go first");
    assert!(outcome.latencies[1] < outcome.latencies[31], "but not for ever");
}

#[test]
fn the_spread_is_that_of_the_values() {
    let s = summary(&[1.0, 2.0, 3.0, 4.0, 5.0]);
    assert_eq!((s.mean, s.low, s.high), (3.0, 1.0, 5.0));
    assert!((s.half_width - 2.776 * (2.5f64 / 5.0).sqrt()).abs() < 1e-9);
}

fn bins() -> impl Strategy<Value = Work> {
    prop::collection::vec((0.01f64..1.0, 0.1f64..200.0), 1..12).prop_map(|pairs| {
        let sum: f64 = pairs.iter().map(|pair| pair.0).sum();
        let bin = |&(p, work_max): &(f64, f64)| Bin { probability: p / sum, work_max };
        Work::new(pairs.iter().map(bin).collect()).expect("sound bins")
    })
}

fn cases() -> ProptestConfig {
    ProptestConfig::with_cases(if long() { 20_000 } else { 300 })
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn infinite_misses_are_never_expected_below_capacity(
        work in bins(), cores in 1usize..64, share in 0.05f64..0.99, target in 0.1f64..500.0, active in 1usize..400,
    ) {
        let rate = share * cores as f64 / work.mean();
        let model = Model { target, rate, cores, work };
        for bin in model.work.bins() {
            let misses = model.misses(bin.work_max, active);
            prop_assert!(misses.total().is_finite() && misses.cores_small > 0.0);
        }
    }

    #[test]
    fn the_fast_table_is_the_naive_one(
        work in bins(), cores in 1usize..32, share in 0.05f64..0.95, target in 0.1f64..300.0,
    ) {
        let rate = share * cores as f64 / work.mean();
        let model = Model { target, rate, cores, work };
        let table = Table::build(&model, 40).expect("below capacity");
        for active in 1..=40 {
            let chosen = model.misses(table.threshold(active), active).total();
            for bin in model.work.bins() {
                let other = model.misses(bin.work_max, active).total();
                prop_assert!(chosen <= other * (1.0 + 1e-9), "{chosen} at {active}, but {other} at {}", bin.work_max);
            }
        }
    }

    #[test]
    fn every_run_keeps_its_books(
        seed in 0u64..1000, cores in 1usize..20, load in 0.2f64..1.1, who in 0usize..6, loops in 1u32..20,
    ) {
        let offers = workload(&LOG_NORMAL, &Arrivals::Poisson { rate: load * cores as f64 / 10.0 }, 150, seed);
        let table = || Table::from_thresholds(vec![1e9, 20.0, 10.0, 5.0]).expect("a table");
        let policy: Box<dyn TailPolicy> = match who {
            0 => Box::new(StealFirst),
            1 => Box::new(AdmitFirst),
            2 => Box::new(RandomPlacement),
            3 => Box::new(TailControl::with_table(1.0, table())),
            4 => Box::new(TailControl::with_table(1.0, table()).lazy()),
            _ => Box::new(KnownWork(TailControl::with_table(1.0, table()))),
        };
        let setup = Setup { trace: true, ..setup(cores, Shape::loops(0.5, loops)) };
        let outcome = run(&setup, &*policy, &offers);
        // No request is faster than all cores allow, nor lost.
        for (offer, latency) in offers.iter().zip(&outcome.latencies) {
            prop_assert!(*latency >= offer.work / cores as f64 * (1.0 - 1e-9));
        }
        // Little's law is an identity of the path: the area under the active requests is the sum of the latencies.
        let area: f64 = outcome.trace.windows(2).map(|w| w[0].active as f64 * (w[1].time - w[0].time)).sum();
        let sum: f64 = outcome.latencies.iter().sum();
        prop_assert!((area - sum).abs() <= 1e-9 * sum, "area {area}, sum {sum}");
        prop_assert_eq!(outcome.trace.last().map(|point| point.active), Some(0));
    }
}
