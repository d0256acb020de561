//! A command tree with every style, every type and every way to take words, for properties and fuzzing.
//!
//! `fuzz/` includes this file, so it uses the public API of the crate and nothing else.

use argrail_acli::{Abbreviations, Arg, Command, Kind, Repeat, Scope, Style, Takes, Typed};

/// Returns the tree.
pub(crate) fn rich() -> Command {
    Command::new("rich", "All there is").subcommands([
        kinds(),
        ls("ls").style(Style::gnu()),
        ls("posix").style(Style::posix()),
        ls("short").style(Style {
            abbreviations: Abbreviations::On,
            ..Style::gnu()
        }),
        go(),
        java(),
        find(),
        tar(),
        dd(),
        git(),
        kubectl(),
        places(),
        Command::lazy("lazy", "Made on demand", || ls("inside")),
    ])
}

fn text(spelling: &str) -> Arg {
    Arg::option(spelling, Kind::String, "Text")
}

fn flag(spelling: &str) -> Arg {
    Arg::flag(spelling, "Flag")
}

fn word(name: &str) -> Arg {
    Arg::positional(name, Kind::String, "Word")
}

fn runs(command: Command) -> Command {
    command.handler(|call| async move { Ok(call.args().to_json()) })
}

/// Every type, and what may be said about an argument.
fn kinds() -> Command {
    let even = |value: &Typed| matches!(value, Typed::Integer(n) if n % 2 == 0);
    runs(Command::new("kinds", "Every type"))
        .alias("k")
        .arg(text("--string").short('s'))
        .arg(Arg::option("--integer", Kind::Integer, "Integer").short('i'))
        .arg(Arg::option("--number", Kind::Number, "Number"))
        .arg(Arg::option("--boolean", Kind::Boolean, "Boolean").short('b'))
        .arg(flag("--flag").short('f'))
        .arg(flag("--verbose").short('v').many())
        .arg(Arg::option("--datetime", Kind::DateTime, "Date"))
        .arg(Arg::option("--array", Kind::array(), "List"))
        .arg(Arg::option(
            "--integers",
            Kind::Array(Box::new(Kind::Integer)),
            "List",
        ))
        .arg(Arg::option("--enum", Kind::one_of(["red", "green"]), "Colour"))
        .arg(Arg::option("--file", Kind::File, "File"))
        .arg(Arg::option("--files", Kind::Array(Box::new(Kind::File)), "Files"))
        .arg(Arg::option("--directory", Kind::Directory, "Directory"))
        .arg(Arg::option("--url", Kind::Url, "URL"))
        .arg(Arg::option("--json", Kind::Json, "JSON"))
        .arg(text("--last").repeat(Repeat::Last))
        .arg(text("--tag").many())
        .arg(Arg::option("--even", Kind::Integer, "Even").check("an even number", even))
        .arg(text("--region").env("REGION").default("nowhere"))
        .arg(Arg::option("--count", Kind::Integer, "Count").default(3))
        .arg(flag("--on"))
        .arg(flag("--off"))
        .exclusive(["on", "off"])
}

/// Options as most tools have them.
fn ls(name: &str) -> Command {
    runs(Command::new(name, "Lists"))
        .arg(flag("--all").short('a'))
        .arg(flag("--almost-all").short('A'))
        .arg(flag("--long").short('l'))
        .arg(text("--width").short('w'))
        .arg(text("--color").takes(Takes::Attached))
        .arg(flag("--reverse").short('r'))
        .arg(flag("-1").id("one"))
        .arg(word("path").optional().many())
}

fn go() -> Command {
    runs(Command::new("go", "Go's flag package"))
        .style(Style::go())
        .arg(flag("-v").id("verbose"))
        .arg(Arg::option("-race", Kind::Boolean, "Race").takes(Takes::Attached))
        .arg(text("-run"))
        .arg(Arg::option("-n", Kind::Integer, "Number"))
        .arg(word("package").optional().many())
}

fn java() -> Command {
    runs(Command::new("java", "One dash for long names"))
        .style(Style::single_dash())
        .arg(text("-cp").alias("-classpath"))
        .arg(flag("-version"))
        .arg(text("-jar"))
        .arg(flag("-v"))
        .arg(word("rest").optional().many())
}

fn find() -> Command {
    let operator = |spelling: &str, id: &str| flag(spelling).id(id).many();
    let until = || Takes::Until(vec![";".to_owned(), "+".to_owned()]);
    runs(Command::new("find", "Predicates and operators"))
        .style(Style::find())
        .arg(word("start").optional().many())
        .arg(text("-name").many())
        .arg(Arg::option("-type", Kind::one_of(["f", "d"]), "Type"))
        .arg(text("-mtime"))
        .arg(flag("-print"))
        .arg(text("-exec").takes(until()).many())
        .arg(text("-swap").takes(Takes::Exactly(2)))
        .arg(operator("(", "open"))
        .arg(operator(")", "close"))
        .arg(operator("!", "not"))
        .arg(operator("-o", "or"))
}

fn tar() -> Command {
    runs(Command::new("tar", "A first word without a dash is a bundle"))
        .style(Style::tar())
        .arg(flag("--extract").short('x'))
        .arg(flag("--create").short('c'))
        .arg(flag("--gzip").short('z'))
        .arg(text("--file").short('f'))
        .arg(text("--blocking-factor").short('b'))
        .arg(text("--directory").short('C'))
        .exactly_one_of(["extract", "create"])
        .arg(word("member").optional().many())
}

fn dd() -> Command {
    runs(Command::new("dd", "key=value"))
        .style(Style::dd())
        .arg(text("if="))
        .arg(text("of="))
        .arg(Arg::option("count=", Kind::Integer, "Blocks"))
        .arg(Arg::option("conv=", Kind::array(), "Conversions"))
}

fn git() -> Command {
    let log = runs(Command::new("log", "Log"))
        .arg(Arg::option("--max-count", Kind::Integer, "Most").short('n'))
        .arg(word("revision").optional());
    let commit = runs(Command::new("commit", "Commit"))
        .arg(text("--message").short('m').required())
        .arg(text("--chdir").short('C'));
    Command::new("git", "Options before the subcommand")
        .style(Style::gnu())
        .arg(text("-C").scope(Scope::Here).many())
        .arg(flag("--paginate").short('p').scope(Scope::Here))
        .subcommands([log, commit])
}

fn kubectl() -> Command {
    let get = runs(Command::new("get", "Get"))
        .arg(word("kind"))
        .arg(word("name").optional())
        .arg(flag("--all-namespaces").short('A'));
    Command::new("kubectl", "Options anywhere")
        .style(Style::acli())
        .arg(
            text("--namespace")
                .short('n')
                .scope(Scope::Below)
                .default("default"),
        )
        .subcommand(get)
}

fn places() -> Command {
    Command::new("places", "Positionals").subcommands([
        runs(Command::new("copy", "Several, then one"))
            .arg(word("from").many())
            .arg(word("to")),
        runs(Command::new("maybe", "One to three"))
            .arg(word("a"))
            .arg(word("b").optional())
            .arg(Arg::positional("n", Kind::Integer, "Number").optional()),
        runs(Command::new("middle", "First, several, last"))
            .arg(word("first"))
            .arg(word("rest").optional().many())
            .arg(word("last")),
    ])
}
