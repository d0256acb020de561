//! click, and typer with its boxes.

use super::check;

#[test]
fn on_and_off() {
    check(
        "brew",
        r#"Usage: brew [OPTIONS] COMMAND [ARGS]...

  Brew tea.

Options:
  -t, --tea [green|black]      Which tea.
  -m, --minutes INTEGER RANGE  How long.  [default: 3; 1<=x<=9]
  -s, --strong / --weak        How strong.
  --milk / --no-milk           With milk.
  --pot TEXT                   A pot.  [env var: BREW_POT; required]
  --cup FILENAME
  --version                    Show the version and exit.
  --help                       Show this message and exit.

Commands:
  pour  Pour it.
  wait  Wait for it, which may take some time and
        then some.
"#,
        r#"# Brew tea.
-t --tea <green|black>: Which tea.
-m --minutes <INTEGER RANGE:integer> = 3: How long. [default: 3; 1<=x<=9]
-s --strong: How strong.
--weak: How strong.
--milk --no-milk: With milk.
--pot <TEXT> ! $BREW_POT: A pot. [env var: BREW_POT; required]
--cup <FILENAME:file>:
--version: Show the version and exit.
--help: Show this message and exit.
$ pour: Pour it.
$ wait: Wait for it, which may take some time and then some."#,
    );
}

#[test]
fn boxes() {
    check(
        "ferry",
        r#"
 Usage: ferry [OPTIONS] COMMAND [ARGS]...

 Carry things across.

╭─ Options ────────────────────────────────────────────────────────────────────────────╮
│ *  --harbour            -H      TEXT                  Where to start. [required]      │
│    --speed                      INTEGER RANGE [1<=x<=9]  How fast. [default: 3]       │
│    --fog/--no-fog       -f/-F                         Sound the horn. [default: fog]  │
│    --kind                       [steam|sail]          Which ship. [default: sail]     │
│    --log                        PATH                  A log [env var: FERRY_LOG]      │
│    --install-completion                               Install completion for the      │
│                                                       current shell.                  │
│    --help                                             Show this message and exit.     │
╰──────────────────────────────────────────────────────────────────────────────────────╯
╭─ Commands ───────────────────────────────────────────────────────────────────────────╮
│ load     Load the ferry.                                                             │
│ sail     Leave at once, whatever the weather says and whoever is still               │
│          on the shore.                                                               │
╰──────────────────────────────────────────────────────────────────────────────────────╯

"#,
        r#"# Carry things across.
--harbour -H <TEXT> !: Where to start. [required]
--speed <INTEGER RANGE [1=x=9]:integer> = 3: How fast. [default: 3]
--fog --no-fog -f: Sound the horn. [default: fog]
-F: Sound the horn. [default: fog]
--kind <steam|sail> = sail: Which ship. [default: sail]
--log <PATH:file> $FERRY_LOG: A log [env var: FERRY_LOG]
--install-completion: Install completion for the current shell.
--help: Show this message and exit.
$ load: Load the ferry.
$ sail: Leave at once, whatever the weather says and whoever is still on the shore."#,
    );
}
