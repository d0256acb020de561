//! The text of a program is read: one that writes or starts something is no read.

use super::super::ground::{connect, envelope, home};
use super::table::Answer::Held;
use super::table::check;

#[test]
fn a_program_text_that_does_more_than_read_is_seen() {
    check(&[
        ("awk 'BEGIN{system(\"touch m\")}'", Held),
        ("awk 'BEGIN{print > \"m\"}'", Held),
        ("awk 'BEGIN{print >> \"m\"}'", Held),
        ("awk 'BEGIN{print \"x\" | \"cat > m\"}'", Held),
        ("awk 'BEGIN{\"touch m\" | getline}'", Held),
        ("awk -v x=1 'BEGIN{system(\"touch m\")}' f", Held),
        ("awk -f script.sh f", Held),
        ("awk -l ./lib f", Held),
        ("awk '@load \"x\"' f", Held),
        ("gawk 'BEGIN{print |& \"cat > m\"}'", Held),
        ("mawk 'BEGIN{system(\"touch m\")}'", Held),
        ("sed -n 'w m' f", Held),
        ("sed -n 's/one/two/w m' f", Held),
        ("sed -n 's/one/two/gw m' f", Held),
        ("sed '1e touch m' f", Held),
        ("sed 's/one/touch m/e' f", Held),
        ("sed -e p -e 'w m' f", Held),
        ("sed -sn 'w m' f", Held),
        ("sed 'y/a/b/;1e touch m' f", Held),
        ("sed '/one/{\nw m\n}' f", Held),
        ("sed -f script.sh f", Held),
        ("sed --file=script.sh f", Held),
    ]);
}

#[test]
fn a_program_text_that_reads_runs() {
    let home = home().file("f", "one\ntwo\n");
    let mut client = connect(&home, &[]);
    for (command, stdout) in [
        ("sed -n '/two/p' f", "two\n"),
        ("sed 's/w m/x/;s/one/w m/' f", "w m\ntwo\n"),
    ] {
        let answer = envelope(&client.call(command));
        assert_eq!(answer["data"]["stdout"], stdout, "{command}: {answer:#}");
    }
}
