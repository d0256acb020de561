//! yargs, commander, oclif.

use super::check;

#[test]
fn types_at_the_far_right() {
    check(
        "kiln",
        r#"kiln <command>

Commands:
  kiln fire <pot>        fire a pot                                   [aliases: burn]
  kiln glaze [colour..]  glaze pots
  kiln completion        generate completion script

Options:
      --version  Show version number                                        [boolean]
  -t, --temp     degrees                       [number] [required] [default: 1100]
      --atmos    what to burn in       [string] [choices: "air", "smoke"]
  -s, --shelf    shelves to use, may be given more than once                  [array]
  -v, --verbose  talk                                                         [count]
  -h, --help     Show help                                                  [boolean]
"#,
        r#"--version: Show version number [boolean]
-t --temp <:number> ! = 1100: degrees [number] [required] [default: 1100]
--atmos <air|smoke>: what to burn in [string] [choices: "air", "smoke"]
-s --shelf <> +: shelves to use, may be given more than once [array]
-v --verbose +: talk [count]
-h --help: Show help [boolean]
$ fire, burn: fire a pot                                   [aliases: burn]
$ glaze: glaze pots
$ completion: generate completion script"#,
    );
}

#[test]
fn commander() {
    check(
        "loom",
        r#"Usage: loom [options] [command]

weave cloth

Options:
  -V, --version            output the version number
  -w, --warp <threads>     number of warp threads (default: 40)
  --no-selvage             leave the edges open
  -c, --colours <list...>  colours in turn
  --weft [yarn]            weft yarn
  -d, --dobby <mode>       (choices: "up", "down", default: "up")
  -h, --help               display help for command

Commands:
  start|s [options] <pattern>  begin a cloth
  cut                          cut it off
  help [command]               display help for command
"#,
        r#"# weave cloth
-V --version: output the version number
-w --warp <threads> = 40: number of warp threads (default: 40)
--no-selvage: leave the edges open
-c --colours <list>: colours in turn
--weft [yarn]: weft yarn
-d --dobby <up|down> = up: (choices: "up", "down", default: "up")
-h --help: display help for command
$ start, s: begin a cloth
$ cut: cut it off
$ help: display help for command"#,
    );
}

#[test]
fn oclif() {
    check(
        "origami boat",
        r#"Fold a paper boat

USAGE
  $ origami boat [PAPER] [-s <value>] [--json] [-c red|blue]

ARGUMENTS
  PAPER  sheet to fold

FLAGS
  -c, --colour=<option>  [default: red] colour of the sheet
                         <options: red|blue>
  -s, --size=<value>     (required) size in cm
      --[no-]crease      crease first
  --json                 Format output as json.

GLOBAL FLAGS
  --loglevel=<option>  <options: debug|warn>

DESCRIPTION
  Fold a paper boat

EXAMPLES
  $ origami boat --size 3 -x

TOPICS
  paper  buy paper

COMMANDS
  help  display help
"#,
        r#"# Fold a paper boat
-c --colour <red|blue> = red: [default: red] colour of the sheet <options: red|blue>
-s --size <value> !: (required) size in cm
--crease --no-crease: crease first
--json: Format output as json.
--loglevel <debug|warn> (global): <options: debug|warn>
$ help: display help
> ?PAPER: sheet to fold"#,
    );
}

#[test]
fn descriptions_in_the_column_of_their_heads() {
    check(
        "wick",
        r#"wick: The candle compiler

### All options

--dry, -d
Melt nothing.

--wax, -w
Set the kind of wax.
one of: bee, soy, palm
default: bee

--scented
Specify a smell or not.
type: boolean
default: false

--mould
Specify a folder of moulds.

--version
Print the version.
"#,
        r#"# The candle compiler
--dry -d: Melt nothing.
--wax -w <bee|soy|palm> = bee: Set the kind of wax. one of: bee, soy, palm default: bee
--scented = false: Specify a smell or not. type: boolean default: false
--mould <>: Specify a folder of moulds.
--version: Print the version."#,
    );
}

#[test]
fn dots_that_lead_to_the_description() {
    check(
        "rewick",
        r#"  Usage: rewick [options] [candle]

  Options:

  --config file ......... what to read
  -w, --watch path ...... watch a "path". once for
                          each of them
  -V, --verbose ......... tell more
"#,
        r#"--config <file:file>: what to read
-w --watch <path:file>: watch a "path". once for each of them
-V --verbose: tell more
> ?candle:"#,
    );
}
