//! Words bound in each style of command line.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use argrail_acli::{
    Abbreviations, Arg, Args, BindError, Cli, Command, Error, Kind, Limits, Origin, Scope, Style,
    Surroundings, scan, tokenize,
};
use serde_json::{Value, json};

use crate::rich::rich;
use crate::world::{World, said, world};

pub(crate) fn bind_in(root: &Command, host: &World, line: &str) -> Result<Args, BindError> {
    let words = tokenize(line, &Limits::default()).unwrap();
    let roots = [PathBuf::from("/srv/files")];
    scan(root, &words).bind(Surroundings { host, roots: &roots })
}

fn bind(line: &str) -> Result<Args, BindError> {
    bind_in(&rich(), &World::new(), line)
}

#[track_caller]
fn gives(line: &str, want: Value) {
    match bind(line) {
        Ok(args) => assert_eq!(args.to_json(), want, "{line}"),
        Err(error) => panic!("{line}: {error}"),
    }
}

/// The message that an agent would read.
#[track_caller]
fn refused(line: &str, want: &str) {
    match bind(line) {
        Ok(args) => panic!("{line} gave {}", args.to_json()),
        Err(error) => assert_eq!(
            Error::from(error).to_string(),
            format!("Invalid argument: {want}"),
            "{line}"
        ),
    }
}

#[test]
fn gnu_bundles_attaches_and_permutes() {
    gives("ls -la", json!({"long": true, "all": true}));
    gives("ls -law80", json!({"long": true, "all": true, "width": "80"}));
    gives("ls -w=80", json!({"width": "=80"})); // as getopt reads it
    gives(
        "ls --width=80 x --all y",
        json!({"width": "80", "all": true, "path": ["x", "y"]}),
    );
    gives("ls -- --all", json!({"path": ["--all"]}));
    gives("ls --color", json!({"color": true}));
    gives("ls --color=auto x", json!({"color": "auto", "path": ["x"]}));
    gives("ls -1", json!({"one": true}));
    refused(
        "ls -2",
        "surplus argument '-2'"
            .replace("surplus argument '-2'", "unknown option '-2'")
            .as_str(),
    );
}

#[test]
fn a_digit_is_an_option_where_one_is_declared() {
    gives("ls -1 x", json!({"one": true, "path": ["x"]}));
    gives("posix -1", json!({"one": true}));
    gives("places maybe a b -1", json!({"a": "a", "b": "b", "n": -1}));
}

#[test]
fn posix_ends_options_at_the_first_word() {
    gives("posix -a x -l", json!({"all": true, "path": ["x", "-l"]}));
    gives("posix -a -- -l", json!({"all": true, "path": ["-l"]}));
    refused("posix --al", "unknown option '--al'");
}

#[test]
fn abbreviations_are_off_on_or_refused() {
    refused("kinds --verb", "unknown option '--verb'");
    refused("ls --rev", "'--rev' is not spelt out");
    gives("short --rev", json!({"reverse": true}));
    gives("short --wid=3", json!({"width": "3"}));
    gives("short --wid 3", json!({"width": "3"}));
    refused("short --rev=1", "'--reverse' takes no value, got '1'");
    refused("short --al", "'--al' could be several options");
    refused("ls --al", "'--al' could be several options");
    gives("short --all", json!({"all": true})); // exact, though --almost-all starts alike
    refused("short --x", "unknown option '--x'");
}

#[test]
fn go_takes_one_dash_or_two_and_no_bundles() {
    gives("go -run x ./...", json!({"run": "x", "package": ["./..."]}));
    gives("go --run=x -v", json!({"run": "x", "verbose": true}));
    gives("go -race=false", json!({"race": false}));
    gives("go -race false", json!({"race": true, "package": ["false"]})); // the flag package reads it so
    gives("go -n=10", json!({"n": 10}));
    gives("go x -v", json!({"package": ["x", "-v"]}));
    refused("go -n10", "unknown option '-n10'");
    refused("go -vv", "unknown option '-vv'");
    refused("go ---run x", "unknown option '---run'");
}

#[test]
fn single_dash_names_are_whole() {
    gives(
        "java -cp a:b -jar x.jar -version",
        json!({"cp": "a:b", "jar": "x.jar", "version": true}),
    );
    gives("java -classpath a", json!({"cp": "a"}));
    gives("java -v", json!({"v": true}));
    refused("java --version", "unknown option '--version'");
    refused("java -vv", "unknown option '-vv'");
    refused("java -vers", "unknown option '-vers'");
}

