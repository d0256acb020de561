//! Whether somebody is signed in where a tool wants that (ATIP §3.2.7).
//!
//! A variable that is set or a file that exists counts, until the tool's own `checkCommand` says otherwise. That command
//! is text of a description: it is never run here, but handed to whoever runs commands, under all rules that hold for
//! an agent's. No value of a variable is looked at beyond whether there is one.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use argrail_acli::{Code, Error, Limits, Text, tokenize};
use argrail_spec::atip::{AuthMethod, Authentication};
use argrail_spec::identity::Identity;

use super::signed_in::{Key, SignedIn};

/// How long a `checkCommand` may take.
const CHECK: Duration = Duration::from_secs(10);
/// How much of a `setupCommand` is told.
const SETUP: usize = 500;

/// The call that is about to be made, and where.
pub struct Asked<'a> {
    /// The tool.
    pub tool: &'a str,
    /// All words of the call, the tool first.
    pub words: &'a [String],
    /// What the tool, or its command, wants.
    pub authentication: &'a Authentication,
    /// The file that its program is.
    pub program: Option<Identity>,
    /// Looks a variable up in our own environment.
    pub environment: &'a dyn Fn(&str) -> Option<OsString>,
    /// The home.
    pub home: &'a Path,
    /// What time it is.
    pub now: Instant,
}

/// What a `checkCommand` said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckOutcome {
    /// It ended well.
    SignedIn,
    /// It failed.
    SignedOut,
    /// It was not run, because it may not be without a question or could not be started; or it ran without what shows
    /// that somebody is signed in, so that its failure says nothing.
    Untold,
}

/// What is next.
#[derive(Debug)]
pub enum Step {
    /// The call.
    Ready,
    /// The tool's own check, and then [`Check::settle`].
    Check(Check),
    /// Nothing: somebody has to sign in.
    Refused(Error),
}

/// A check that is to be made.
#[derive(Debug)]
pub struct Check {
    key: Key,
    wanted: Box<Authentication>,
    found: Found,
    error: Error,
    now: Instant,
}

/// Whether something shows that somebody is signed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    Something,
    Nothing,
}

/// Says what is next.
pub fn step(asked: &Asked<'_>, known: &SignedIn) -> Step {
    let wanted = asked.authentication;
    let needs_nothing = wanted.methods.iter().any(|method| method.kind == "none");
    if wanted.required != Some(true) || needs_nothing || leads_in(asked) {
        return Step::Ready;
    }
    let found = found(asked);
    let error = refusal(asked.tool, &wanted.methods);
    match (wanted.check_command.as_deref().and_then(words), found) {
        (None, Found::Something) => Step::Ready,
        (None, Found::Nothing) => Step::Refused(error),
        (Some(check), found) => {
            let key = Key {
                tool: asked.tool.to_owned(),
                check,
                program: asked.program,
                variables: variables(asked).map(str::to_owned).collect(),
            };
            match known.is_known(&key, asked.now) {
                true => Step::Ready,
                false => Step::Check(Check {
                    key,
                    wanted: Box::new(wanted.clone()),
                    found,
                    error,
                    now: asked.now,
                }),
            }
        }
    }
}

impl Check {
    /// Returns the words to run, the tool first. They are a description's: policy judges them as any others.
    pub fn words(&self) -> &[String] {
        &self.key.check
    }

    /// Returns what the call wants that it is made for.
    pub fn wanted(&self) -> &Authentication {
        &self.wanted
    }

    /// Returns the variables that show that somebody is signed in. A check without them cannot tell.
    pub fn variables(&self) -> &[String] {
        &self.key.variables
    }

    /// Returns how long it may take.
    pub const fn timeout(&self) -> Duration {
        CHECK
    }

    /// Says whether the call can be made, and remembers a yes for a while.
    ///
    /// # Errors
    /// `AUTH_REQUIRED`, with what a person runs to sign in.
    pub fn settle(self, outcome: CheckOutcome, known: &SignedIn) -> Result<(), Error> {
        match (outcome, self.found) {
            (CheckOutcome::SignedIn, _) => {
                known.remember(self.key, self.now);
                Ok(())
            }
            (CheckOutcome::Untold, Found::Something) => Ok(()),
            (CheckOutcome::SignedOut, _) | (CheckOutcome::Untold, Found::Nothing) => {
                known.forget(&self.key);
                Err(self.error)
            }
        }
    }
}

/// Whether the call is itself how one signs in, or asks whether one is.
fn leads_in(asked: &Asked<'_>) -> bool {
    let wanted = asked.authentication;
    let setups = wanted
        .methods
        .iter()
        .filter_map(|method| method.setup_command.as_deref());
    let mut ways = setups.chain(wanted.check_command.as_deref()).filter_map(words);
    // A single word would be every call of the tool.
    ways.any(|way| way.len() > 1 && asked.words.starts_with(&way))
}

/// The words of a command in a description; none when it has none that can be read.
fn words(command: &str) -> Option<Vec<String>> {
    let words = tokenize(command, &Limits::default()).ok()?;
    let words: Vec<String> = words.into_iter().map(std::borrow::Cow::into_owned).collect();
    (!words.is_empty()).then_some(words)
}

