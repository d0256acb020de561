//! cobra of today and of old, and others that Go programs are built with.

use super::check;

#[test]
fn types_behind_names() {
    check(
        "flock",
        r#"Herd sheep.

Usage:
  flock [command]

Available Commands:
  count       Count sheep
  move        Move the flock. This command
              needs a dog

Flags:
      --dog string           name of the dog (default "Rex")
  -f, --fields strings       fields to graze
  -h, --help                 help for flock
  -n, --sheep int            how many (default 3)
      --wait duration[=1m]   wait for a sheep
      --wool                 count wool (default true)

Global Flags:
      --farm string   which farm

Additional help topics:
  flock weather  About the weather

Use "flock [command] --help" for more information about a command.
"#,
        r#"# Herd sheep.
--dog <string> = Rex: name of the dog (default "Rex")
-f --fields <strings>: fields to graze
-h --help: help for flock
-n --sheep <int:integer> = 3: how many (default 3)
--wait <duration[=1m]>: wait for a sheep
--wool = true: count wool (default true)
--farm <string> (global): which farm
$ count: Count sheep
$ move: Move the flock. This command needs a dog"#,
    );
}

#[test]
fn defaults_behind_names() {
    check(
        "flock get",
        r#"Get sheep.

Examples:
  # All of them.
  flock get -x --all

Options:
  -A, --all=false: If present, get all of them.
      --chunk=500: How many at once. Pass 0 to disable.
  -o, --output='': Output format. One of: json|yaml|name.
      --mode='none': Must be "none", "server", or "client".

Usage:
  flock get [(-o|--output=)json|yaml] (TYPE [NAME | -l label]) [flags] [options]

Use "flock options" for a list of global command-line options (applies to all commands).
"#,
        r#"# Get sheep.
-A --all = false: If present, get all of them.
--chunk <:integer> = 500: How many at once. Pass 0 to disable.
-o --output <json|yaml|name>: Output format. One of: json|yaml|name.
--mode <none|server|client>: Must be "none", "server", or "client".
-l <label>:
> TYPE:
> ?NAME:"#,
    );
}

#[test]
fn urfave() {
    check(
        "kite",
        r#"NAME:
   kite - fly a kite

USAGE:
   kite [global options] command [command options] [arguments...]

VERSION:
   1.2.3

COMMANDS:
   launch, l  get it up
   help, h    Shows a list of commands or help for one command
   Storage:
     pack, p  put it away

GLOBAL OPTIONS:
   --line value, -l value  length of line (default: 30) [$KITE_LINE]
   --tail                  with a tail (default: false)
   --wind value [ --wind value ]  winds
   --help, -h              show help
   --version, -v           print the version
"#,
        r#"# fly a kite
--line -l <value> (global) = 30 $KITE_LINE: length of line (default: 30) [$KITE_LINE]
--tail (global) = false: with a tail (default: false)
--wind <value> (global): winds
--help -h (global): show help
--version -v (global): print the version
$ launch, l: get it up
$ help, h: Shows a list of commands or help for one command
$ pack, p: put it away"#,
    );
}

#[test]
fn kingpin() {
    check(
        "sled",
        r#"usage: sled [<flags>] <command> [<args> ...]

A sled.

Flags:
      --[no-]help     Show context-sensitive help (also try --help-long and --help-man).
  -d, --dogs=6        How many dogs.
      --route=ROUTE   Where to.
      --snow=fresh    Kind of snow.

Commands:
help [<command>...]
    Show help.

pull [<flags>] <load>
    Pull a load.

rest
    Rest.
"#,
        r#"# A sled.
--help --no-help: Show context-sensitive help (also try --help-long and --help-man).
-d --dogs <:integer> = 6: How many dogs.
--route <ROUTE>: Where to.
--snow <fresh>: Kind of snow.
$ help: Show help.
$ pull: Pull a load.
$ rest: Rest."#,
    );
}
