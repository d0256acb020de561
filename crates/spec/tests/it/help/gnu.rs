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
