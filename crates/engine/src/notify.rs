//! Telling a person that a question waits: a program of theirs is started with a line about it.
//!
//! The program is named by the user's own configuration, so it runs as a trusted helper: no shell, few variables and no
//! secret, little time. What it is told comes from an agent, so it is letters, digits and a few signs, short, and never
//! looks like an option. Whether it worked changes nothing about the question; trouble is told once.

use std::collections::{BTreeMap, VecDeque};
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use argrail_sandbox::{Command, Ended, Stdin};
use argrail_spec::config::Notify;

use crate::store::Request;

/// How long the program may take.
const TIME: Duration = Duration::from_secs(5);
/// How many bytes of its output are read; they are of no interest.
const OUTPUT: u64 = 64 * 1024;
/// How many may run at once. The others have their turn.
const AT_ONCE: usize = 4;
/// How many may wait for their turn: as many as questions may wait for people.
const MOST_WAITING: usize = 128;
/// The most characters that are filled in.
const LONGEST: usize = 160;

/// What shows a notification on a desktop.
const DESKTOP: [&str; 4] = ["notify-send", "--app-name=argrail", "argrail", "{summary}"];

/// The variables that such a program needs to find its user's desktop.
const VARIABLES: [&str; 10] = [
    "HOME",
    "USER",
    "LANG",
    "LC_ALL",
    "TZ",
    "DISPLAY",
    "XAUTHORITY",
    "WAYLAND_DISPLAY",
    "XDG_RUNTIME_DIR",
    "DBUS_SESSION_BUS_ADDRESS",
];

/// Where programs that it starts are looked for.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// What is said when it does not work.
pub type Complain = Arc<dyn Fn(&str) + Send + Sync>;

/// Tells people. At its end it waits for what has not been told yet, for as long as one program may take.
pub struct Notifier {
    words: Vec<String>,
    home: PathBuf,
    environment: BTreeMap<OsString, OsString>,
    complain: Complain,
    complained: Arc<AtomicBool>,
    queue: Arc<Mutex<Queue>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

/// What is to be told.
#[derive(Default)]
struct Queue {
    waiting: VecDeque<Command>,
    running: usize,
    /// Set at the end: from then on nothing more is begun.
    until: Option<Instant>,
}

impl Queue {
    fn of(queue: &Mutex<Self>) -> MutexGuard<'_, Self> {
        queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next one; nothing if whoever asks is to end.
    fn next(&mut self) -> Option<Command> {
        let late = self.until.is_some_and(|until| Instant::now() >= until);
        let next = if late { None } else { self.waiting.pop_front() };
        self.running -= usize::from(next.is_none());
        next
    }
}

impl fmt::Debug for Notifier {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Notifier")
            .field("words", &self.words)
            .finish_non_exhaustive()
    }
}

impl Notifier {
    /// Makes one as the configuration says; without a word there, it tells nobody. `home` is what `~` means, and
    /// `complain` is called once if telling does not work.
    pub fn new(
        notify: Option<&Notify>,
        home: &Path,
        environment: &BTreeMap<OsString, OsString>,
        complain: Complain,
    ) -> Self {
        let words = match notify {
            None => Vec::new(),
            Some(Notify::Desktop) => DESKTOP.map(str::to_owned).to_vec(),
            Some(Notify::Command(words)) => words.clone(),
        };
        let passed = |name: &str| {
            let name = OsString::from(name);
            let value = environment.get(&name)?.clone();
            Some((name, value))
        };
        let mut environment: BTreeMap<OsString, OsString> =
            VARIABLES.into_iter().filter_map(passed).collect();
        environment.insert("PATH".into(), PATH.into());
        Self {
            words,
            home: home.to_owned(),
            environment,
            complain,
            complained: Arc::default(),
            queue: Arc::default(),
            threads: Mutex::default(),
        }
    }

