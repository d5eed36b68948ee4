//! What the steps of one case play on: its tabs, its site, its values, and what it has measured.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value as Json;
use tokio::time::{Instant, timeout_at};

use super::failure::{Cause, Failure};
use super::flow::value::Value;
use super::meter::Meter;
use super::questions::Questions;
use super::spec::Group;
use super::step::{At, Step};
use super::troubles::Milestones;
use crate::outline::Pattern;
use crate::page::net::origin_of;
use crate::page::{Page, Seen, Tabs};
pub(super) use crate::scenario::duration_in_words as words;
use crate::scenario::{
    Deferred, Expression, FailOn, Kind, Mask, Names, Node, Place, Problems, Readable, Reading, Template, Values,
};
use crate::site::Site;
use crate::snapshot::{Redaction, Store};

/// How long a step may take unless it, its scenario or the command line says otherwise.
pub(super) const STEP_TIMEOUT: Duration = Duration::from_secs(5);
/// The same for steps that load a document: a server may be starting.
pub(super) const GOING_TIMEOUT: Duration = Duration::from_secs(30);
/// What acts set off may take so long to end before a step that takes the page elsewhere.
const LET_END: Duration = Duration::from_secs(2);
/// How long past its deadline a step may take to say what it was waiting for, before it is cut off.
const GRACE: Duration = Duration::from_secs(1);
/// The detail of a failure that came because the time was up.
const CUT_SHORT: &str = "out of time";

/// Something that a report may want to know while a case is performed.
#[derive(Clone, Debug)]
pub enum Note {
    /// A step began.
    StepStarted {
        /// As a person would say it.
        what: String,
        /// Where it stands.
        place: Place,
    },
    /// A step made something to look at.
    Output {
        /// The verb.
        verb: &'static str,
        /// What it made.
        text: String,
        /// Where the step stands.
        place: Place,
    },
    /// A step ended.
    StepEnded {
        /// How long it took.
        took: Duration,
        /// Whether it held.
        passed: bool,
    },
    /// A game made a move.
    Moved {
        /// Moves so far.
        moves: u64,
        /// The newest readings.
        readings: Vec<(String, String)>,
    },
    /// Something worth a line.
    Notice(String),
}

/// What stands for the origin that paths are looked up in, whose port is another one in every run.
pub(super) const BASE: &str = "{{ base }}";
/// The same of the second origin.
pub(super) const OTHER: &str = "{{ other }}";

/// What a stage is made of.
pub struct Props {
    /// The users, each with tabs of a browser context of its own; at least one, and the first is the one that steps are performed as.
    pub users: Vec<User>,
    /// The pages under test, if the scenario has any.
    pub site: Option<Site>,
    /// The application under test, where there is no site.
    pub app: Option<AppUnderTest>,
    /// What fails the case by itself.
    pub fail_on: FailOn,
    /// Origins beside the site's that requests may go to.
    pub homes: Vec<String>,
    /// Where snapshots are held.
    pub store: Arc<Store>,
    /// The project's folder: no step writes outside it.
    pub project: PathBuf,
    /// Where pictures go.
    pub pictures: PathBuf,
    /// The scenario file, relative to the project's folder: snapshots are named after it.
    pub scenario_file: PathBuf,
    /// The scenario's name.
    pub scenario_name: String,
    /// `variables:`, `env` and `secret`.
    pub variables: BTreeMap<String, Json>,
    /// `readings:`.
    pub readings: Vec<Reading>,
    /// Which row of `examples` is played, as in `city=Oslo`; empty where there are none.
    pub row: String,
    /// What is kept out of names of files; events are masked where they leave.
    pub mask: Mask,
    /// What is done when something stands in an act's way.
    pub whenever: Arc<Vec<Whenever>>,
    /// `redact:`, for snapshots.
    pub redactions: Vec<Redaction>,
    /// The seed of `random()`.
    pub seed: u64,
    /// How long a step may take, where it says nothing itself.
    pub step_timeout: Option<Duration>,
    /// Who hears of what happens.
    pub listener: Box<dyn Fn(Note) + Send>,
}

/// An application, as far as steps care.
#[derive(Clone, Debug)]
pub struct AppUnderTest {
    /// The origin that its paths are looked up in: `http://localhost:3000`.
    pub origin: String,
    /// Whether the port was chosen for this run.
    pub at_free_port: bool,
}

/// What is done when something stands in an act's way.
#[derive(Debug)]
pub struct Whenever {
    /// What stands there.
    pub pattern: Pattern,
    /// As it was written.
    pub written: String,
    /// What is done about it.
    pub steps: Vec<Step>,
}

