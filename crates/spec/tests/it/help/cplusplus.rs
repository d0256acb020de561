//! boost, tclap, CLI11, gflags, bazel.

use super::check;

#[test]
fn boost() {
    check(
        "crate",
        r#"Allowed options:
  -h [ --help ]                  produce help message
  -O [ --optimise ] arg (=10)    how hard
  -I [ --include-path ] arg      include path
  --input-file arg               input file
  --wide                         wide output
"#,
        r#"-h --help: produce help message
-O --optimise <arg> = 10: how hard
-I --include-path <arg>: include path
--input-file <arg>: input file
--wide: wide output"#,
    );
}

#[test]
fn tclap() {
    check(
        "gong",
        r#"
USAGE:

   gong  -n <string> [-r] [--] [--version] [-h]


Where:

   -n <string>,  --name <string>
     (required)  Name of the gong

   -r,  --reverse
     Strike from behind

   --,  --ignore_rest
     Ignores the rest of the labeled arguments following this flag.

   --version
     Displays version information and exits.

   -h,  --help
     Displays usage information and exits.


   A gong.
"#,
        r#"-n --name <string> !: (required) Name of the gong
-r --reverse: Strike from behind
--ignore_rest: Ignores the rest of the labeled arguments following this flag.
--version: Displays version information and exits.
-h --help: Displays usage information and exits."#,
    );
}

#[test]
fn cli11() {
    check(
        "crane",
        r#"A crane
Usage: crane [OPTIONS] load [SUBCOMMAND]

Positionals:
  load TEXT REQUIRED          what to lift

Options:
  -h,--help                   Print this help message and exit
  -w,--weight FLOAT:POSITIVE [1.5]  REQUIRED
                              tons
  --mode ENUM:value in {fast->1,slow->0} OR {1,0}
                              how
  -v,--verbose Excludes: --quiet
                              talk
  --height INT                how high

Subcommands:
  swing                       turn the crane
"#,
        r#"# A crane
-h --help: Print this help message and exit
-w --weight <FLOAT:POSITIVE [1.5]>: REQUIRED tons
--mode: ENUM:value in {fast->1,slow->0} OR {1,0} how
-v --verbose: Excludes: --quiet talk
--height <INT:integer>: how high
$ swing: turn the crane
> load: what to lift"#,
    );
}

#[test]
fn gflags() {
    check(
        "dune.py",
        r#"flags:

dune.py:
  --[no]camel: ride a camel
    (default: 'true')
  --oases: how many oases
    (default: '3')
    (an integer)
  --wind: <north|south>: where it blows from
    (default: 'north')
  -v,--verbosity: Logging verbosity level.
    (default: '-1')
    (an integer)
"#,
        r#"--camel --nocamel = true: ride a camel (default: 'true')
--oases <:integer> = 3: how many oases (default: '3') (an integer)
--wind <north|south> = north: where it blows from (default: 'north')
-v --verbosity <:integer> = -1: Logging verbosity level. (default: '-1') (an integer)"#,
    );
}

#[test]
fn bazel() {
    check(
        "bake",
        r#"Options that control checks:
  --[no]check_all (a boolean; default: "true")
    Check everything.
  --jobs [-j] (an integer, or a keyword; default: "auto")
    How many at once.
  --cache_dir (a path; default: see description)
    Where.
"#,
        r#"--check_all --nocheck_all: Check everything.
--jobs -j <>: How many at once.
--cache_dir <>: Where."#,
    );
}
