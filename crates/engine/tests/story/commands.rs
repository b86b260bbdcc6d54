//! The verbs of a script: what each line sends to the engine, and what `show` tells of its state.

use muster_engine::ids::{AppId, ClientId, JobId, KindId, PoolId, RecruitId, TenantId, Token, WorkerId};
use muster_engine::money::Money;
use muster_engine::policy::Family;
use muster_engine::spec::{
    Aim, AppSpec, Budget, ClientSpec, Estimates, FlowTask, JobSpec, KindSpec, LatePay, LeaseLength, Payer,
    PoolSpec, Role, TenantSpec, Work, WorkerSpec,
};
use muster_engine::{Command, Span, Time};

use super::Story;
use super::words::{Words, money, policy, span};

/// What most stories begin with. A wage of 3.60 an hour is 0.001 a second.
const USUAL: [&str; 5] =
    ["tenant ann", "tenant bob", "app tag lease 5min", "kind person wage 3.60", "pool p serves tag"];

impl Story {
    pub(super) fn tenant_id(&self, name: &str) -> TenantId {
        TenantId(self.names.number("tenant", name) as u32)
    }

    fn app_id(&self, name: &str) -> AppId {
        AppId(self.names.number("app", name) as u32)
    }

    fn kind_id(&self, name: &str) -> KindId {
        KindId(self.names.number("kind", name) as u32)
    }

    pub(super) fn pool_id(&self, name: &str) -> PoolId {
        PoolId(self.names.number("pool", name) as u32)
    }

    pub(super) fn job_id(&self, name: &str) -> JobId {
        JobId(self.names.number("job", name))
    }

    pub(super) fn worker_id(&self, name: &str) -> WorkerId {
        WorkerId(self.names.number("worker", name) as u32)
    }

    pub(super) fn client_id(&self, name: &str) -> ClientId {
        ClientId(self.names.number("client", name) as u32)
    }

    /// One line of the script.
    pub(super) fn run(&mut self, verb: &str, words: &mut Words<'_>) {
        match verb {
            "tenant" | "app" | "kind" | "pool" | "client" => self.set_up(verb, words),
            "usual" => USUAL.iter().for_each(|line| self.line(line)),
            "set" => self.change(words),
            "submit" | "flow" => self.submit(verb, words),
            "cancel" | "budget" | "priority" => self.change_job(verb, words),
            "join" => self.join(words),
            "ask" | "heartbeat" | "pause" | "trained" | "leave" | "drain" => {
                for name in words.rest() {
                    let command = self.for_worker(verb, name);
                    self.send(command, "");
                }
            }
            "answer" | "return" | "skip" | "skip-job" => self.with_lease(verb, words),
            "recruit" => {
                let (pool, kind) = (self.pool_id(words.next()), self.kind_id(words.next()));
                self.send(Command::Recruit(pool, kind, number(words.next())), "");
            }
            "failed" => {
                let order = RecruitId(number(words.next().trim_start_matches('r')));
                self.send(Command::RecruitFailed(order, number(words.next())), "");
            }
            "move" => {
                let command = Command::Move(self.worker_id(words.next()), self.pool_id(words.next()));
                self.send(command, "");
            }
            "remove" => self.send(Command::RemoveClient(self.client_id(words.next())), ""),
            "wake" => self.send(Command::Wake, ""),
            "oversleep" => self.now = Time(span(words.next()).0),
            "resume" => self
                .send(Command::Resume(Time(span(words.option("since").expect("since")).0), Vec::new()), ""),
            "back" => self.now = Time(span(words.next()).0),
            "work" => self.work(Time(span(words.next()).0), words.flag("by-job")),
            "hand" => self.hand(&words.rest()),
            "turns" => {
                let name = words.next();
                self.turns(name, number(words.next()));
            }
            "show" => self.show(words),
            _ => panic!("nobody knows the verb '{verb}'"),
        }
    }