/// A user of the pages: cookies and tabs are its own.
pub struct User {
    /// Its name; empty where the scenario has no `users:`.
    pub name: String,
    /// The tabs of its browser context.
    pub tabs: Tabs,
}

/// One case being performed.
pub struct Stage {
    pub(super) props: Props,
    /// Moves and their times.
    pub meter: Meter,
    /// Turns of the loops that are running, the innermost last.
    pub(super) turns: Vec<u64>,
    /// An outline known to be the newest: read after the last step that acts or takes time.
    fresh: Option<Arc<Seen>>,
    /// The sequences that `random()` and `cycle()` go on with.
    base: Values,
    pub(super) questions: Questions,
    steps: usize,
    /// Which user steps are performed as now.
    pub(super) user: usize,
    /// The failures of `soft` steps, in their order.
    soft: Vec<Failure>,
    /// The step that was performed last.
    pub(super) last: Option<Place>,
    /// The page on which a step failed last.
    at_fault: Option<Arc<Page>>,
    /// One for each user.
    milestones: Vec<Milestones>,
    /// Whether the steps of a `whenever` are being performed.
    pub(super) clearing: bool,
    /// What a `whenever` has answered since the last act began.
    pub(super) cleared: Vec<String>,
}

impl Stage {
    /// A stage before its first step.
    #[must_use]
    pub fn new(props: Props) -> Stage {
        let base = Values::seeded(props.seed);
        Stage {
            props,
            meter: Meter::default(),
            turns: Vec::new(),
            fresh: None,
            base,
            questions: Questions::default(),
            steps: 0,
            user: 0,
            soft: Vec::new(),
            last: None,
            at_fault: None,
            milestones: Vec::new(),
            clearing: false,
            cleared: Vec::new(),
        }
    }

    /// Steps performed so far.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// The tab that steps are performed in.
    #[must_use]
    pub fn page(&self) -> Arc<Page> {
        self.tabs().current()
    }

    /// The tabs.
    #[must_use]
    pub fn tabs(&self) -> &Tabs {
        // There is at least one user, and `user` is always one of them.
        &self.props.users[self.user].tabs
    }

    /// The site, for what it logged.
    #[must_use]
    pub fn site(&self) -> Option<&Site> {
        self.props.site.as_ref()
    }

    /// The origin that paths are looked up in.
    #[must_use]
    pub fn base(&self) -> Option<&str> {
        self.props.site.as_ref().map(Site::base).or(self.props.app.as_ref().map(|app| app.origin.as_str()))
    }

    /// The origins whose port is another one in every run, and the name that stands for each of them.
    pub(super) fn origins_of_this_run(&self) -> Vec<(&str, &'static str)> {
        match (&self.props.site, &self.props.app) {
            (Some(site), _) => vec![(site.base(), BASE), (site.other(), OTHER)],
            (None, Some(app)) if app.at_free_port => vec![(&app.origin, BASE)],
            _ => Vec::new(),
        }
    }

    /// An address as messages show it: the ports of a site are other ones in every run.
    #[must_use]
    pub fn short_url(&self, url: &str) -> String {
        // The port is another one next time; `open` and `assert-url` take a path as well.
        match (&self.props.site, &self.props.app) {
            (Some(site), _) => url.replacen(site.base(), "", 1).replacen(site.other(), "{{ other }}", 1),
            (None, Some(app)) => match url.strip_prefix(app.origin.as_str()) {
                Some(path) if path.starts_with('/') => path.to_owned(),
                _ => url.to_owned(),
            },
            (None, None) => url.to_owned(),
        }
    }

    /// Whether an address is none of the site's, nor of an origin that a step opened. Only what goes over the network can be.
    pub(super) fn is_outside(&self, url: &str) -> bool {
        // `ws:` is to `http:` as `wss:` is to `https:`.
        let url = url.strip_prefix("ws").map_or_else(|| url.to_owned(), |rest| format!("http{rest}"));
        let Some(origin) = origin_of(&url) else { return false };
        let site = self.props.site.as_ref();
        let of_site = site.is_some_and(|site| origin == site.base() || origin == site.other());
        !of_site && !self.props.homes.contains(&origin)
    }

    /// A step opens this address: its origin is none outside.
    pub(super) fn at_home(&mut self, url: &str) {
        if let Some(origin) = origin_of(url).filter(|origin| !self.props.homes.contains(origin)) {
            self.props.homes.push(origin);
        }
    }

