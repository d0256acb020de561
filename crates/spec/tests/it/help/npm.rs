//! npm: options in brackets, commands with commas.

use super::check;

#[test]
fn options_in_brackets() {
    check(
        "box install",
        r#"Install a box

Usage:
box install [<box-spec> ...]

Options:
[-S|--save|--no-save|--save-dev] [-E|--exact] [-g|--global]
[--omit <dev|optional> [--omit <dev|optional> ...]]
[-w|--workspace <name> [-w|--workspace <name> ...]]
[-ws|--workspaces] [--no-audit]

aliases: add, i

Run "box help install" for more info
"#,
        r#"# Install a box
-S --save:
--no-save:
--save-dev:
-E --exact:
-g --global:
--omit <dev|optional>:
-w --workspace <name>:
-ws:
--workspaces:
--no-audit:
> ?box-spec...:"#,
    );
}

#[test]
fn a_list_with_commas() {
    check(
        "box",
        r#"box <command>

Usage:

box install        install all the boxes
box install <foo>  add the <foo> box
box <command> -h   quick help on <command>

All commands:

    access, add, audit, cache, ci,
    config, view, whoami

Specify configs in the ini-formatted file:
    /srv/.boxrc
or on the command line via: box <command> --key=value
"#,
        r#"-h:
$ access:
$ add:
$ audit:
$ cache:
$ ci:
$ config:
$ view:
$ whoami:"#,
    );
}
