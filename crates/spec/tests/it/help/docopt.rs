//! docopt: the usage is the grammar.

use super::check;

#[test]
fn usage_is_the_grammar() {
    check(
        "fleet",
        r#"Fleet.

Usage:
  fleet ship new <name>...
  fleet ship shoot <x> <y>
  fleet mine (set|remove) <x> <y> [--moored | --drifting]
  fleet -h | --help
  fleet --version

Options:
  -h --help     Show this screen.
  --version     Show version.
  --speed=<kn>  Speed in knots [default: 10].
  -o FILE --output=FILE  Log to FILE.
  --moored      Moored (anchored) mine.
"#,
        r#"# Fleet.
-h --help: Show this screen.
--version: Show version.
--speed <kn> = 10: Speed in knots [default: 10].
-o --output <FILE:file>: Log to FILE.
--moored: Moored (anchored) mine.
--drifting:
$ ship:
$ mine:"#,
    );
}