    /// Everything the stage was made of is given back, to be closed.
    #[must_use]
    pub fn into_props(self) -> Props {
        self.props
    }

    /// What `soft` steps failed with, which ends the case as failed; they are forgotten here.
    pub fn take_soft_failures(&mut self) -> Vec<Failure> {
        std::mem::take(&mut self.soft)
    }

    /// The page on which a step failed last: what a picture of a failure should show.
    #[must_use]
    pub fn page_at_fault(&self) -> Arc<Page> {
        self.at_fault.clone().unwrap_or_else(|| self.page())
    }

    /// Steps are performed as the first user again, whatever was cut off before.
    pub fn as_first_user(&mut self) {
        self.turn_to(0);
    }

    /// The tab that each of the users has in front.
    #[must_use]
    pub fn pages(&self) -> Vec<Arc<Page>> {
        self.props.users.iter().map(|user| user.tabs.current()).collect()
    }

    /// How far each user's errors and requests had come when acts began; users that have not acted yet may be missing at the end.
    pub(super) fn milestones(&self) -> &[Milestones] {
        &self.milestones
    }

    /// The same of the user that steps are performed as now.
    pub(super) fn milestones_now(&mut self) -> &mut Milestones {
        let user = self.user;
        if self.milestones.len() <= user {
            self.milestones.resize_with(user + 1, Milestones::default);
        }
        // Just made long enough.
        &mut self.milestones[user]
    }

    fn turn_to(&mut self, user: usize) {
        if self.user != user && user < self.props.users.len() {
            self.user = user;
            self.fresh = None;
        }
    }

    /// How many `soft` steps have failed so far.
    pub(super) fn soft_failures(&self) -> usize {
        self.soft.len()
    }

    /// The first `soft` failure after so many.
    pub(super) fn soft_since(&self, number: usize) -> Option<&Failure> {
        self.soft.get(number)
    }

    /// Forgets the `soft` failures after so many: they belong to a try that is made again.
    pub(super) fn forget_soft_since(&mut self, number: usize) {
        self.soft.truncate(number);
    }

    /// Changes the `soft` failures after so many.
    pub(super) fn change_soft_since(&mut self, number: usize, change: impl Fn(Failure) -> Failure) {
        let since = self.soft.split_off(number.min(self.soft.len()));
        self.soft.extend(since.into_iter().map(change));
    }

    /// Tells a report.
    pub fn tell(&self, note: Note) {
        (self.props.listener)(note);
    }

    /// Performs steps in order until one does not hold.
    ///
    /// # Errors
    /// The failure of that step.
    pub async fn perform(&mut self, steps: &[Step], until: Instant) -> Result<(), Failure> {
        for step in steps {
            // Boxed because steps hold steps.
            Box::pin(self.perform_one(step, until)).await?;
        }
        Ok(())
    }

    /// Performs one step, before its own deadline and before `until`.
    pub(super) async fn perform_one(&mut self, step: &Step, until: Instant) -> Result<(), Failure> {
        let before = self.user;
        if let Some(user) = &step.extras.user {
            // That there is one of this name was checked when the file was read.
            let user = self.props.users.iter().position(|known| known.name == *user);
            self.turn_to(user.unwrap_or(before));
        }
        let result = self.perform_as_user(step, until).await;
        self.turn_to(before);
        result
    }

    async fn perform_as_user(&mut self, step: &Step, until: Instant) -> Result<(), Failure> {
        // Steps that wait for nothing would keep the clock of what is around them, and an interrupt, from being heard.
        tokio::task::yield_now().await;
        let now = Instant::now();
        let left = until.saturating_duration_since(now);
        let asked = self.time_for(step).unwrap_or(left);
        let given = asked.min(left);
        let at = At { place: &step.place, deadline: now + given, given };
        if left.is_zero() {
            return Err(at
                .failure("the time was up before this step")
                .label("what it belongs to had no time left")
                .next("raise the `timeout:` of the scenario, or of the step around it"));
        }
        if let Some(when) = &step.extras.when
            && !self.holds(when, &at).await?
        {
            return Ok(());
        }
        let what = match &step.extras.name {
            // What has no value yet is told as it is written.
            Some(name) => self.get(name, &at).await.map_or_else(|_| name.to_string(), Cow::into_owned),
            None => self.filled_in(step.describe(), &step.place),
        };
        self.steps += 1;
        self.last = Some(step.place.clone());
        self.tell(Note::StepStarted { what, place: step.place.clone() });
        let started = Instant::now();
        let result = self.perform_in_tab(step, &at).await;
        let result = expected(step, &at, result);
        let took = started.elapsed();
        match result {
            Err(failure) if step.extras.optional => {
                self.tell(Note::Notice(format!("optional step left out: {}", failure.diagnostic.title)));
                self.tell(Note::StepEnded { took, passed: true });
                Ok(())
            }
            Err(failure) if step.extras.soft && failure.cause == Cause::Page => {
                self.soft.push(failure);
                self.tell(Note::StepEnded { took, passed: false });
                Ok(())
            }
            result => {
                self.tell(Note::StepEnded { took, passed: result.is_ok() });
                // With less time than it asked for, a step may have failed for nothing else.
                result
                    .map_err(|failure| if given < asked { Self::short_of_time(failure, given, until) } else { failure })
            }
        }
    }

