//! A command inside another is judged as if it was called, however deep it stands.

use super::super::ground::{connect, envelope, home};
use super::table::Answer::{Held, Refused};
use super::table::check;

#[test]
fn a_wrapper_hides_nothing() {
    check(&[
        ("sh -c 'touch m'", Held),
        ("bash -c 'touch m'", Held),
        ("dash script.sh", Held),
        ("sh script.sh", Held),
        ("env X=1 touch m", Held),
        ("env -i touch m", Held),
        ("env -- touch m", Held),
        ("env -u HOME touch m", Held),
        ("env -C sub touch ../m", Held),
        ("env -S 'touch m'", Held),
        ("env '-Stouch m'", Held),
        ("env --split-string='touch m'", Held),
        ("env sh -c 'touch m'", Held),
        ("env LD_PRELOAD=./x.so ls", Held),
        ("env PATH=. ls", Held),
        ("env ./script.sh", Held),
        ("env /bin/touch m", Held),
        ("nice touch m", Held),
        ("nice -n 5 touch m", Held),
        ("nice ./script.sh", Held),
        ("nohup touch m", Held),
        ("timeout 5 touch m", Held),
        ("timeout -s KILL 5 touch m", Held),
        ("timeout --signal=KILL 5 sh -c 'touch m'", Held),
        ("timeout 5 ./script.sh", Held),
        ("xargs -a names touch", Held),
        ("xargs touch m", Held),
        ("xargs -a names -I{} sh -c 'touch {}'", Held),
        ("xargs -a names find . -exec touch m \\;", Held),
        ("busybox touch m", Held),
        ("busybox sh -c 'touch m'", Held),
        ("busybox ash script.sh", Held),
        ("busybox nice touch m", Held),
        ("busybox find . -exec touch m \\;", Held),
        ("setsid touch m", Held),
        ("stdbuf -o0 touch m", Held),
        ("strace touch m", Held),
        ("sudo touch m", Refused),
        ("sudo -u root touch m", Refused),
        ("sudo -n touch m", Held),
    ]);
}

#[test]
fn wrappers_inside_wrappers_hide_nothing() {
    check(&[
        ("env nice timeout 5 touch m", Held),
        ("nice env timeout 5 nice sh -c 'touch m'", Held),
        ("timeout 5 env X=1 nice ./script.sh", Held),
        ("find . -exec env nice touch m \\;", Held),
        ("nice busybox env touch m", Held),
        ("env env env env env env env env env env env touch m", Refused),
        (
            "nice nice nice nice nice nice nice nice nice nice nice ls",
            Refused,
        ),
    ]);
}

#[test]
fn what_a_wrapper_starts_runs_if_it_would_run_by_itself() {
    let home = home().file("f", "one\n");
    let mut client = connect(&home, &[]);
    for command in ["nice cat f", "env cat f", "timeout 5 env nice cat f"] {
        let answer = envelope(&client.call(command));
        assert_eq!(answer["data"]["stdout"], "one\n", "{command}: {answer:#}");
    }
}
