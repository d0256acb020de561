//! Children that are waited for: many at once, ended with whoever waits, and never hanging at a question.

use std::future::Future;
use std::io::Read;
use std::net::TcpListener;
use std::path::Path;
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use argrail_engine::policy::Confinement::Effects as ByEffects;
use argrail_engine::run::{Kind, run};
use argrail_sandbox::{Ended, Stdin};
use argrail_spec::atip::Effects;

use super::place::{LONG, Place, reads, settled, writes};

/// Effects of something that starts programs.
fn starts() -> Effects {
    Effects {
        subprocess: Some(true),
        ..writes(&[])
    }
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap()
        .block_on(future)
}

#[test]
fn many_run_at_once_and_none_gets_the_words_of_another() {
    let place = Place::new();
    let profile = place.profile(&settled("cat", reads()), ByEffects, Path::new("/bin/cat"));
    let calls: Vec<_> = (0..24)
        .map(|number| {
            let heard = Arc::<Mutex<Vec<u8>>>::default();
            let sink = Arc::clone(&heard);
            let mut order = place.order(profile.clone(), &["/bin/cat"]);
            order.stdin = Stdin::Bytes(format!("{number}\n").repeat(1000).into_bytes());
            order.stdout = Box::new(move |bytes| sink.lock().unwrap().extend_from_slice(bytes));
            (number, heard, run(order))
        })
        .collect();
    block_on(async {
        let local = tokio::task::LocalSet::new();
        let tasks: Vec<_> = calls
            .into_iter()
            .map(|(number, heard, call)| local.spawn_local(async move { (number, heard, call.await) }))
            .collect();
        local
            .run_until(async {
                for task in tasks {
                    let (number, heard, ran) = task.await.unwrap();
                    assert_eq!(ran.unwrap().report.ended, Ended::Exit(0));
                    let heard = String::from_utf8(heard.lock().unwrap().clone()).unwrap();
                    assert_eq!(heard, format!("{number}\n").repeat(1000));
                }
            })
            .await;
    });
}

#[test]
fn a_call_that_nobody_waits_for_ends_with_all_it_started() {
    let place = Place::new();
    let profile = place.profile(&settled("sh", starts()), ByEffects, Path::new("/bin/sh"));
    // A grandchild that left its session, and one that ignores being asked.
    let script =
        "trap '' TERM; setsid sh -c \"trap '' TERM; echo up; while :; do read x < pipe; done\" & wait; wait";
    let pipe = place.work("pipe");
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::from(0o666)).unwrap();
    let (up, is_up) = mpsc::channel();
    let mut order = place.order(profile, &["/bin/sh", "-c", script]);
    let (mut ours, theirs) = std::io::pipe().unwrap();
    // The end of this pipe comes when the thread that watches is gone: after the last process.
    order.stdout = Box::new(move |_| {
        let _held = &theirs;
        let _ = up.send(());
    });
    block_on(async {
        let call = tokio::time::timeout(LONG, async {
            let mut call = Box::pin(run(order));
            std::future::poll_fn(|context| {
                let polled = call.as_mut().poll(context);
                assert!(polled.is_pending());
                std::task::Poll::Ready(())
            })
            .await;
            is_up.recv_timeout(LONG).unwrap();
            drop(call);
        });
        call.await.unwrap();
    });
    let mut rest = Vec::new();
    ours.read_to_end(&mut rest).unwrap();
    // Nobody reads the other end of the fifo any more.
    let opened = rustix::fs::open(
        &pipe,
        rustix::fs::OFlags::WRONLY | rustix::fs::OFlags::NONBLOCK,
        rustix::fs::Mode::empty(),
    );
    assert_eq!(opened.err(), Some(rustix::io::Errno::NXIO));
}

#[test]
fn a_question_ends_the_call_and_is_told() {
    let place = Place::new();
    let profile = place.profile(&settled("sh", starts()), ByEffects, Path::new("/bin/sh"));
    // It would wait for ever: something holds the other end open.
    let script = "printf 'Really delete everything? [y/N] '; sleep 6000";
    let mut order = place.order(profile, &["/bin/sh", "-c", script]);
    order.timeout = Some(20 * LONG);
    let ran = block_on(run(order)).unwrap();
    let prompt = ran.prompt.unwrap();
    assert_eq!(prompt.kind, Kind::Confirm);
    assert_eq!(prompt.said, "Really delete everything? [y/N]");
    assert!(ran.report.cancelled && !ran.report.timed_out);
}

