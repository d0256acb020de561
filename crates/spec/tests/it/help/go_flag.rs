//! Go's own flags, and those of programs that look like it.

use super::check;

#[test]
fn one_dash_and_text_below() {
    check(
        "anvil",
        r#"Usage of anvil:
  -hammer string
    	which hammer to use (default "big")
  -n int
    	strokes
  -q	be quiet
  -timeout duration
    	give up after (default 30s)
"#,
        r#"-hammer <string> = big: which hammer to use (default "big")
-n <int:integer>: strokes
-q: be quiet
-timeout <duration> = 30s: give up after (default 30s)"#,
    );
}

#[test]
fn equals_and_quotes() {
    check(
        "terrace",
        r#"Usage: terrace [global options] <subcommand> [args]

The available commands for execution are listed below.

Main commands:
  dig           Prepare the ground
  plant         Plant what the plan says

All other commands:
  console       Try expressions
  fmt           Reformat

Global options (use these before the subcommand, if any):
  -chdir=DIR    Switch to a different working directory before executing the
                given subcommand.
  -help         Show this help output, or the help for a specified subcommand.
  -lock=false   Do not hold a lock.
  -var 'foo=bar'        Set a value for one variable. Use this option more than once.
  -backend-config=path   Configuration.
"#,
        r#"# The available commands for execution are listed below.
-chdir <DIR:directory> (global): Switch to a different working directory before executing the given subcommand.
-help (global): Show this help output, or the help for a specified subcommand.
-lock (global) = false: Do not hold a lock.
-var <foo=bar> + (global): Set a value for one variable. Use this option more than once.
-backend-config <path:file> (global): Configuration.
$ dig: Prepare the ground
$ plant: Plant what the plan says
$ console: Try expressions
$ fmt: Reformat"#,
    );
}

#[test]
fn values_in_angle_brackets() {
    check(
        "safe kv get",
        r#"Usage: safe kv get [options] KEY

  Gets a key:

      $ safe kv get -mount=secret foo

HTTP Options:

  -address=<string>
      Address of the server. The default is https://127.0.0.1:8200. This can
      also be specified via the SAFE_ADDR environment variable.

  -non-interactive
      When set true, prevents asking. The default is false.

Output Options:

  -field=<string>
      Print only the field with the given name.

  -format=<string>
      Print the output in the given format. Valid formats are "table", "json",
      "yaml". The default is table.
"#,
        r#"-address <string> = https://127.0.0.1:8200: Address of the server. The default is https://127.0.0.1:8200. This can also be specified via the SAFE_ADDR environment variable.
-non-interactive = false: When set true, prevents asking. The default is false.
-field <string>: Print only the field with the given name.
-format <table|json|yaml> = table: Print the output in the given format. Valid formats are "table", "json", "yaml". The default is table.
> KEY:"#,
    );
}

#[test]
fn an_option_called_after_its_value() {
    check(
        "weld",
        "usage: weld [options] main.o\n  -f\tforce it\n  -rodflags flags\n    \tpass flags to the rod\n",
        "-f: force it\n-rodflags <flags>: pass flags to the rod\n> main.o:",
    );
}
