//! Several columns of options, and dots between columns.

use super::check;

#[test]
fn two_definitions_on_a_line() {
    check(
        "pack",
        r#"Usage: pack [-options] file
  -f   freshen: only changed files  -u   update: only changed ones
  -d   delete entries               -m   move into the file
  -0   store only                   -l   convert ends of lines
"#,
        r#"-f: freshen: only changed files
-u: update: only changed ones
-d: delete entries
-m: move into the file
-0: store only
-l: convert ends of lines
> file:file:"#,
    );
}

#[test]
fn dots_between_columns() {
    check(
        "page",
        r#"                   SUMMARY OF PAGE COMMANDS

                        OPTIONS

        Most options may be changed from within.

  -?  ........  --help
                  Display help (from command line).
  -b [N]  ....  --buffers=[N]
                  Number of buffers.
  -S  ........  --chop-long-lines
                  Chop long lines.
"#,
        r#"# Most options may be changed from within.
-? --help: Display help (from command line).
-b --buffers [N:integer]: Number of buffers.
-S --chop-long-lines: Chop long lines."#,
    );
}
