//! The formulas against inputs with expected outputs.

mod support_vectors;

use muster_engine::formula::balance::{Load, Move, Search, Situation, Utility};
use muster_engine::formula::patience::{self, Request, Temper};
use muster_engine::formula::pid::{self, First, Gains};
use muster_engine::formula::pool_size::{self, Objective};
use muster_engine::formula::{backlog, erlang, recruit, share, windows};
use serde_json::{Value, json};
use support_vectors::{Case, list, number, real, run, whole};

#[test]
fn vectors_of_formulas() {
    run(&[
        ("000_erlang_c", erlang_c),
        ("000_c_star", c_star),
        ("000_completion_time", completion_time),
        ("000_perf", |case| real(Utility::Median.of(&list(&case.input["w"], number)))),
        ("000_evaluate_transfer", evaluate_transfer),
        ("000_greedy_assign", greedy_assign),
        ("000_pool_balance", pool_balance),
        ("000_recruiters", recruiters),
        ("000_abandon_window", abandon_window),
        ("000_pid", pid_outputs),
        ("001_fair_share", |case| json!(share::fair_shares(&list(&case.input["p"], number)))),
        ("003_k_j", late_answers),
        ("003_patience", patience_path),
        ("003_lpf_order", least_patience_order),
        ("003_active_users", active_users),
    ]);
}

fn erlang_c(case: Case<'_>) -> Value {
    let of = |name: &str| number(&case.input[name]);
    let (workers, load) = (whole(&case.input["c"]), of("lam") / of("mu"));
    let queue = erlang::queue(workers, of("lam"), of("mu"));
    json!({
        "stable": queue.stable,
        "rho": real(queue.utilisation),
        "p_wait": real(queue.wait_probability),
        "e_w": real(queue.wait),
        "e_l": real(queue.waiting),
        "cost_printed": real(pool_size::printed_cost(workers, queue.waiting, of("s"))),
        "cost_idle": real(pool_size::idle_cost(workers, load, of("s"))),
    })
}

fn c_star(case: Case<'_>) -> Value {
    let of = |name: &str| number(&case.input[name]);
    let (arrivals, service) = (of("lam"), of("mu"));
    let most = (!case.input["c_max"].is_null()).then(|| whole(&case.input["c_max"]));
    let objective = Objective { eta: of("eta"), cost_rate: of("s"), cost_of_idle: false };
    let idle = Objective { cost_of_idle: true, ..objective };
    let best = pool_size::best_size(arrivals, service, &objective, most);
    let value = |size| {
        let queue = erlang::queue(size, arrivals, service);
        real(objective.value(size, arrivals / service, queue.wait, queue.waiting))
    };
    // Without arrivals there is nothing to weigh.
    let value = best.filter(|size| *size > 0).map(value);
    json!({
        "c_min": pool_size::least_stable(arrivals / service),
        "c_star": best,
        "c_star_idle_cost": pool_size::best_size(arrivals, service, &idle, most),
        "objective": value,
        "convex_predicted": objective.is_convex(arrivals),
    })
}

fn completion_time(case: Case<'_>) -> Value {
    let of = |name: &str| number(&case.input[name]);
    let (stay, come) = (whole(&case.input["incumbents"]), whole(&case.input["k"]));
    json!({
        "eq3_incumbents": real(backlog::drain_time(of("L"), stay, of("mu"))),
        "train": real(backlog::training_time(come, of("tr"))),
        "eq4": real(backlog::drain_time_with(of("L"), stay, come, of("mu"), of("tr"))),
    })
}

fn index(value: &Value) -> usize {
    whole(value) as usize
}