    /// Tells that a question waits, the first time that it is asked. Returns at once.
    pub fn tell(&self, request: &Request) {
        if self.words.is_empty() || request.times > 1 {
            return;
        }
        let command = Command::host(self.argv(request), Path::new("/"))
            .environment(self.environment.clone())
            .stdin(Stdin::Null)
            .timeout(TIME)
            .max_output(OUTPUT);
        {
            let mut queue = Queue::of(&self.queue);
            if queue.waiting.len() >= MOST_WAITING {
                drop(queue);
                complain(&self.complain, &self.complained, "too many questions wait for it");
                return;
            }
            queue.waiting.push_back(command);
            if queue.running >= AT_ONCE {
                return;
            }
            queue.running += 1;
        }
        let (say, said) = (Arc::clone(&self.complain), Arc::clone(&self.complained));
        let queue = Arc::clone(&self.queue);
        let tell_all = move || {
            // Bound first: the queue is not held while a program runs.
            while let Some(command) = { Queue::of(&queue).next() } {
                if let Some(trouble) = trouble(command) {
                    complain(&say, &said, &trouble);
                }
            }
        };
        match std::thread::Builder::new().name("notify".into()).spawn(tell_all) {
            Ok(thread) => {
                let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
                threads.retain(|thread| !thread.is_finished());
                threads.push(thread);
            }
            Err(error) => {
                // The next question tries again, for this one too.
                Queue::of(&self.queue).running -= 1;
                complain(&self.complain, &self.complained, &error.to_string());
            }
        }
    }

    /// The words, with what is known of the question in its places.
    fn argv(&self, request: &Request) -> Vec<OsString> {
        let shown = |key: &str| request.shown.get(key).and_then(|value| value.as_str());
        let id = plain(&request.id.0);
        let tool = plain(shown("tool").unwrap_or_default());
        let command = plain(shown("command").unwrap_or_default());
        let caller = plain(&request.caller);
        let summary = plain(&format!("{command} asked by {caller}: argrail approve {id}"));
        let fill = |word: &String| {
            let mut filled = String::new();
            let mut rest = word.as_str();
            // From left to right, so that nothing that was filled in is looked at again.
            while let Some(at) = rest.find('{') {
                let (before, from) = rest.split_at(at);
                filled.push_str(before);
                let places = [("{id}", &id), ("{tool}", &tool), ("{summary}", &summary)];
                let place = places.iter().find(|(place, _)| from.starts_with(place));
                let (value, length) = match place {
                    Some((place, value)) => (value.as_str(), place.len()),
                    None => ("{", 1),
                };
                filled.push_str(value);
                rest = from.get(length..).unwrap_or_default();
            }
            filled.push_str(rest);
            OsString::from(filled)
        };
        let mut argv: Vec<OsString> = self.words.iter().map(fill).collect();
        if let (Some(program), Some(word)) = (argv.first_mut(), self.words.first())
            && let Some(rest) = word.strip_prefix("~/")
        {
            *program = self.home.join(rest).into();
        }
        argv
    }
}

/// Runs the program; returns what went wrong.
fn trouble(command: Command) -> Option<String> {
    match command.run() {
        Ok(report) if report.timed_out => Some("it took too long".to_owned()),
        Ok(report) => match report.ended {
            Ended::Exit(0) => None,
            Ended::Exit(code) => Some(format!("it ended with {code}")),
            Ended::Signal(signal) => Some(format!("signal {signal} ended it")),
        },
        Err(error) => Some(error.to_string()),
    }
}

fn complain(complain: &Complain, complained: &AtomicBool, trouble: &str) {
    if !complained.swap(true, Ordering::Relaxed) {
        complain(&format!("notify in the configuration does not work: {trouble}"));
    }
}

impl Drop for Notifier {
    fn drop(&mut self) {
        Queue::of(&self.queue).until = Some(Instant::now() + TIME);
        let threads = std::mem::take(self.threads.get_mut().unwrap_or_else(PoisonError::into_inner));
        for thread in threads {
            let _ = thread.join();
        }
        let left = Queue::of(&self.queue).waiting.len();
        if left > 0 {
            (self.complain)(&format!(
                "notify in the configuration takes too long: {left} questions were not told; see: argrail approvals"
            ));
        }
    }
}