    /// Says of a failure that the step was given less time than it asked for.
    fn short_of_time(failure: Failure, given: Duration, until: Instant) -> Failure {
        if Instant::now() < until || failure.diagnostic.details.iter().any(|detail| detail.title == CUT_SHORT) {
            return failure;
        }
        failure.detail(CUT_SHORT, format!("only {} were left for this step of what it belongs to", words(given)))
    }

    /// The time of its own that a step has. Flow has none unless it says so: the steps inside have theirs.
    fn time_for(&self, step: &Step) -> Option<Duration> {
        if step.extras.timeout.is_some() || step.action.inside().is_some() {
            return step.extras.timeout;
        }
        let usual = if step.spec.group == Group::Going { GOING_TIMEOUT } else { STEP_TIMEOUT };
        Some(self.props.step_timeout.unwrap_or(usual) + step.action.asks_for())
    }

    async fn perform_in_tab(&mut self, step: &Step, at: &At<'_>) -> Result<(), Failure> {
        let Some(tab) = &step.extras.tab else { return self.perform_here(step, at).await };
        let before = self.tabs().list().into_iter().find(|tab| tab.current).map(|tab| tab.id);
        let tab = self.get(tab, at).await?;
        self.tabs().select(&tab).map_err(|error| at.page_failure(&error))?;
        self.fresh = None;
        let result = self.perform_here(step, at).await;
        // Only this step was meant for that tab, unless it is about tabs itself.
        if let Some(before) = before.filter(|_| step.spec.group != Group::Tabs) {
            // A tab that has closed meanwhile has left another one current.
            let _ = self.tabs().select(&before);
        }
        self.fresh = None;
        result
    }

    async fn perform_here(&mut self, step: &Step, at: &At<'_>) -> Result<(), Failure> {
        let result = self.perform_and_await_tab(step, at).await;
        // A loop or a group fails with a step inside, which may have been another user's or in another tab.
        if step.action.inside().is_some() {
            return result;
        }
        result.map_err(|failure| {
            self.at_fault = Some(self.page());
            self.with_cleared(self.with_tabs(step, failure))
        })
    }

    async fn perform_and_await_tab(&mut self, step: &Step, at: &At<'_>) -> Result<(), Failure> {
        let acts = matches!(step.spec.group, Group::Acting | Group::Going | Group::Tabs | Group::Around);
        // Only what asks and decides happens in no time.
        if !matches!(step.spec.group, Group::Asserting | Group::Flow) {
            self.fresh = None;
        }
        match step.spec.group {
            Group::Acting => self.let_go(step, at).await?,
            Group::Going | Group::Tabs | Group::Around => self.let_end(at).await,
            _ => {}
        }
        let opens = match &step.extras.opens {
            Some(name) => Some(self.get(name, at).await?),
            None => None,
        };
        if let Some(name) = &opens {
            self.tabs().want_free(name, at.deadline).await.map_err(|error| at.page_failure(&error))?;
        }
        let traffic = self.tabs().traffic().clone();
        let before = traffic.counts();
        traffic.take_act();
        let opened_before = self.tabs().opened();
        let result = self.perform_action(step, at).await;
        if acts {
            // Looking for its target may have taken long enough for what the act before set off.
            let counts = traffic.take_act().unwrap_or(before);
            self.milestones_now().mark(counts, &step.place);
        }
        result?;
        if let Some(name) = opens {
            self.tabs()
                .next_opened(opened_before, Some(&name), at.deadline)
                .await
                .map_err(|error| at.page_failure(&error))?;
        }
        Ok(())
    }