    fn for_worker(&self, verb: &str, name: &str) -> Command {
        let id = self.worker_id(name);
        match verb {
            "ask" => Command::Ask(id),
            "heartbeat" => Command::Heartbeat(id),
            "pause" => Command::Pause(id),
            "trained" => Command::Trained(id),
            "leave" => Command::Leave(id),
            _ => Command::Drain(id),
        }
    }

    /// The lease is the worker's last, unless the line names another.
    fn with_lease(&mut self, verb: &str, words: &mut Words<'_>) {
        let named = words.option("lease").map(|token| Token(u64::from(number(token))));
        for name in words.rest() {
            let id = self.worker_id(name);
            let token = named.or(self.tokens.get(&id).copied()).unwrap_or(Token(999));
            let command = match verb {
                "answer" => Command::Answer(id, token),
                "return" => Command::Return(id, token),
                "skip" => Command::SkipTask(id, token),
                _ => Command::SkipJob(id, token),
            };
            self.send(command, "");
        }
    }

    fn set_up(&mut self, verb: &str, words: &mut Words<'_>) {
        let name = words.next();
        let command = match verb {
            "tenant" => Command::AddTenant(tenant_spec(words)),
            "app" => Command::AddApp(app_spec(words)),
            "kind" => Command::AddKind(kind_spec(words)),
            "pool" => Command::AddPool(Box::new(self.pool_spec(words))),
            _ => Command::AddClient(client_spec(words)),
        };
        self.send(command, name);
    }

    fn change(&mut self, words: &mut Words<'_>) {
        let command = match words.next() {
            "tenant" => Command::SetTenant(self.tenant_id(words.next()), tenant_spec(words)),
            "app" => Command::SetApp(self.app_id(words.next()), app_spec(words)),
            "pool" => Command::SetPool(self.pool_id(words.next()), Box::new(self.pool_spec(words))),
            "balance" => Command::SetBalance(policy(words.next())),
            pool => {
                let pool = self.pool_id(pool);
                let family = match words.next() {
                    "dispatch" => Family::Dispatch,
                    "matching" => Family::Matching,
                    "scaling" => Family::Scaling,
                    "replacement" => Family::Replacement,
                    other => panic!("there is no family '{other}'"),
                };
                Command::SetPolicy(pool, family, policy(words.next()))
            }
        };
        self.send(command, "");
    }

    fn pool_spec(&self, words: &mut Words<'_>) -> PoolSpec {
        let apps = words.option("serves").expect("a pool serves apps").split(',');
        let mut spec = PoolSpec::serving(&apps.map(|app| self.app_id(app)).collect::<Vec<_>>());
        spec.tenant = words.option("only").map(|tenant| self.tenant_id(tenant));
        if let Some(payer) = words.option("payer") {
            spec.payer = Payer::Tenant(self.tenant_id(payer));
        }
        let mut set =
            |key: &str, to: &mut Span| words.option(key).into_iter().for_each(|text| *to = span(text));
        set("settle", &mut spec.settle_every);
        set("window", &mut spec.window);
        set("recruits", &mut spec.recruit_within);
        spec.presence = words.option("presence").map(span);
        spec.balanced = !words.flag("unbalanced");
        spec.recommend.service_prior = words.option("prior").map(span);
        spec.recommend.recruitment_delay = words.option("delay").map(span);
        spec.recommend.size_most = words.option("size-most").map_or(spec.recommend.size_most, number);
        spec.recommend.aim = words.option("aim").map_or(spec.recommend.aim, aim);
        for (key, to) in [
            ("dispatch", &mut spec.policies.dispatch),
            ("matching", &mut spec.policies.matching),
            ("scaling", &mut spec.policies.scaling),
            ("replacement", &mut spec.policies.replacement),
        ] {
            words.option(key).into_iter().for_each(|text| *to = policy(text));
        }
        spec
    }

