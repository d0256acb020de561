//! GNU in two columns, systemd without commas, argp.

use super::check;

#[test]
fn long_names_below_letters_and_lists_of_forms() {
    check(
        "sieve",
        r#"Usage: sieve [OPTION]... [FILE]...
   or: sieve [OPTION]... --from=LIST
Sieve FILE(s), or standard input, to standard output.

Mandatory arguments to long options are mandatory for short options too.
  -A, --all              keep everything; see -x
  -b, --mesh=[+]NUM      width of the mesh; if NUM starts with a '+', in
                           tenths
      --colo[u]r[=WHEN]  colour the output; WHEN can be 'always', 'auto',
                         or 'never'
  -g                     coarse
  -g, --grain=SIZE       print grains of SIZE
      --from=LIST        read names from LIST
  (Use '-v --help' for more.)
  -NUM                   same as --mesh=NUM
  -v, --verbose          explain what is being done; with
                         -v -v, everything
      --help        display this help and exit

SIZE may be:
  N      that many
  -N     at most that many
"#,
        r#"# Sieve FILE(s), or standard input, to standard output.
-A --all: keep everything; see -x
-b --mesh <[+]NUM>: width of the mesh; if NUM starts with a '+', in tenths
--color --colour [always|auto|never]: colour the output; WHEN can be 'always', 'auto', or 'never'
-g: coarse
-g --grain <SIZE>: print grains of SIZE
--from <LIST>: read names from LIST
-v --verbose: explain what is being done; with -v -v, everything
--help: display this help and exit
> ?FILE:file...:"#,
    );
}

#[test]
fn names_without_a_comma() {
    check(
        "lampctl",
        r#"lampctl [OPTIONS...] COMMAND ...

Query or change lamps.

Lamp Commands:
  status                   Show lamps
  dim NAME PERCENT         Dim a lamp

Options:
  -h --help                Show this help message
     --version             Show package version
  -H --host=[USER@]HOST    Operate on remote host
  -p --property=NAME       Show only properties by this name
     --adjust-system-clock Adjust the clock when dimming

See the lampctl(1) man page for details.
"#,
        r#"# Query or change lamps.
-h --help: Show this help message
--version: Show package version
-H --host <[USER@]HOST>: Operate on remote host
-p --property <NAME>: Show only properties by this name
--adjust-system-clock: Adjust the clock when dimming
$ status: Show lamps
$ dim: Dim a lamp"#,
    );
}

#[test]
fn argp() {
    check(
        "tide",
        r#"Usage: tide [OPTION...] PORT
Tell the tide.

  -c, --count=NUM[,NUM]      how many
  -m, --moon[=PHASE]         use PHASE of the moon; one of new, full
  -q, -s, --quiet, --silent  say nothing

 Output:

  -o, --output=FILE          write there
  -?, --help                 Give this help list
      --usage                Give a short usage message
  -V, --version              Print program version

Mandatory or optional arguments to long options are also mandatory or optional
for any corresponding short options.

Report bugs to nobody.
"#,
        r#"# Tell the tide.
-c --count <NUM[,NUM]>: how many
-m --moon [new|full]: use PHASE of the moon; one of new, full
-q -s --quiet --silent: say nothing
-o --output <FILE:file>: write there
-? --help: Give this help list
--usage: Give a short usage message
-V --version: Print program version
> PORT:integer:"#,
    );
}

#[test]
fn a_letter_behind_its_word() {
    check(
        "sluice",
        r#"Usage: sluice [options]

Commands:
  --append  -A gate           Append to gate
  --check   -C gate           Look for a rule
  --swap -S gate number
                              Swap a rule
  --policy  -P gate mode
                              What holds otherwise
  --link <name> <path>
    [--also <name> <path>] ...
                              Add a link
"#,
        r#"--append -A <gate>: Append to gate
--check -C <gate>: Look for a rule
--swap -S <gate number:integer>: Swap a rule
--policy -P <gate mode>: What holds otherwise
--link <name path:file>: Add a link
--also <name>:"#,
    );
}

#[test]
fn dashes_where_a_description_goes_on() {
    check(
        "herald",
        r#"Usage: herald [OPTION...]

  -h, --html                 write a page
  -X, --xview[=RESOLUTION]   show it in a window
                             (old):
                             -X = -TX7, -X1 = -TX1
  -Z, --raw                  write it raw
"#,
        r#"-h --html: write a page
-X --xview [RESOLUTION]: show it in a window (old): -X = -TX7, -X1 = -TX1
-Z --raw: write it raw"#,
    );
}

#[test]
fn wording_that_leaves_nothing_to_say() {
    check(
        "settle",
        r#"Usage: settle [options]

 -c, --calm     set the water to the usual state
 -d, --deep     dive
 -f, --fork     always fork
 -l, --lakes    List of all lakes
 -n, --number   Number of lakes
"#,
        r#"-c --calm: set the water to the usual state
-d --deep: dive
-f --fork: always fork
-l --lakes: List of all lakes
-n --number <:integer>: Number of lakes"#,
    );
}