fn found(asked: &Asked<'_>) -> Found {
    let has_variable = variables(asked).next().is_some();
    let mut files = asked.authentication.methods.iter().filter_map(|method| {
        let path = method.config_path.as_deref()?;
        located(path, asked.home)
    });
    match has_variable || files.any(|file| file.exists()) {
        true => Found::Something,
        false => Found::Nothing,
    }
}

/// The variables that are set, and not to nothing.
fn variables<'a>(asked: &'a Asked<'_>) -> impl Iterator<Item = &'a str> {
    let named = asked.authentication.variables().into_iter();
    named.filter(|name| (asked.environment)(name).is_some_and(|value| !value.is_empty()))
}

/// Where a file is that a description names: absolute, or below the home.
fn located(path: &str, home: &Path) -> Option<PathBuf> {
    match path.strip_prefix("~/") {
        Some(rest) => Some(home.join(rest)),
        None => Some(PathBuf::from(path)).filter(|path| path.is_absolute()),
    }
}

fn refusal(tool: &str, methods: &[AuthMethod]) -> Error {
    let setup = methods.iter().find_map(|method| method.setup_command.as_deref());
    let variables: Vec<&str> = methods
        .iter()
        .filter_map(|method| method.env_var.as_deref())
        .collect();
    let hint = match (setup, variables.first()) {
        (Some(setup), _) => Text::new("Run {}").value(setup),
        (None, Some(variable)) => Text::new("Set {} where argrail is started").value(variable),
        (None, None) => Text::new("A person has to sign in to {} first").value(tool),
    };
    let error = Error::new(
        Code::AuthRequired,
        Text::new("nobody is signed in to {}").value(tool),
    )
    .hint(hint);
    let error = match variables.is_empty() {
        true => error,
        false => error.detail("variables", variables),
    };
    match setup {
        Some(setup) => error.detail("setupCommand", setup.chars().take(SETUP).collect::<String>()),
        None => error,
    }
}

#[cfg(test)]
mod tests {
    use argrail_testkit::Home;
    use serde_json::{Value, json};

    use super::*;