    fn submit(&mut self, verb: &str, words: &mut Words<'_>) {
        let times = words.option("times").map_or(1, number);
        let (name, takes, spec) = self.job_spec(verb, words);
        self.quiet = times > 1;
        for i in 0..times {
            let name = if times > 1 { format!("{name}{i}") } else { name.to_owned() };
            self.send(Command::Submit(Box::new(spec.clone())), &name);
            if let Some(takes) = takes {
                let job = self.job_id(&name);
                self.takes.insert(job, takes);
            }
        }
        if times > 1 {
            self.quiet = false;
            self.say(&format!(
                "{} submits {times} jobs",
                self.names.name("tenant", u64::from(spec.tenant.0))
            ));
        }
    }

    fn job_spec<'a>(&self, verb: &str, words: &mut Words<'a>) -> (&'a str, Option<Span>, JobSpec) {
        let (name, tenant) = (words.next(), self.tenant_id(words.next()));
        let mut spec = JobSpec::batch(tenant, AppId(0), 1);
        spec.price = words.option("price").map_or(Money::ZERO, money);
        spec.slots = words.option("slots").map_or(1, |slots| number(slots) as u8);
        spec.priority = words.option("priority").map_or(1, number);
        spec.budget = words.option("budget").map(money);
        spec.client = words.option("client").map(|client| self.client_id(client));
        let takes = words.option("takes").map(span);
        spec.expected = words.option("expected").map(span).or(takes);
        if let Some(spans) = words.option("estimates") {
            let spans = spans.split(',').map(span).collect();
            spec.estimates = match words.option("on") {
                None => Estimates::PerTask(spans),
                Some(kinds) => {
                    let kinds = kinds.split(',').map(|kind| self.kind_id(kind)).collect();
                    Estimates::PerTaskAndKind { kinds, spans }
                }
            };
        }
        let rest = words.rest();
        spec.work = if verb == "flow" {
            Work::Workflow(rest.iter().map(|task| self.flow_task(task)).collect())
        } else {
            let [app, tasks] = rest[..] else { panic!("an app and a number of tasks, not {rest:?}") };
            Work::Batch { app: self.app_id(app), tasks: number(tasks) }
        };
        (name, takes, spec)
    }

    /// `app`, or `app<0,1` if it waits for tasks 0 and 1.
    fn flow_task(&self, text: &str) -> FlowTask {
        let (app, parents) = text.split_once('<').unwrap_or((text, ""));
        let parents = parents.split(',').filter(|parent| !parent.is_empty()).map(number).collect();
        FlowTask { app: self.app_id(app), parents }
    }

    fn change_job(&mut self, verb: &str, words: &mut Words<'_>) {
        let job = self.job_id(words.next());
        let command = match verb {
            "cancel" => Command::CancelJob(job),
            "budget" => {
                Command::SetJobBudget(job, Some(words.next()).filter(|text| *text != "none").map(money))
            }
            _ => Command::SetJobPriority(job, number(words.next())),
        };
        self.send(command, "");
    }

    fn join(&mut self, words: &mut Words<'_>) {
        let trained = words.option("trained").unwrap_or_default().to_owned();
        let likes = words.option("likes").unwrap_or_default().to_owned();
        let recruit = words.option("of").map(|order| RecruitId(number(order.trim_start_matches('r'))));
        let mut rest = words.rest();
        let kind = self.kind_id(rest.pop().expect("a kind"));
        let pool = self.pool_id(rest.pop().expect("a pool"));
        let split = |text: &str| {
            text.split(',').filter(|part| !part.is_empty()).map(str::to_owned).collect::<Vec<_>>()
        };
        for name in rest {
            let mut spec = WorkerSpec::of(pool, kind);
            spec.trained = split(&trained).iter().map(|app| self.app_id(app)).collect();
            let liking = |part: &String| {
                let (app, liking) = part.split_once('=').expect("app=0.7");
                (self.app_id(app), liking.parse().expect("a number"))
            };
            spec.preferences = split(&likes).iter().map(liking).collect();
            spec.recruit = recruit;
            self.send(Command::Join(Box::new(spec)), name);
        }
    }
}

