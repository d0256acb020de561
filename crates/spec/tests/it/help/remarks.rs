//! Names that stand in descriptions, and words that look like values, names or headings and are none.

use super::check;

#[test]
fn a_description_names_another_name() {
    check(
        "reel",
        r#"Options:
  --ignore-config          Load nothing more (Alias: --no-config)
  --choice=STR             choose the sum (aka --cc)
  --disallow-any           Forbid it (inverse: --allow-any)
  --disallow-more          Forbid it (inverse: --allow-
                           more)
"#,
        r#"--ignore-config --no-config: Load nothing more (Alias: --no-config)
--choice --cc <STR>: choose the sum (aka --cc)
--disallow-any --allow-any: Forbid it (inverse: --allow-any)
--disallow-more: Forbid it (inverse: --allow- more)"#,
    );
}

#[test]
fn a_description_names_the_opposite() {
    check(
        "well",
        r#"Options:
  --rehash      Complete names. (Defaults to on; use --skip-rehash to disable.)
  --pager       Page. Disable with --disable-pager. This is off.
  --no-ignore   Read all. This can be disabled with the --ignore flag.
  --no-color    Disable colours, whatever --color says
"#,
        r#"--rehash --skip-rehash: Complete names. (Defaults to on; use --skip-rehash to disable.)
--pager --disable-pager: Page. Disable with --disable-pager. This is off.
--no-ignore --ignore: Read all. This can be disabled with the --ignore flag.
--no-color: Disable colours, whatever --color says"#,
    );
}

#[test]
fn placeholders_alone_in_the_second_column_are_values() {
    check(
        "crate",
        r#"Commands:
  -i|--install       <file name>... | -R|--recursive <directory>...
  --configure        <package>... | -a|--pending
  -L|--list          <package>...          List the files.
"#,
        r#"-i --install <file name>:
-R --recursive <directory:directory>:
--configure <package>:
-a --pending:
-L --list <package>: List the files."#,
    );
}

#[test]
fn names_in_braces() {
    check(
        "shift",
        "Options:\n  --first <addr>\n      Set the first\n  {--start|--begin} <incr>\n      Add to the start\n",
        "--first <addr>: Set the first\n--start --begin <incr>: Add to the start",
    );
}

#[test]
fn what_a_placeholder_says_needs_no_balance() {
    check(
        "style",
        "Options:\n  --format <old (%) or new ({)>\n            How to write it\n",
        "--format <old (%) or new ({)>: How to write it",
    );
}

#[test]
fn kinds_are_no_values() {
    check(
        "swift",
        "Options:\n  --debug [feat]   [string | boolean] show more\n",
        "--debug [feat]: [string | boolean] show more",
    );
}

#[test]
fn a_heading_that_begins_with_use_lists_options() {
    check(
        "rule",
        "Basic:\n  -c, --config  Read this\n\nUse stdin:\n  --stdin       Read what comes in\n",
        "-c --config: Read this\n--stdin: Read what comes in",
    );
}

#[test]
fn a_sentence_below_the_usage_is_no_part_of_it() {
    check(
        "names",
        "Usage: names [option(s)] [file]\n List symbols in [file] (a.out by default).\n The options are:\n  -a   Show all\n",
        "# List symbols in [file] (a.out by default).\n-a: Show all\n> ?file:file:",
    );
}

#[test]
fn a_sentence_below_a_heading_is_no_argument() {
    check(
        "lint",
        "Method args:\n  Checker for method_args.\n\n  --timeout <n>   How long\n",
        "--timeout <n:integer>: How long",
    );
}

#[test]
fn plain_words_behind_several_options_are_values() {
    check(
        "keys",
        "usage: keys -Y verify -f signers_file -I identity [-O option]\n       keys -l [-v] file or folder\n",
        "-Y <verify>:\n-f <signers_file:file>:\n-I <identity>:\n-O <option>:\n-l:\n-v:\n> file:file:\n> folder:directory:",
    );
}

#[test]
fn a_call_without_a_command_beside_one_with_it() {
    check(
        "chai",
        "Usage: chai [spec..]\n       chai init <path>\n\nCommands:\n  init <path>  create it at <path>\n",
        "$ init: create it at <path>\n> ?spec...:",
    );
    check(
        "pack",
        "Usage: pack [entries...] [options] | pack [command] [options]\n\nCommands:\n  build   Build it\n",
        "$ build: Build it\n> ?entries...:",
    );
}

#[test]
fn letters_made_of_signs_say_nothing() {
    check(
        "art",
        " _   _  ___\n| | | |/ _ \\\n|_| |_|_/ \\_\\\n\nManages projects.\n\nOptions:\n  -x   Do it\n",
        "# Manages projects.\n-x: Do it",
    );
}
