//! clap, short and long.

use super::check;

#[test]
fn one_line_each() {
    check(
        "pantry",
        r#"Keep a pantry

Usage: pantry [OPTIONS] [+shelf] <COMMAND>

Commands:
  sort, s   Sort the pantry
  count     Count things [aliases: c, n]
  help      Print this message or the help of the given subcommand(s)
  ...       See all commands with --list

Options:
  -p, --place <PLACE>  Where it is [env: PANTRY=] [default: kitchen]
      --kind <KIND>    [possible values: tin, jar]
  -q, --quiet          Say nothing
  -h, --help           Print help

Discussion:
  If you are new, run `pantry doc --book`.
"#,
        r#"# Keep a pantry
-p --place <PLACE> = kitchen $PANTRY: Where it is [env: PANTRY=] [default: kitchen]
--kind <tin|jar>: [possible values: tin, jar]
-q --quiet: Say nothing
-h --help: Print help
$ sort, s: Sort the pantry
$ count, c, n: Count things [aliases: c, n]
$ help: Print this message or the help of the given subcommand(s)"#,
    );
}

#[test]
fn text_below() {
    check(
        "pantry sort",
        r#"Sort the pantry

Usage: pantry sort [OPTIONS] [SHELVES]...

Arguments:
  [SHELVES]...
          Shelves to sort [default: .]

Options:
      --fix
          Put things right. Use `--no-fix` to disable or `--guess` to
          guess

      --order <ORDER>
          How to sort

          [env: PANTRY_ORDER=]
          [possible values: name, age]

  -v, --verbose...
          Talk more

      --colour <WHEN>
          Control colours

          Possible values:
          - auto:   If it is a terminal
          - always: Always
          - never:  Never

  -h, --help
          Print help (see a summary with '-h')
"#,
        r#"# Sort the pantry
--fix --no-fix: Put things right. Use `--no-fix` to disable or `--guess` to guess
--order <name|age> $PANTRY_ORDER: How to sort [env: PANTRY_ORDER=] [possible values: name, age]
-v --verbose +: Talk more
--colour <auto|always|never>: Control colours Possible values: - auto: If it is a terminal - always: Always - never: Never
-h --help: Print help (see a summary with '-h')
> ?SHELVES...: Shelves to sort [default: .]"#,
    );
}