#[test]
fn find_reads_predicates_operators_and_exec() {
    gives(
        r"find . -name '*.rs' -exec rm -v {} ; -print",
        json!({"start": ["."], "name": ["*.rs"], "exec": [["rm", "-v", "{}", ";"]], "print": true}),
    );
    gives(
        r"find a b ( -name x -o -name y ) ! -type d -exec ls {} +",
        json!({
            "start": ["a", "b"], "open": 1, "name": ["x", "y"], "or": 1, "close": 1, "not": 1, "type": "d",
            "exec": [["ls", "{}", "+"]],
        }),
    );
    gives(
        "find -exec a ; -exec b ;",
        json!({"exec": [["a", ";"], ["b", ";"]]}),
    );
    gives(
        "find -exec -name --help ;",
        json!({"exec": [["-name", "--help", ";"]]}),
    ); // all belongs to it
    gives("find -mtime -5", json!({"mtime": "-5"}));
    gives("find -swap a b c", json!({"swap": ["a", "b"], "start": ["c"]}));
    refused("find -swap a", "'-swap' wants a value");
    refused("find -exec rm {}", "'-exec' wants a value");
    refused(
        "find -name -print",
        "'-name' wants a value, '-print' stands there",
    );
    refused("find -delete", "unknown option '-delete'");
    refused("find -- x", "unknown option '--'");
    refused(
        "find -type x",
        "'-type' is 'x', which is not one of the listed values",
    );
}

#[test]
fn tar_reads_a_bundle_without_a_dash() {
    gives(
        "tar xzf a.tgz dir",
        json!({"extract": true, "gzip": true, "file": "a.tgz", "member": ["dir"]}),
    );
    gives(
        "tar cfb a.tar 20 x",
        json!({"create": true, "file": "a.tar", "blocking-factor": "20", "member": ["x"]}),
    );
    gives(
        "tar -xzf a.tgz",
        json!({"extract": true, "gzip": true, "file": "a.tgz"}),
    );
    gives(
        "tar --extract -C /x -fa.tar",
        json!({"extract": true, "directory": "/x", "file": "a.tar"}),
    );
    refused("tar xqf a", "unknown option '-q'");
    refused("tar xf", "'-f' wants a value");
    refused("tar xc", "'--extract', '--create' exclude each other");
    refused("tar zf a", "one of '--extract', '--create' is required");
}

#[test]
fn dd_reads_keys_and_values() {
    gives(
        "dd if=a of=b count=2 conv=sync,noerror",
        json!({"if": "a", "of": "b", "count": 2, "conv": ["sync", "noerror"]}),
    );
    gives("dd if=a=b of=", json!({"if": "a=b", "of": ""}));
    refused("dd bs=1", "unknown option 'bs'");
    refused("dd if", "surplus argument 'if'");
    refused("dd --if=x", "unknown option '--if'");
    refused(
        "dd count=x",
        "'count=' is 'x', which is not an integer (e.g., 10, -5)",
    );
    refused("dd if=a if=b", "'if=' is given twice");
}

#[test]
fn an_option_of_a_group_stands_before_its_subcommand_or_anywhere() {
    gives(
        "git -C a -C b -p log -n3",
        json!({"C": ["a", "b"], "paginate": true, "max-count": 3}),
    );
    gives("git commit -m x -C d", json!({"message": "x", "chdir": "d"})); // the subcommand's own
    refused("git log -C d", "unknown option '-C'");
    refused("git log --paginate", "unknown option '--paginate'");
    gives("kubectl -n x get pods", json!({"namespace": "x", "kind": "pods"}));
    gives(
        "kubectl get -n x pods p1",
        json!({"namespace": "x", "kind": "pods", "name": "p1"}),
    );
    gives(
        "kubectl get pods",
        json!({"kind": "pods", "namespace": "default"}),
    );
    gives(
        "kubectl get pods -An x",
        json!({"kind": "pods", "all-namespaces": true, "namespace": "x"}),
    );
}