/// Foreign text that means nothing to a shell, to markup or to a parser of options.
fn plain(text: &str) -> String {
    let simple =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, ' ' | '.' | '_' | ':' | '/' | '@' | '+' | '-');
    let mut out: String = text
        .chars()
        .take(LONGEST)
        .map(|c| if simple(c) { c } else { '?' })
        .collect();
    if out.starts_with('-') {
        out.replace_range(..1, "?");
    }
    out
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use argrail_spec::config::Notify;
    use jiff::Timestamp;
    use serde_json::json;

    use super::*;
    use crate::policy::RequestId;
    use crate::store::State;

    fn request(command: &str, times: u64) -> Request {
        Request {
            id: RequestId("k7m2qd".to_owned()),
            binding: String::new(),
            caller: "local:helper".to_owned(),
            shown: json!({"tool": "git", "command": command}),
            created: Timestamp::UNIX_EPOCH,
            expires: Timestamp::UNIX_EPOCH,
            times,
            state: State::Pending,
        }
    }

    fn notifier(words: &[&str], complain: Complain) -> Notifier {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        let environment = [("HOME", "/srv/u"), ("API_TOKEN", "secret"), ("DISPLAY", ":0")];
        let environment = environment.map(|(name, value)| (name.into(), value.into()));
        let notify = Notify::Command(words);
        Notifier::new(
            Some(&notify),
            Path::new("/srv/u"),
            &BTreeMap::from(environment),
            complain,
        )
    }

    fn quiet() -> Complain {
        Arc::new(|_| {})
    }

    #[test]
    fn what_is_filled_in_is_plain_and_stays_one_word() {
        let check = |words: &[&str], command: &str, want: &[&str]| {
            assert_eq!(notifier(words, quiet()).argv(&request(command, 1)), want);
        };
        check(
            &["n", "{summary}"],
            "git push",
            &["n", "git push asked by local:helper: argrail approve k7m2qd"],
        );
        check(
            &["n", "--id={id}", "{x}", "{"],
            "git",
            &["n", "--id=k7m2qd", "{x}", "{"],
        );
        check(
            &["~/bin/n", "{summary}"],
            "-rf $(x) `y`; <b>\u{1b}[2J{id}",
            &[
                "/srv/u/bin/n",
                "?rf ??x? ?y?? ?b???2J?id? asked by local:helper: argrail approve k7m2qd",
            ],
        );
        let long = notifier(&["n", "{summary}"], quiet()).argv(&request(&"x".repeat(9999), 1));
        assert_eq!(long[1].len(), LONGEST);
    }

    #[test]
    fn a_program_is_told_once_for_each_question_and_gets_no_secret() {
        let place = std::env::temp_dir().join(format!("argrail-notify-{}", std::process::id()));
        let file = place.to_str().unwrap();
        let script = "printf '%s\\n' \"$1\" >> \"$2\"; env >> \"$2\"";
        let words = ["/bin/sh", "-c", script, "sh", "{id}", file];
        let one = notifier(&words, quiet());
        one.tell(&request("git push", 1));
        one.tell(&request("git push", 2));
        drop(one);
        let told = std::fs::read_to_string(&place).unwrap();
        std::fs::remove_file(&place).unwrap();
        assert_eq!(told.matches("k7m2qd").count(), 1, "{told}");
        assert!(told.contains("DISPLAY=:0") && !told.contains("secret"), "{told}");
    }

    #[test]
    fn every_question_is_told_also_where_many_come_at_once() {
        let place = std::env::temp_dir().join(format!("argrail-notify-many-{}", std::process::id()));
        let words = [
            "/bin/sh",
            "-c",
            "printf '%s\\n' \"$1\" >> \"$2\"",
            "sh",
            "{summary}",
        ];
        let words = words.into_iter().chain([place.to_str().unwrap()]);
        let one = notifier(&words.collect::<Vec<_>>(), quiet());
        for number in 0..20 {
            one.tell(&request(&format!("push {number} now"), 1));
        }
        drop(one);
        let told = std::fs::read_to_string(&place).unwrap();
        std::fs::remove_file(&place).unwrap();
        for number in 0..20 {
            let wanted = format!("push {number} now asked by");
            assert_eq!(told.matches(&wanted).count(), 1, "{wanted}: {told}");
        }
    }

    #[test]
    fn trouble_is_told_once() {
        let (say, said) = mpsc::channel();
        let complain: Complain = Arc::new(move |text: &str| drop(say.send(text.to_owned())));
        for words in [&["/bin/sh", "-c", "exit 3"][..], &["/srv/no/such/program"][..]] {
            let one = notifier(words, Arc::clone(&complain));
            one.tell(&request("a", 1));
            one.tell(&request("b", 1));
            drop(one);
            let text = said.try_recv().unwrap();
            assert!(
                text.starts_with("notify in the configuration does not work: "),
                "{text}"
            );
            assert!(said.try_recv().is_err(), "once");
        }
    }
}