    /// One case: what is wanted, what there is, what the check would say.
    struct Case {
        authentication: Value,
        variables: &'static [(&'static str, &'static str)],
        words: &'static [&'static str],
        outcome: CheckOutcome,
    }

    impl Default for Case {
        fn default() -> Self {
            Self {
                authentication: gh(),
                variables: &[],
                words: &["gh", "pr", "list"],
                outcome: CheckOutcome::Untold,
            }
        }
    }

    fn gh() -> Value {
        json!({"required": true, "methods": [
            {"type": "token", "envVar": "GITHUB_TOKEN", "configPath": "~/.config/gh/hosts.yml"},
            {"type": "oauth", "setupCommand": "gh auth login"},
        ], "checkCommand": "gh auth status"})
    }

    fn decoded(authentication: &Value) -> Authentication {
        let text = json!({"atip": "0.1", "name": "gh", "version": "1", "description": "d",
            "authentication": authentication});
        let loaded = argrail_spec::atip::load(text.to_string().as_bytes()).unwrap();
        loaded.metadata.authentication.unwrap()
    }

    /// Runs a case in a home; returns how it ended, and what was run.
    fn run(case: &Case, home: &Path, known: &SignedIn, now: Instant) -> (Result<(), Error>, Vec<String>) {
        let lookup = |name: &str| {
            let found = case.variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| OsString::from(*value))
        };
        let words: Vec<String> = case.words.iter().map(|word| (*word).to_owned()).collect();
        let asked = Asked {
            tool: "gh",
            words: &words,
            authentication: &decoded(&case.authentication),
            program: None,
            environment: &lookup,
            home,
            now,
        };
        let mut ran = Vec::new();
        let outcome = match step(&asked, known) {
            Step::Ready => Ok(()),
            Step::Refused(error) => Err(error),
            Step::Check(next) => {
                assert!(next.timeout() <= Duration::from_secs(10));
                ran.push(next.words().join(" "));
                next.settle(case.outcome, known)
            }
        };
        (outcome, ran)
    }

    fn check(case: Case, want: Result<(), &str>, ran: &[&str]) {
        let home = Home::new();
        let (outcome, came) = run(&case, home.root(), &SignedIn::default(), Instant::now());
        assert_eq!(came, ran, "{}", case.authentication);
        match (outcome, want) {
            (Ok(()), Ok(())) => {}
            (Err(error), Err(hint)) => {
                assert_eq!((error.code(), error.exit()), (&Code::AuthRequired, 4));
                assert_eq!(error.hint_text().as_deref(), Some(hint));
            }
            (outcome, want) => panic!("{}: {outcome:?}, not {want:?}", case.authentication),
        }
    }

    const LOGIN: &str = "Run 'gh auth login'";
    const STATUS: &str = "gh auth status";

    #[test]
    fn nothing_is_asked_where_nothing_is_wanted() {
        for authentication in [
            json!({"required": false, "checkCommand": STATUS}),
            json!({"methods": [{"type": "token"}], "checkCommand": STATUS}),
            json!({"required": true, "methods": [{"type": "none"}], "checkCommand": STATUS}),
        ] {
            let case = Case {
                authentication,
                ..Case::default()
            };
            check(case, Ok(()), &[]);
        }
    }

    #[test]
    fn the_tools_own_check_has_the_last_word() {
        let set: &[(&str, &str)] = &[("GITHUB_TOKEN", "t0ken")];
        let table = [
            (CheckOutcome::SignedIn, false, Ok(())),
            (CheckOutcome::SignedIn, true, Ok(())),
            (CheckOutcome::SignedOut, false, Err(LOGIN)),
            (CheckOutcome::SignedOut, true, Err(LOGIN)),
            (CheckOutcome::Untold, false, Err(LOGIN)),
            (CheckOutcome::Untold, true, Ok(())),
        ];
        for (outcome, has_variable, want) in table {
            let case = Case {
                outcome,
                variables: if has_variable { set } else { &[] },
                ..Case::default()
            };
            check(case, want, &[STATUS]);
        }
    }

    #[test]
    fn without_a_check_a_variable_or_a_file_will_do() {
        let methods = |methods: Value| json!({"required": true, "methods": methods});
        let variable = methods(json!([{"type": "token", "envVar": "GITHUB_TOKEN"}]));
        let with = |variables| Case {
            authentication: variable.clone(),
            variables,
            ..Case::default()
        };
        let set_it = "Set 'GITHUB_TOKEN' where argrail is started";
        check(with(&[("GITHUB_TOKEN", "x")]), Ok(()), &[]);
        check(with(&[("GITHUB_TOKEN", "")]), Err(set_it), &[]);
        check(with(&[("OTHER", "x")]), Err(set_it), &[]);
        let by_hand = "A person has to sign in to 'gh' first";
        for authentication in [
            json!({"required": true}),
            methods(json!([{"type": "oauth"}])),
            methods(json!([{"type": "token", "configPath": "relative"}])),
            // What cannot be read as a command is none.
            json!({"required": true, "checkCommand": "gh 'auth"}),
            json!({"required": true, "checkCommand": " "}),
        ] {
            let case = Case {
                authentication,
                ..Case::default()
            };
            check(case, Err(by_hand), &[]);
        }
        let home = Home::new();
        let file = home.root().join(".config/gh/hosts.yml");
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, "x").unwrap();
        for path in ["~/.config/gh/hosts.yml", &file.display().to_string()] {
            let case = Case {
                authentication: methods(json!([{"type": "token", "configPath": path}])),
                ..Case::default()
            };
            let (outcome, ran) = run(&case, home.root(), &SignedIn::default(), Instant::now());
            assert!(outcome.is_ok() && ran.is_empty(), "{path}");
        }
    }

    #[test]
    fn signing_in_does_not_want_somebody_who_is_signed_in() {
        for words in [
            &["gh", "auth", "status"][..],
            &["gh", "auth", "login"],
            &["gh", "auth", "login", "--web"],
        ] {
            let case = Case {
                words,
                outcome: CheckOutcome::SignedOut,
                ..Case::default()
            };
            check(case, Ok(()), &[]);
        }
        // A command that is the tool's name alone would be every call.
        let case = Case {
            authentication: json!({"required": true, "checkCommand": "gh"}),
            outcome: CheckOutcome::SignedOut,
            ..Case::default()
        };
        check(case, Err("A person has to sign in to 'gh' first"), &["gh"]);
    }

    #[test]
    fn the_refusal_says_what_to_run_and_no_value() {
        let case = Case {
            variables: &[("GITHUB_TOKEN", "s3cret")],
            outcome: CheckOutcome::SignedOut,
            ..Case::default()
        };
        let home = Home::new();
        let (outcome, _) = run(&case, home.root(), &SignedIn::default(), Instant::now());
        let said = outcome.unwrap_err().to_json();
        assert_eq!(said["setupCommand"], "gh auth login");
        assert_eq!(said["variables"], json!(["GITHUB_TOKEN"]));
        assert!(!said.to_string().contains("s3cret"));
    }

    #[test]
    fn a_yes_is_remembered_for_a_while_and_a_no_is_not() {
        let (home, known, now) = (Home::new(), SignedIn::default(), Instant::now());
        let case = |outcome, variables| Case {
            outcome,
            variables,
            ..Case::default()
        };
        let later = |minutes: u64| now + Duration::from_secs(60 * minutes);
        let asks = |case: &Case, at| !run(case, home.root(), &known, at).1.is_empty();
        let (yes, no) = (
            case(CheckOutcome::SignedIn, &[]),
            case(CheckOutcome::SignedOut, &[]),
        );
        assert!(asks(&no, now) && asks(&no, now));
        assert!(asks(&yes, now) && !asks(&yes, later(4)));
        // Another environment is another question.
        assert!(asks(
            &case(CheckOutcome::SignedIn, &[("GITHUB_TOKEN", "x")]),
            later(4)
        ));
        assert!(asks(&no, later(5)) && asks(&yes, later(5)));
    }
}
