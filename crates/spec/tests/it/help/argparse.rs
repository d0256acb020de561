//! Python's argparse.

use super::check;

#[test]
fn subparsers_by_name() {
    check(
        "dice",
        r#"usage: dice [-h] [--version] [-s SIDES] [--colour {red,blue}] [-v | -q]
            [--tags TAG [TAG ...]] [--log [PATH]]
            {roll,r,cheat} ...

Roll dice.

positional arguments:
  {roll,r,cheat}
    roll (r)            roll them
    cheat               roll them, but better than chance
                        would

options:
  -h, --help            show this help message and exit
  --version             show program's version number and exit
  -s SIDES, --sides SIDES
                        how many sides (default: 6)
  --colour {red,blue}   which colour
  --tags TAG [TAG ...]  tags
  --log [PATH]          where to log; see also
                        --colour and -s
  -v, --verbose         talk (default: False)
  -q, --quiet
"#,
        r#"# Roll dice.
-h --help: show this help message and exit
--version: show program's version number and exit
-s --sides <SIDES> = 6: how many sides (default: 6)
--colour <red|blue>: which colour
--tags <TAG [TAG ...]>: tags
--log [PATH:file]: where to log; see also --colour and -s
-v --verbose: talk (default: False)
-q --quiet:
$ roll, r: roll them
$ cheat: roll them, but better than chance would"#,
    );
}

#[test]
fn subparsers_below_a_word() {
    check(
        "dice",
        r#"usage: dice [-h] TYPE ...

positional arguments:
  TYPE
    cube         A cube.
    coin         Two sides
                 only.

options:
  -h, --help     show this help message and exit
"#,
        r#"-h --help: show this help message and exit
$ cube: A cube.
$ coin: Two sides only."#,
    );
}