/// Reads pools, workers and preferences, and lets `then` look at them.
fn situation<T>(input: &Value, then: impl Fn(&Situation<'_>) -> T) -> T {
    let load = |pool: &Value| Load {
        tasks: number(&pool["L"]),
        service_rate: number(&pool["mu"]),
        training_rate: number(&pool["tr"]),
    };
    let home = list(&input["worker_pool"], index);
    let by_pool = list(&input["pref"], |row| list(row, number));
    let likes: Vec<f64> =
        (0..home.len()).flat_map(|worker| by_pool.iter().map(move |row| row[worker])).collect();
    then(&Situation {
        pools: &list(&input["pools"], load),
        home: &home,
        likes: &likes,
        omega: number(&input["omega"]),
        utility: Utility::Median,
    })
}

fn moves(moves: &[Move]) -> Value {
    json!(moves.iter().map(|it| [it.worker, it.pool]).collect::<Vec<_>>())
}

fn evaluate_transfer(case: Case<'_>) -> Value {
    let moves = list(&case.input["transfer"], |it| Move { worker: index(&it[0]), pool: index(&it[1]) });
    let worth = situation(case.input, |situation| situation.evaluate(&moves));
    json!({
        "waits": worth.times.iter().map(|time| real(*time)).collect::<Vec<_>>(),
        "perf": real(worth.performance),
        "h": real(worth.happiness),
        "score": real(worth.score),
    })
}

fn greedy_assign(case: Case<'_>) -> Value {
    let subset = list(&case.input["subset"], index);
    situation(case.input, |situation| moves(&situation.assign(&subset)))
}

fn pool_balance(case: Case<'_>) -> Value {
    let idle = list(&case.input["idle"], index);
    let search = match case.input["mode"].as_str() {
        Some("prefix") => Search::Prefix,
        Some("all") => Search::All,
        mode => panic!("unknown mode {mode:?}"),
    };
    let most = index(&case.input["cap"]);
    let (best, score) = situation(case.input, |situation| situation.best_moves(&idle, search, most));
    json!({"transfer": moves(&best), "score": real(score)})
}

fn recruiters(case: Case<'_>) -> Value {
    let of = |name: &str| case.input[name].as_u64().expect("a whole number");
    let threshold = case.input["thresh"].as_i64().expect("a whole number");
    let (gone, window, draw) = (of("n_window"), of("t_window"), number(&case.input["u"]));
    json!({
        "rule": recruit::rule(of("c"), threshold, of("rule_n")),
        "avg_rate": recruit::average_rate(gone, 1, window, draw),
        "hybrid": recruit::hybrid(of("c"), threshold, gone, 1, window, draw),
    })
}

fn abandon_window(case: Case<'_>) -> Value {
    let times = list(&case.input["times"], number);
    json!(windows::count(&times, number(&case.input["now"]), number(&case.input["t_window"])))
}

fn pid_outputs(case: Case<'_>) -> Value {
    let of = |name: &str| number(&case.input[name]);
    let first = match case.input["first"].as_str() {
        Some("no_kick") => First::NoKick,
        Some("zero_history") => First::ZeroHistory,
        first => panic!("unknown first {first:?}"),
    };
    let gains = Gains { kp: of("kp"), ki: of("ki"), kd: of("kd") };
    let outputs = pid::outputs(gains, first, &list(&case.input["errors"], number));
    let workers: Vec<i64> = outputs.iter().map(|output| pid::whole(*output)).collect();
    // The file leaves whole workers open where an output lies on a half.
    let workers = if case.expected["workers"].is_null() { Value::Null } else { json!(workers) };
    json!({"u": outputs, "workers": workers})
}

fn late_answers(case: Case<'_>) -> Value {
    let of = |name: &str| number(&case.input[name]);
    let (phi, tau, alpha) = (of("phi"), of("tau"), of("alpha"));
    let or_never = |k: Option<u32>| k.map_or_else(|| json!("inf"), |k| json!(k));
    json!({
        "k_real": real(patience::late_answers_borne(phi, tau, alpha)),
        "k_tolerated": or_never(patience::late_answers_tolerated(phi, tau, alpha)),
        "k_min_unhappy": or_never(patience::late_answers_until_unhappy(phi, tau, alpha)),
    })
}

fn patience_path(case: Case<'_>) -> Value {
    let of = |name: &str| number(&case.input[name]);
    let temper = Temper { kept_early: of("a1"), kept_late: of("a2"), unhappy_below: of("tau") };
    let responses = list(&case.input["responses"], number);
    let qualities: Vec<f64> =
        responses.iter().map(|took| patience::quality(of("rho"), of("beta"), *took)).collect();
    let step = |phi: &mut f64, quality: &f64| {
        *phi = temper.after(*phi, *quality);
        Some(*phi)
    };
    let path: Vec<f64> = qualities.iter().scan(of("phi0"), step).collect();
    let unhappy: Vec<bool> = path.iter().map(|phi| temper.is_unhappy(*phi)).collect();
    json!({"x": qualities, "phi": path, "unhappy": unhappy})
}

fn least_patience_order(case: Case<'_>) -> Value {
    let now = number(&case.input["now"]);
    let mean = (!case.input["avg_response"].is_null()).then(|| number(&case.input["avg_response"]));
    let request = |it: &Value| Request {
        borne: number(&it["k"]),
        arrival: number(&it["arrival"]),
        id: it["id"].as_u64().expect("an id"),
    };
    let mut requests = list(&case.input["requests"], request);
    requests.sort_by(|a, b| patience::least_patience_first(a, b, now, mean));
    json!(requests.iter().map(|request| request.id).collect::<Vec<_>>())
}

fn active_users(case: Case<'_>) -> Value {
    let of = |name: &str| number(&case.input[name]);
    json!(patience::active_users(whole(&case.input["users"]), of("load"), of("eta")))
}