#[test]
fn switches_of_a_style_do_what_they_say() {
    let tool = |style: Style| {
        let command = Command::new("t", "")
            .arg(Arg::flag("--all", "").short('a'))
            .arg(Arg::flag("--long", "").short('l'))
            .arg(Arg::option("--num", Kind::Integer, "").short('n'))
            .arg(Arg::positional("rest", Kind::String, "").optional().many());
        Command::new("root", "").subcommand(command.style(style))
    };
    let base = Style::acli();
    let check = |style: Style, line: &str, want: Option<Value>| {
        let bound = bind_in(&tool(style), &World::new(), line);
        assert_eq!(
            bound.as_ref().ok().map(Args::to_json),
            want,
            "{style:?}: {line}: {bound:?}"
        );
    };
    check(base, "t -al", Some(json!({"all": true, "long": true})));
    check(
        Style {
            bundling: false,
            ..base
        },
        "t -al",
        None,
    );
    check(
        Style {
            bundling: false,
            ..base
        },
        "t -n5",
        Some(json!({"num": 5})),
    );
    check(base, "t -n5", Some(json!({"num": 5})));
    check(
        Style {
            attached: false,
            ..base
        },
        "t -n5",
        None,
    );
    check(
        Style {
            attached: false,
            ..base
        },
        "t -n=5",
        Some(json!({"num": 5})),
    );
    check(base, "t -n=5", Some(json!({"num": 5})));
    check(
        Style {
            short_equals: false,
            ..base
        },
        "t -n=5",
        None,
    ); // `=5` is no integer
    check(base, "t x -a", Some(json!({"all": true, "rest": ["x"]})));
    check(
        Style {
            permutation: false,
            ..base
        },
        "t x -a",
        Some(json!({"rest": ["x", "-a"]})),
    );
    check(base, "t -- -a", Some(json!({"rest": ["-a"]})));
    check(
        Style {
            terminator: false,
            ..base
        },
        "t -- -a",
        None,
    );
    check(
        Style {
            abbreviations: Abbreviations::On,
            ..base
        },
        "t --lo",
        Some(json!({"long": true})),
    );
}

#[test]
fn values_come_from_words_then_the_environment_then_the_default() {
    let host = World::new().env("REGION", "eu");
    let check = |host: &World, line: &str, value: &str, origin: Origin| {
        let args = bind_in(&rich(), host, line).unwrap();
        assert_eq!(args.get::<&str>("region").unwrap(), value, "{line}");
        assert_eq!(args.origin("region"), Some(origin), "{line}");
    };
    check(&host, "kinds --region us", "us", Origin::Typed);
    check(&host, "kinds", "eu", Origin::Env);
    check(&World::new(), "kinds", "nowhere", Origin::Default);
    let count = Command::new("root", "")
        .subcommand(Command::new("t", "").arg(Arg::option("--n", Kind::Integer, "").env("N").required()));
    assert_eq!(
        bind_in(&count, &World::new().env("N", "7"), "t")
            .unwrap()
            .get::<u64>("n")
            .unwrap(),
        7
    );
    let bad = bind_in(&count, &World::new().env("N", "x"), "t").unwrap_err();
    assert!(matches!(bad, BindError::WrongType { .. }), "{bad:?}");
    assert!(matches!(
        bind_in(&count, &World::new(), "t"),
        Err(BindError::Missing { .. })
    ));
}

#[test]
fn a_default_of_what_may_repeat_is_a_list() {
    let tool = |arg: Arg| Command::new("root", "").subcommand(Command::new("t", "").arg(arg));
    let tags = || Arg::option("--tag", Kind::String, "").many();
    let check = |arg: Arg, line: &str, want: &[&str]| {
        let args = bind_in(&tool(arg), &World::new().env("TAG", "e"), line).unwrap();
        assert_eq!(args.get::<Vec<&str>>("tag").unwrap(), want, "{line}");
    };
    check(tags().default("a"), "t", &["a"]);
    check(tags().default(json!(["a", "b"])), "t", &["a", "b"]);
    check(tags().default("a").env("TAG"), "t", &["e"]);
    check(tags().default("a"), "t --tag x --tag y", &["x", "y"]);
    check(
        Arg::option("--tag", Kind::array(), "").default("a,b"),
        "t",
        &["a", "b"],
    );
}

