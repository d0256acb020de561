//! Thor and Ruby's optparse.

use super::check;

#[test]
fn thor() {
    check(
        "hive",
        r#"Commands:
  hive help [COMMAND]          # Describe available commands or one specific command
  hive inspect FRAME [--deep]  # Look at a frame
  hive harvest                 # Take honey

Options:
  -q, [--queen=NAME]                   # Which queen
      [--smoke], [--no-smoke]          # Use smoke
                                       # Default: true
  -n, [--frames=N]                     # How many
                                       # Possible values: 8, 10
"#,
        r#"-q --queen <NAME>: Which queen
--smoke --no-smoke = true: Use smoke Default: true
-n --frames <8|10>: How many Possible values: 8, 10
$ help: Describe available commands or one specific command
$ inspect: Look at a frame
$ harvest: Take honey"#,
    );
}

#[test]
fn optparse() {
    check(
        "rubble",
        r#"Usage: rubble [options] FILE
    -v, --[no-]verbose               Run verbosely
    -d, --delay N                    Delay N seconds
    -i, --inplace [EXTENSION]        Edit in place
        --type TYPE                  Select type (text, binary, auto)
    -l, --list x,y,z                 A list
"#,
        r#"-v --verbose --no-verbose: Run verbosely
-d --delay <N:integer>: Delay N seconds
-i --inplace [EXTENSION]: Edit in place
--type <text|binary|auto>: Select type (text, binary, auto)
-l --list <x,y,z>: A list
> FILE:file:"#,
    );
}
