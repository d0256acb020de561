//! Names in a row: which of them are one option, which are several, and what is no name at all.

use super::check;

#[test]
fn letters_that_can_be_given_together_or_one_with_a_value() {
    check(
        "conch",
        r#"Usage:  conch [option] script-file ...
Shell options:
	-ilrsD or -c command or -O setting		(invocation only)
	-abefhkE or -o option
"#,
        r#"-i: (invocation only)
-l: (invocation only)
-r: (invocation only)
-s: (invocation only)
-D: (invocation only)
-c <command>: (invocation only)
-O <setting>: (invocation only)
-a:
-b:
-e:
-f:
-h:
-k:
-E:
-o <option>:
> script-file:file...:"#,
    );
}

#[test]
fn a_word_behind_its_letter_is_its_other_name() {
    check(
        "jscan",
        r#"Usage: jscan <options> <path>
Possible options include:
  -h -? --help                  Print this help message
  -s       -summary             Print a summary only
  -P       -profile             Show the profile
  -f <regex>  -filter <regex>   Filter what is found
  -version  --version           Version information
  -R
  --recursive                   Go on below
  -and -or                      Join two of them
"#,
        r#"-h -? --help: Print this help message
-s -summary: Print a summary only
-P -profile: Show the profile
-f -filter <regex>: Filter what is found
-version --version: Version information
-R --recursive: Go on below
-and: Join two of them
-or: Join two of them
> path:file:"#,
    );
}

#[test]
fn many_names_need_no_gap() {
    check(
        "jlist",
        "Options:\n    -l  long listing\n    -? -h --help -help to print this help message\n",
        "-l: long listing\n-? -h --help -help: to print this help message",
    );
}

#[test]
fn a_word_above_its_letter() {
    check(
        "wall",
        r#"Commands:
  --append  -A chain            Append to chain
  --remove-all
            -X [chain]          Remove a chain
  --list    -L                  List them
"#,
        r#"--append -A <chain>: Append to chain
--remove-all -X [chain]: Remove a chain
--list -L: List them"#,
    );
}

#[test]
fn a_deeper_letter_is_an_option_of_its_own() {
    check(
        "wall",
        "Options:\n  --scan\n      -x   how deep\n  --list     list them\n",
        "--scan:\n-x: how deep\n--list: list them",
    );
}

#[test]
fn brackets_around_several_lines() {
    check(
        "jseal",
        r#"Usage: jseal [options] jar-file

[-store <url>]              where keys are

[-addprovider <name>        add a provider by name
  [-providerArg <arg>]] ... configure argument for -addprovider

[-strict]                   treat warnings as errors
"#,
        r#"-store <url:url>: where keys are
-addprovider <name>: add a provider by name
-providerArg <arg>: configure argument for -addprovider
-strict: treat warnings as errors
> jar-file:file:"#,
    );
}

#[test]
fn a_letter_that_is_repeated_names_nothing_where_there_is_that_letter() {
    check(
        "hive",
        "Options:\n  -v      say more\n  -vvv    say all\n  -www    answer with a page\n  -WWW    answer with files\n",
        "-v: say more\n-www: answer with a page\n-WWW: answer with files",
    );
    check("hive", "usage: hive [-vvv] [-x]\n", "-x:");
    check(
        "hive",
        "Options:\n  -d, -dd, -ddd  dig deeper\n",
        "-d -dd: dig deeper",
    );
}

#[test]
fn the_word_that_ends_one_call_of_several_is_a_value() {
    check(
        "quill",
        r#"Usage: quill [arguments] [file ..]     edit files
   or: quill [arguments] -t tag        edit where the tag is
   or: quill -l file                   list one
"#,
        "-t <tag>:\n-l:\n> ?arguments:\n> ?file:file:",
    );
    check("quill", "usage: quill -c file\n", "-c:\n> file:file:");
}

#[test]
fn calls_that_are_counted_and_names_with_a_suffix() {
    check(
        "stow fetch",
        r#"fetch (fe): Bring something here.
usage: 1. fetch SOURCE[@REV]... [PATH]
       2. fetch --all TARGET

Valid options:
  -q [--quiet]             : print nothing
"#,
        "# fetch (fe): Bring something here.\n-q --quiet: print nothing\n--all <TARGET>:\n> SOURCE...:\n> ?PATH:file:",
    );
}

#[test]
fn two_words_behind_the_tool_are_a_command_and_one_below() {
    check(
        "probe",
        r#"Commands:

 probe collect app     collect data
 probe display text    display it as text
 probe display html    display it in a browser
 probe archive         keep it
"#,
        "$ collect:\n$ display:\n$ archive: keep it",
    );
}

#[test]
fn an_invisible_character_makes_no_other_name() {
    check(
        "veil",
        "Options:\n  --c\u{200b}d      looks like another\n  --all\u{200b}     all of it\n",
        "--all: all of it",
    );
}
