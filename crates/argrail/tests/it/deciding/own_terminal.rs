//! A tool that makes a terminal, sits down at it and runs `argrail approve`: as root and as a plain user, in its sandbox.

use argrail_testkit::Run;

use crate::attacks::harness::{Host, Target, each_host};

/// A machine on which a tool tries to answer for a person.
struct Machine(Target);

impl Machine {
    fn new(host: Host) -> Self {
        let target = Target::new(host);
        let root = target.path("");
        let path = format!("{}:/usr/bin:/bin", target.home().bin().display());
        // What it is made of stands where every tool may read.
        let script = format!(
            "#!/bin/sh\nexport HOME={root}home XDG_STATE_HOME={root}state\n\
             exec {root}work/hostile at-own-terminal {root}work/argrail \"$@\"\n"
        );
        let target = target.env("PATH", &path).tool("answers", &script);
        for name in ["hostile", "argrail"] {
            let to = target.path(&format!("work/{name}"));
            std::fs::copy(target.path(&format!("programs/{name}")), to).unwrap();
        }
        Self(target)
    }

    fn argrail(&self, words: &[&str]) -> Run {
        self.start(&self.0.path("programs/argrail"), words)
    }

    /// The tool itself, where nothing stops it.
    fn outside(&self, words: &[&str]) -> Run {
        self.start(&self.0.path("bin/answers"), words)
    }

    fn start(&self, program: &str, words: &[&str]) -> Run {
        self.0.own();
        let mut all = self.0.start_words();
        all.push(program.to_owned());
        all.extend(words.iter().map(|word| (*word).to_owned()));
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        self.0.home().run(self.0.hostile(), &all)
    }

    /// Makes a call that asks, and returns the question.
    #[track_caller]
    fn asks(&self, command: &str) -> String {
        let run = self.argrail(&["call", command]);
        let id = run.json()["error"]["approval"].as_str().map(str::to_owned);
        id.unwrap_or_else(|| panic!("{run}"))
    }

    fn waits(&self, id: &str) -> bool {
        let pending = self.argrail(&["approvals", "--json"]).json()["data"]["pending"].clone();
        pending
            .as_array()
            .unwrap()
            .iter()
            .any(|waiting| waiting["id"] == id)
    }

    /// Makes the call after a person said yes to it.
    #[track_caller]
    fn agreed(&self, command: &str) -> Run {
        let token = self.0.path("state/token-of-a-person");
        if !std::path::Path::new(&token).exists() {
            let made = self.outside(&["approvals", "--new-token", &token]);
            assert!(made.stdout.starts_with("ESCAPED: "), "{made}");
        }
        let id = self.asks(command);
        let yes = self.argrail(&["approve", &id, "--token-file", &token, "--destructive"]);
        assert_eq!(yes.exit, Some(0), "{yes}");
        self.argrail(&["call", command])
    }
}

/// As after `su`: the terminal belongs to whoever made it, and is handed to the user who decides.
#[test]
fn a_terminal_that_belongs_to_another_user_is_a_terminal() {
    each_host(|host| {
        let machine = Machine::new(host);
        let id = machine.asks("touch note");
        let mut words = machine.0.start_words();
        words.extend([
            machine.0.path("programs/argrail"),
            "approve".to_owned(),
            id.clone(),
        ]);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut terminal = machine.0.home().spawn_on_terminal(machine.0.hostile(), &words);
        terminal.expect("Type y for yes:");
        assert!(machine.waits(&id), "{host:?}");
        terminal.type_in("y\n");
        assert_eq!(terminal.wait(), Some(0), "{host:?}");
        assert!(!machine.waits(&id), "{host:?}");
    });
}

#[test]
fn a_terminal_that_a_tool_makes_reaches_no_question() {
    each_host(|host| {
        let machine = Machine::new(host);
        for verb in ["approve", "deny"] {
            let waiting = machine.asks("touch note");
            let command = format!("answers {verb} {waiting}");
            let run = machine.agreed(&command);
            let data = &run.json()["data"];
            assert_eq!(data["exitCode"], 0, "{host:?}: {run}");
            assert!(
                data["stdout"].as_str().unwrap().starts_with("blocked: "),
                "{host:?}: {run}"
            );
            assert!(machine.waits(&waiting), "{host:?}: {run}");
            // Outside it works: a program of the same user is not held by us, and doctor says so.
            let free = machine.outside(&[verb, &waiting]);
            assert!(free.stdout.starts_with("ESCAPED: "), "{host:?}: {free}");
            assert!(!machine.waits(&waiting), "{host:?}: {free}");
            machine.argrail(&["call", "touch note"]);
        }
        let token = machine.0.path("state/t");
        let command = format!("answers approvals --new-token {token} --elicitation");
        let run = machine.agreed(&command);
        assert!(!std::path::Path::new(&token).exists(), "{host:?}: {run}");
    });
}