    /// Before an act: what the last one set off comes first, since it may replace what this one is about. It may take half of the
    /// time; a page that never rests is acted on as it is.
    async fn let_go(&self, step: &Step, at: &At<'_>) -> Result<(), Failure> {
        let (page, now) = (self.page(), Instant::now());
        let until = now + at.deadline.saturating_duration_since(now) / 2;
        match if step.action.aims() { page.make_way(until).await } else { page.settle(until).await } {
            Err(error) if !error.is_late() => Err(at.page_failure(&error)),
            _ => Ok(()),
        }
    }

    /// Before a step of another kind: what acts set off has its end first. What is wrong with the page is for the step itself to tell,
    /// if it concerns it.
    async fn let_end(&self, at: &At<'_>) {
        let now = Instant::now();
        let until = now + LET_END.min(at.deadline.saturating_duration_since(now) / 2);
        let _ = self.page().let_end(until).await;
    }

    /// Performs what the step does, and cuts it off when its time is over.
    pub(super) async fn perform_in_time(&mut self, step: &Step, at: &At<'_>) -> Result<(), Failure> {
        let result = if step.action.inside().is_some() {
            // Questions are those of the steps inside.
            timeout_at(at.deadline + GRACE, step.action.perform(self, at)).await
        } else {
            let asked = self.troubling_question();
            let result = tokio::select! {
                biased;
                result = timeout_at(at.deadline + GRACE, step.action.perform(self, at)) => result,
                // Nothing that the step still waits for would make it good.
                () = asked => Ok(Ok(())),
            };
            self.answer_for_questions(at.place)?;
            result
        };
        match result {
            Ok(result) => result,
            Err(_) => Err(at.failure(format!("the step did not end within {}", words(at.given))).label("cut off here")),
        }
    }

    /// The page as it is once what the last act set off is done.
    pub(super) async fn look(&mut self, at: &At<'_>) -> Result<Arc<Seen>, Failure> {
        if let Some(seen) = &self.fresh {
            return Ok(seen.clone());
        }
        let page = self.page();
        page.settle(at.deadline).await.map_err(|error| at.page_failure(&error))?;
        page.outline(at.deadline).await.map_err(|error| at.page_failure(&error))
    }

    /// Keeps an outline that was read after the last act, so that the expression which follows need not read again.
    pub(super) fn keep(&mut self, seen: Arc<Seen>) {
        self.fresh = Some(seen);
    }

    /// The next look reads the page again.
    pub(super) fn forget(&mut self) {
        self.fresh = None;
    }

    /// The readings as reports print them, from an outline.
    pub(super) fn readings(&self, seen: &Seen) -> Vec<(String, String)> {
        self.props.readings.iter().map(|reading| (reading.name.clone(), shown(&reading.value(&seen.outline)))).collect()
    }

    /// The readings as they were last seen, for the end of a play.
    pub async fn last_readings(&mut self) -> Vec<(String, String)> {
        let seen = match &self.fresh {
            Some(seen) => seen.clone(),
            None => match self.page().outline(Instant::now() + STEP_TIMEOUT).await {
                Ok(seen) => seen,
                Err(_) => return Vec::new(),
            },
        };
        self.readings(&seen)
    }

    /// The values that the names stand for now; the page is read only when they need it.
    pub(super) async fn values(&mut self, names: &Names, at: &At<'_>) -> Result<Values, Failure> {
        let seen = if self.needs_page(names) { Some(self.look(at).await?) } else { None };
        Ok(self.values_of(names, seen.as_deref()))
    }

    /// Whether the names can only be known by looking at the page.
    pub(super) fn needs_page(&self, names: &Names) -> bool {
        names.page
            || names.names.iter().any(|name| {
                name == "url" || name == "title" || self.props.readings.iter().any(|reading| reading.name == *name)
            })
    }

    /// The values that the names stand for, given what the page shows.
    pub(super) fn values_of(&self, names: &Names, seen: Option<&Seen>) -> Values {
        let mut values = self.base.clone();
        for name in &names.names {
            // `env.X` and `secret.X` are members of two objects; the others are names of their own.
            let root = name.split('.').next().unwrap_or(name);
            if let Some(value) = self.value(root, seen) {
                values.scope.insert(root.to_owned(), value);
            }
        }
        values.outline = seen.filter(|_| names.page).map(|seen| seen.outline.clone());
        values
    }