fn number(text: &str) -> u32 {
    text.parse().unwrap_or_else(|_| panic!("'{text}' is no whole number"))
}

/// `wait=5s`, `within=5s:0.9`, `occupancy=0.8`, `money=MINUTE:HOUR`, `objective=ETA:COST-PER-SECOND[:printed]`.
fn aim(text: &str) -> Aim {
    let number = |text: &str| text.parse::<f64>().unwrap_or_else(|_| panic!("'{text}' is no number"));
    let (what, values) = text.split_once('=').expect("an aim and its values");
    match (what, values.split(':').collect::<Vec<_>>()[..].as_ref()) {
        ("wait", [at_most]) => Aim::Wait(span(at_most)),
        ("within", [time, share]) => Aim::Within(span(time), number(share)),
        ("occupancy", [share]) => Aim::Occupancy(number(share)),
        ("money", [minute, hour]) => Aim::Money { waiting_minute: number(minute), worker_hour: number(hour) },
        ("objective", [eta, cost, rest @ ..]) => {
            Aim::Objective { eta: number(eta), cost_per_second: number(cost), cost_of_idle: rest.is_empty() }
        }
        _ => panic!("there is no aim '{text}'"),
    }
}

fn tenant_spec(words: &mut Words<'_>) -> TenantSpec {
    let weight = words.option("weight").map_or(1, number);
    let every = words.option("every").map_or(Span::from_hours(1), span);
    let budget = words.option("budget").map(|amount| Budget { amount: money(amount), every });
    TenantSpec { weight, budget }
}

fn app_spec(words: &mut Words<'_>) -> AppSpec {
    let training = words.option("training").map_or(Span::ZERO, span);
    let mut spec = AppSpec { training, ..AppSpec::default() };
    if let Some(length) = words.option("lease") {
        spec.lease = LeaseLength::Fixed(span(length));
    }
    if let Some(factor) = words.option("learned") {
        let (least, most) =
            (words.option("least").map_or(Span::from_secs(1), span), words.option("most").map(span));
        spec.lease = LeaseLength::Learned {
            factor: factor.parse().expect("a factor"),
            least,
            most: most.unwrap_or(Span::from_mins(30)),
        };
    }
    spec.heartbeat = words.option("heartbeat").map(span);
    spec.expected = words.option("expected").map(span);
    spec.late_pay = match words.option("late-pay") {
        None => LatePay::IfCounted,
        Some("always") => LatePay::Always,
        Some(_) => LatePay::Never,
    };
    spec
}

fn kind_spec(words: &mut Words<'_>) -> KindSpec {
    let wage = words.option("wage").map_or(Money::ZERO, money);
    let mut spec = KindSpec::person(wage);
    if let Some(wage_training) = words.option("training-wage") {
        spec.role = Role::Person { wage_waiting: wage, wage_training: money(wage_training) };
    }
    if let Some(price) = words.option("costs") {
        spec = KindSpec::machine(money(price), span(words.option("per").expect("a billing period")));
    }
    spec.speed = words.option("speed").map_or(1.0, |speed| speed.parse().expect("a speed"));
    spec.boot = words.option("boot").map_or(Span::ZERO, span);
    spec
}

fn client_spec(words: &mut Words<'_>) -> ClientSpec {
    let mut spec = ClientSpec::default();
    let mut set = |key: &str, to: &mut f64| {
        words.option(key).into_iter().for_each(|text| *to = text.parse().expect("a number"));
    };
    set("patience", &mut spec.patience);
    set("threshold", &mut spec.threshold);
    set("tolerance", &mut spec.tolerance);
    spec.ideal = words.option("ideal").map_or(spec.ideal, span);
    spec
}