#[test]
fn something_that_goes_on_after_a_question_is_let() {
    let place = Place::new();
    let profile = place.profile(&settled("sh", reads()), ByEffects, Path::new("/bin/sh"));
    let script = "printf 'Password: '; read x; echo; echo none given";
    let ran = block_on(run(place.order(profile, &["/bin/sh", "-c", script]))).unwrap();
    assert_eq!(ran.report.ended, Ended::Exit(0));
    assert_eq!(ran.prompt, None);
}

#[test]
fn the_time_is_the_callers() {
    let place = Place::new();
    let profile = place.profile(&settled("sleep", reads()), ByEffects, Path::new("/bin/sleep"));
    let mut order = place.order(profile, &["/bin/sleep", "600"]);
    order.timeout = Some(Duration::from_millis(100));
    let ran = block_on(run(order)).unwrap();
    assert!(ran.report.timed_out);
}

#[test]
fn a_reader_that_fails_is_told_and_ends_the_child() {
    let place = Place::new();
    let profile = place.profile(&settled("yes", reads()), ByEffects, Path::new("/usr/bin/yes"));
    let mut order = place.order(profile, &["/usr/bin/yes"]);
    order.stdout = Box::new(|_| panic!("a reader that fails, on purpose"));
    let outcome = block_on(run(order));
    assert!(
        matches!(outcome, Err(argrail_engine::run::Error::Lost)),
        "{outcome:?}"
    );
}

#[test]
fn every_public_host_is_not_this_machine() {
    let place = Place::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let mut facts = settled(
        "bash",
        Effects {
            network: Some(true),
            ..reads()
        },
    );
    facts.egress = argrail_engine::policy::Egress::Public;
    let profile = place.profile(&facts, ByEffects, Path::new("/bin/bash"));
    let ask = |name: &str| {
        let script = format!(
            "exec 3<>/dev/tcp/127.0.0.1/3128; printf 'CONNECT {name}:{port} HTTP/1.1\\r\\n\\r\\n' >&3; read -r line <&3; echo \"$line\""
        );
        let heard = Arc::<Mutex<Vec<u8>>>::default();
        let sink = Arc::clone(&heard);
        let mut order = place.order(profile.clone(), &["/bin/bash", "-c", &script]);
        order.stdout = Box::new(move |bytes| sink.lock().unwrap().extend_from_slice(bytes));
        order.reach.resolve = vec![
            ("inside.test".to_owned(), [127, 0, 0, 1].into()),
            ("metadata.test".to_owned(), [169, 254, 169, 254].into()),
        ];
        let ran = block_on(run(order)).unwrap();
        let denied: Vec<String> = ran
            .report
            .denials
            .iter()
            .map(|denial| denial.target.clone())
            .collect();
        let heard = String::from_utf8_lossy(&heard.lock().unwrap()).into_owned();
        (heard, denied.join(" "))
    };
    for (name, why) in [
        ("inside.test", "loopback"),
        ("metadata.test", "metadata"),
        ("localhost", "loopback"),
        ("127.0.0.1", "127.0.0.1"),
        ("169.254.169.254", "169.254"),
    ] {
        let (heard, denied) = ask(name);
        assert!(heard.contains(" 403 "), "{name}: {heard} {denied}");
        assert!(denied.contains(why), "{name}: {denied}");
    }
    assert!(listener.accept().is_err());
}

#[test]
fn a_program_with_a_screen_in_mind_is_ended() {
    let place = Place::new();
    let profile = place.profile(&settled("sh", starts()), ByEffects, Path::new("/bin/sh"));
    let script = "echo 'Vim: Warning: Output is not to a terminal' >&2; printf '\\033[1;1H'; sleep 600";
    let ran = block_on(run(place.order(profile, &["/bin/sh", "-c", script]))).unwrap();
    assert_eq!(ran.prompt.unwrap().kind, Kind::Terminal);
    assert!(ran.report.cancelled && !ran.report.timed_out);
}
