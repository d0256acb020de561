//! Completion scripts, written by hand and by generators.

use argrail_spec::help::{Page, Shell, Subject, read_complete_answer, read_completion};

use super::shown::{commands, options};

fn read(shell: Shell, script: &str) -> Vec<(Vec<String>, Page)> {
    read_completion(
        shell,
        script,
        &Subject {
            name: "moss",
            path: &[],
        },
    )
}

/// The pages as `path: options; commands`.
fn check(shell: Shell, script: &str, expected: &[&str]) {
    let pages = read(shell, script);
    let shown: Vec<String> = pages
        .iter()
        .map(|(path, page)| {
            format!(
                "{}: {}; {}",
                path.join(" "),
                options(page).join(", "),
                commands(page).join(" ")
            )
        })
        .collect();
    assert_eq!(shown, expected, "{script}");
}

#[test]
fn a_number_is_no_name() {
    check(
        Shell::Fish,
        "complete -c moss -o 500 -d 'the last 500 bytes'\ncomplete -c moss -s 4 -l 64\n",
        &[": -4 --64; "],
    );
}

#[test]
fn fish_scripts_are_read() {
    check(
        Shell::Fish,
        "complete -c moss -s a -l all -d 'Grow all'\n\
         complete -c moss -l kind -x -a 'star peat' # which\n\
         complete -c moss -s o -l out -rF\n\
         complete -c moss -o old -a '(ls)'\n\
         complete -c other -l not-ours\n\
         complete -c moss -l $worked_out\n\
         complete -c moss -n __fish_use_subcommand -a add -d Add\n\
         complete -c moss -n '__fish_seen_subcommand_from add' -l deep -d Deep\n\
         complete -c moss -n '__fish_moss_using_subcommand add; and not __fish_seen_subcommand_from now' -a now\n",
        &[
            ": -a --all, --kind star|peat, -o --out ?, -old [?]; add",
            "add: --deep; now",
        ],
    );
}

#[test]
fn bash_scripts_are_read() {
    check(
        Shell::Bash,
        "_moss() {\n\
         local cur prev\n\
         case \"$prev\" in\n\
           -o|--out) _filedir; return ;;\n\
           --kind) COMPREPLY=( $(compgen -W 'star peat' -- \"$cur\") ); return ;;\n\
           --help) return ;;\n\
         esac\n\
         local opts=\"--all --out --kind --depth= $more\"\n\
         local commands='add rm'\n\
         COMPREPLY=( $(compgen -W \"$opts --quiet\" -- \"$cur\") )\n\
         }\n\
         _stone() { local opts='--not-ours'; }\n\
         complete -F _moss moss\n\
         complete -F _stone stone\n",
        &[": -o ?, --out ?, --kind star|peat, --all, --depth ?, --quiet; add rm"],
    );
}

#[test]
fn bash_scripts_of_generators_are_read() {
    check(
        Shell::Bash,
        "_moss() {\n case \"${cmd},${i}\" in\n \",$1\")\n cmd=\"moss\"\n ;;\n moss,self-test)\n cmd=\"moss__self__test\"\n ;;\n esac\n\
         case \"${cmd}\" in\n moss)\n opts=\"-h --help self-test [FILE]...\"\n case \"${prev}\" in\n *)\n COMPREPLY=()\n ;;\n esac\n ;;\n\
         moss__self__test)\n opts=\"--deep\"\n case \"${prev}\" in\n --deep)\n COMPREPLY=($(compgen -f \"${cur}\"))\n return 0\n ;;\n esac\n ;;\n esac\n}\n\
         complete -F _moss -o nosort moss\n",
        &[": -h, --help; self-test", "self-test: --deep ?; "],
    );
    check(
        Shell::Bash,
        "_moss_add()\n{\n last_command=\"moss_add\"\n commands=()\n flags=()\n flags+=(\"--deep=\")\n two_word_flags+=(\"-d\")\n flags+=(\"--wet\")\n}\n\
         _moss_root_command()\n{\n last_command=\"moss\"\n commands=()\n commands+=(\"add\")\n}\n\
         __start_moss() { :; }\ncomplete -o default -F __start_moss moss\n",
        &[": ; add", "add: --deep ?, -d ?, --wet; "],
    );
    check(
        Shell::Bash,
        "complete -W '--all --none' moss\n",
        &[": --all, --none; "],
    );
}

#[test]
fn zsh_scripts_are_read() {
    check(
        Shell::Zsh,
        "#compdef moss\n\
         _arguments \\\n\
           '(-a --all)'{-a,--all}'[grow all]' \\\n\
           '-q[be quiet]' \\\n\
           '--quiet[be quiet]' \\\n\
           '*--kind=[which]:kind:(star peat)' \\\n\
           '--$x[worked out]' \\\n\
           '*:stone:_files'\n\
         local -a commands\n\
         commands=(\n\
           'add:Add a stone'\n\
         )\n",
        &[": -a --all, -q --quiet, --kind star|peat; "],
    );
    check(
        Shell::Zsh,
        "#compdef moss\n_moss() {\n _arguments '-h[Print help]' '--help[Print help]' && ret=0\n\
         case $state in\n (moss)\n case $line[1] in\n (add)\n _arguments '--deep[Deep]' && ret=0\n ;;\n esac\n ;;\n esac\n}\n\
         (( $+functions[_moss_commands] )) ||\n_moss_commands() {\n local commands; commands=(\n'add:Add a stone' \\\n )\n _describe -t commands 'moss commands' commands\n}\n",
        &[": -h --help; add", "add: --deep; "],
    );
    check(Shell::Zsh, "#compdef stone\n_arguments '--all[all]'\n", &[]);
}

#[test]
fn words_come_with_the_text_about_them() {
    let pages = read(
        Shell::Zsh,
        "#compdef moss\n_arguments '--all[all]' '1:where to -- the place:_files'\n",
    );
    let page = &pages[0].1;
    assert_eq!(page.positionals[0].value.name, "where to");
    assert_eq!(page.positionals[0].description, "the place");
}

#[test]
fn answers_of_cobra_are_read() {
    let page = read_complete_answer(
        "add\tAdd a stone\n--all\tGrow all\n--kind=\tWhich\n_activeHelp_ say more\n:4\nCompletion ended with directive: ShellCompDirectiveNoFileComp\n",
    );
    assert_eq!(commands(&page), ["add"]);
    assert_eq!(options(&page), ["--all", "--kind ?"]);
    assert_eq!(page.commands[0].description, "Add a stone");
    assert_eq!(read_complete_answer(":0\n"), Page::default());
}
