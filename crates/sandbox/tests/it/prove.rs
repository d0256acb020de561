//! Attempts mean something: without a sandbox around them they succeed, and with one they do not.

use argrail_sandbox::{Hold, Launcher, Proof, ProofOptions, ProofOutcome, attempts, probe_with, prove};

fn launcher() -> Launcher {
    Launcher::Path(env!("CARGO_BIN_EXE_argrail-sandbox-launcher").into())
}

fn make(name: &str, hold: Hold) -> Proof {
    let proving = ProofOptions {
        launcher: launcher(),
        hold,
    };
    prove(name, &proving).expect("an attempt of this name")
}

/// What anybody may do who is not held, whatever user and kernel this is.
const OPEN: &[&str] = &[
    "read-key-outside",
    "read-denied-key",
    "read-through-symlink",
    "read-through-proc",
    "read-through-hard-link",
    "stall-writers",
    "follow-writers",
    "write-outside",
    "write-read-grant",
    "change-start-up-file",
    "plant-start-up-file",
    "plant-git-hook",
    "write-host-tmp",
    "read-environment",
    "see-host-processes",
    "kill-host-process",
    "signal-everything",
    "use-inherited-descriptor",
    "leave-daemon",
    "reach-host-loopback",
    "reach-unix-socket",
    "reach-abstract-socket",
    "run-program",
    "fork",
    "run-unlisted-program",
    "run-copied-program",
    "run-from-memory",
    "run-through-loader",
    "use-keyring",
];

/// What the machine's root may do besides.
const OPEN_TO_ROOT: &[&str] = &[
    "open-by-handle",
    "write-core-pattern",
    "trace-host-process",
    "read-host-memory",
    "take-host-descriptor",
    "gain-privileges",
    "open-raw-socket",
    "make-device",
    "mount",
    "change-root",
    "make-namespace",
];

#[test]
fn without_a_sandbox_attempts_escape() {
    let root = is_root();
    let also = if root { OPEN_TO_ROOT } else { &[] };
    for name in OPEN.iter().chain(also) {
        let proof = make(name, Hold::Nothing);
        assert_eq!(proof.outcome, ProofOutcome::Escaped, "{proof:?}");
    }
}

/// Whether this is root, by what only root may read.
fn is_root() -> bool {
    std::fs::read("/proc/1/environ").is_ok()
}

#[test]
fn in_a_sandbox_every_attempt_is_blocked() {
    let machine = probe_with(&launcher());
    assert_eq!(machine.tier, 1, "{machine:?}");
    for name in attempts() {
        let proof = make(name, Hold::Sandbox(machine.tier));
        assert_eq!(proof.outcome, ProofOutcome::Blocked, "{proof:?}");
    }
}

#[test]
fn an_attempt_whose_allowed_part_fails_proves_nothing() {
    // Without a sandbox there is no terminal of its own, no proxy and no resolver that could work.
    let proof = make("forge-terminal-input", Hold::Nothing);
    assert_eq!(proof.outcome, ProofOutcome::Unproven, "{proof:?}");
    assert!(proof.detail.contains("have a terminal"), "{proof:?}");
}

#[test]
fn an_unknown_attempt_is_none() {
    let proving = ProofOptions {
        launcher: launcher(),
        hold: Hold::Nothing,
    };
    assert_eq!(prove("nothing-of-the-kind", &proving), None);
}