#[test]
fn a_default_takes_no_side_in_a_group() {
    let tool = |required: bool| {
        let command = Command::new("t", "")
            .arg(Arg::option("--a", Kind::Integer, "").default(1))
            .arg(Arg::option("--b", Kind::Integer, "").env("B"));
        let ids = ["a", "b"];
        let command = if required {
            command.exactly_one_of(ids)
        } else {
            command.exclusive(ids)
        };
        Command::new("root", "").subcommand(command)
    };
    assert!(bind_in(&tool(false), &World::new(), "t --b 2").is_ok());
    assert!(bind_in(&tool(true), &World::new(), "t").is_err());
    assert!(bind_in(&tool(true), &World::new().env("B", "3"), "t").is_ok());
    assert!(bind_in(&tool(false), &World::new().env("B", "3"), "t --a 2").is_err());
}

#[test]
fn repeats_fail_replace_or_collect() {
    refused("kinds --string a --string b", "'--string' is given twice");
    refused("kinds -s a --string b", "'--string' is given twice");
    gives(
        "kinds --last a --last b",
        json!({"last": "b", "region": "nowhere", "count": 3}),
    );
    gives(
        "kinds --tag a --tag a",
        json!({"tag": ["a", "a"], "region": "nowhere", "count": 3}),
    );
    gives(
        "kinds -vvv",
        json!({"verbose": 3, "region": "nowhere", "count": 3}),
    );
    gives(
        "kinds --integers 1,2 --integers 3",
        json!({"integers": [1, 2, 3], "region": "nowhere", "count": 3}),
    );
}

#[test]
fn positionals_are_served_in_order() {
    gives("places copy a b c", json!({"from": ["a", "b"], "to": "c"}));
    refused("places copy a", "'to' is required");
    gives("places maybe a", json!({"a": "a"}));
    gives("places maybe a b 3", json!({"a": "a", "b": "b", "n": 3}));
    refused(
        "places maybe a b c",
        "'n' is 'c', which is not an integer (e.g., 10, -5)",
    );
    refused("places maybe a b 3 d", "surplus argument 'd'");
    gives("places middle a z", json!({"first": "a", "last": "z"}));
    gives(
        "places middle a b c z",
        json!({"first": "a", "rest": ["b", "c"], "last": "z"}),
    );
}

#[test]
fn paths_lead_into_roots_only() {
    let host = World::new().link("/srv/files/out", "/etc");
    let path = |line: &str| bind_in(&rich(), &host, line).map(|args| args.get::<PathBuf>("file").unwrap());
    assert_eq!(
        path("kinds --file a/../b").unwrap(),
        PathBuf::from("/srv/files/b")
    );
    assert!(matches!(
        path("kinds --file out/passwd"),
        Err(BindError::OutsideRoots { .. })
    ));
    assert!(matches!(
        path("kinds --file ../x"),
        Err(BindError::OutsideRoots { .. })
    ));
}

#[test]
fn a_lazy_command_is_made_once_when_it_is_looked_into() {
    let made = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&made);
    let lazy = Command::lazy("lazy", "Later", move || {
        counter.fetch_add(1, Ordering::SeqCst);
        Command::new("inside", "Other")
            .arg(Arg::flag("--x", "X"))
            .handler(|_| async { Ok(Value::Null) })
    });
    let other = Command::new("other", "Other").handler(|_| async { Ok(Value::Null) });
    let cli = Cli::builder("t", "1", "T", world())
        .command(lazy)
        .command(other)
        .build()
        .unwrap();
    let count = || made.load(Ordering::SeqCst);
    assert_eq!(said(&cli, "help")["data"]["commands"][0]["description"], "Later");
    said(&cli, "other");
    said(&cli, "version");
    said(&cli, "lazzy");
    argrail_acli::mcp::tool(&cli);
    assert_eq!(count(), 0, "nobody looked inside");
    assert_eq!(said(&cli, "lazy --x")["success"], true);
    assert_eq!(said(&cli, "help lazy")["data"]["arguments"][0]["name"], "--x");
    assert_eq!(count(), 1);
}

#[test]
fn scope_here_is_the_only_way_to_stay_above() {
    let leaf = || Command::new("leaf", "").handler(|_| async { Ok(Value::Null) });
    for (scope, accepted) in [(Scope::Here, false), (Scope::Below, true)] {
        let root = Command::new("root", "").subcommand(
            Command::new("g", "")
                .arg(Arg::flag("--x", "").scope(scope))
                .subcommand(leaf()),
        );
        assert!(bind_in(&root, &World::new(), "g --x leaf").is_ok());
        assert_eq!(bind_in(&root, &World::new(), "g leaf --x").is_ok(), accepted);
    }
}