    fn value(&self, name: &str, seen: Option<&Seen>) -> Option<Json> {
        match name {
            "url" => return seen.map(|seen| Json::from(seen.url.as_str())),
            "title" => return seen.map(|seen| Json::from(seen.title.as_str())),
            "turn" => return self.turns.last().map(|turn| Json::from(*turn)),
            "base" => return self.base().map(Json::from),
            "other" => return self.props.site.as_ref().map(|site| Json::from(site.other())),
            _ => {}
        }
        if let Some(reading) = self.props.readings.iter().find(|reading| reading.name == name) {
            return seen.map(|seen| reading.value(&seen.outline));
        }
        self.props.variables.get(name).cloned()
    }

    /// What is told of a step, with the values that are at hand. What only the page knows, and what another look would make another value
    /// (`random()`), is told as it is written; so are the origins, whose ports say nothing.
    fn filled_in(&self, what: String, place: &Place) -> String {
        if !what.contains("{{") || what.contains('(') {
            return what;
        }
        let node = Node { kind: Kind::Scalar { text: what, plain: false }, place: place.clone() };
        let template = Template::parse(&node, &mut Problems::default());
        let template = template.filter(|template| {
            let names = template.names();
            !self.needs_page(names) && !names.names.contains("base") && !names.names.contains("other")
        });
        let filled = template.and_then(|template| template.render(&self.values_of(template.names(), None)).ok());
        filled.unwrap_or_else(|| node.text().unwrap_or_default().to_owned())
    }

    /// Gives a variable a value.
    pub(super) fn set(&mut self, name: &str, value: Json) {
        self.props.variables.insert(name.to_owned(), value);
    }

    /// Gives variables of the scenario their values, in order: those with templates may ask for those before them.
    ///
    /// # Errors
    /// When a template has no value.
    pub async fn fill(&mut self, variables: &[(String, Place, Value)], until: Instant) -> Result<(), Failure> {
        for (name, place, value) in variables {
            let at = At { place, deadline: until, given: until.saturating_duration_since(Instant::now()) };
            let value = value.evaluate(self, &at).await?;
            self.set(name, value);
        }
        Ok(())
    }

    /// The value of a variable, if it has one.
    pub(super) fn variable(&self, name: &str) -> Option<Json> {
        self.props.variables.get(name).cloned()
    }

    /// Gives a variable the value that it had before, or none.
    pub(super) fn put_back(&mut self, name: &str, before: Option<Json>) {
        match before {
            Some(value) => self.set(name, value),
            None => drop(self.props.variables.remove(name)),
        }
    }

    /// The value of an argument, with its templates filled in.
    pub(super) async fn get<'d, T: Readable>(
        &mut self,
        deferred: &'d Deferred<T>,
        at: &At<'_>,
    ) -> Result<Cow<'d, T>, Failure> {
        let values = match deferred.names() {
            Some(names) => self.values(names, at).await?,
            None => Values::default(),
        };
        deferred.get(&values).map_err(|diagnostic| Failure::of(at.place, diagnostic))
    }

    /// The value of a template: text, or the type of the one expression that it is.
    pub(super) async fn evaluate(&mut self, template: &Template, at: &At<'_>) -> Result<Json, Failure> {
        let values = self.values(template.names(), at).await?;
        template.value(&values).map_err(|error| Failure::of(at.place, error.diagnostic()))
    }

    pub(super) async fn holds(&mut self, expression: &Expression, at: &At<'_>) -> Result<bool, Failure> {
        let values = self.values(expression.names(), at).await?;
        expression.holds(&values).map_err(|error| Failure::of(at.place, error.diagnostic()))
    }
}

/// A step that has `fails:` must fail, and with that message.
fn expected(step: &Step, at: &At<'_>, result: Result<(), Failure>) -> Result<(), Failure> {
    let Some(fails) = &step.extras.fails else { return result };
    match result {
        Ok(()) => Err(at
            .failure("the step was expected to fail, and did not")
            .label(format!("expected to fail with {fails}"))
            .next("take `fails:` away, or look at what the page does now")),
        // A page is expected to refuse, not the browser to go.
        Err(failure) if failure.cause == Cause::World => Err(failure),
        Err(failure) if fails.is_in_message(&failure.diagnostic.title) => Ok(()),
        Err(failure) => {
            let title = failure.diagnostic.title.clone();
            let mut failure = at.failure("the step failed, but not as expected").label(format!("expected {fails}"));
            failure = failure.detail("it failed with", title);
            Err(failure)
        }
    }
}

/// A JSON value as a report prints it: text without quotes, nothing as `–`.
fn shown(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        Json::Null => "–".to_owned(),
        other => other.to_string(),
    }
}
