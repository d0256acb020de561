//! git: flags in the usage, negations, groups.

use super::check;

#[test]
fn negations_and_flags_of_the_usage() {
    check(
        "vcs commit",
        r#"usage: vcs commit [-a | --interactive | --patch] [-s] [-v] [-u[<mode>]] [--amend]
                  [--dry-run] [(-c | -C | --squash) <commit>] [-F <file> | -m <msg>]
                  [--[no-]status] [-S[<keyid>]] [--] [<pathspec>...]
   or: vcs commit --list

    -q, --[no-]quiet      suppress summary after successful commit
    -v, --[no-]verbose    show diff in commit message template

Commit message options
    -F, --[no-]file <file>
                          read message from file
    -m, --[no-]message <message>
                          commit message
    -S, --[no-]gpg-sign[=<key-id>]
                          GPG sign commit
    --[no-]trailer <trailer>
                          add custom trailer(s)
"#,
        r#"-q --quiet --no-quiet: suppress summary after successful commit
-v --verbose --no-verbose: show diff in commit message template
-F --file --no-file <file:file>: read message from file
-m --message --no-message <message>: commit message
-S --gpg-sign --no-gpg-sign [key-id]: GPG sign commit
--trailer --no-trailer <trailer>: add custom trailer(s)
-a:
--interactive:
--patch:
-s:
-u [mode]:
--amend:
--dry-run:
-c <commit>:
-C <commit>:
--squash <commit>:
--status --no-status:
--list:
> ?pathspec...:"#,
    );
}

#[test]
fn groups_of_commands() {
    check(
        "vcs",
        r#"usage: vcs [-v | --version] [-h | --help] [-C <path>] [-c <name>=<value>]
           [--exec-path[=<path>]] [-p | --paginate | --no-pager]
           <command> [<args>]

These are common vcs commands used in various situations:

start a working area (see also: vcs help tutorial)
   clone     Clone a repository
   init      Create an empty one

work on the current change (see also: vcs help everyday)
   add       Add file contents
   mv        Move a file

'vcs help -a' and 'vcs help -g' list available subcommands and some
concept guides.
"#,
        r#"-v --version:
-h --help:
-C <path:file>:
-c <name=value>:
--exec-path [path:file]:
-p --paginate:
--no-pager:
$ clone: Clone a repository
$ init: Create an empty one
$ add: Add file contents
$ mv: Move a file"#,
    );
}

#[test]
fn commands_of_the_usage() {
    check(
        "vcs stash",
        r#"usage: vcs stash list [<log-options>]
   or: vcs stash show [-u | --include-untracked] [<stash>]
   or: vcs stash drop [-q | --quiet] [<stash>]
   or: vcs stash clear
"#,
        r#"-u:
--include-untracked:
-q --quiet:
$ list:
$ show:
$ drop:
$ clear:"#,
    );
}
