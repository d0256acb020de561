//! A flag that makes a read a change is seen, however it is spelt.

use super::super::ground::{connect, envelope, home};
use super::table::Answer::{Held, Refused};
use super::table::check;

#[test]
fn a_flag_that_changes_something_is_seen_in_every_spelling() {
    check(&[
        ("sort --output=m f", Held),
        ("sort --output m f", Held),
        ("sort -o m f", Held),
        ("sort -om f", Held),
        ("sort -uom f", Held),
        ("sort -u -o m f", Held),
        ("sort f -o m", Held),
        ("sort --outp=m f", Refused),
        ("sort --compress-program=./script.sh f", Held),
        ("sort --compress-prog=./script.sh -S 1K f", Refused),
        ("uniq f m", Held),
        ("uniq -- f m", Held),
        ("sed -i s/one/two/ f", Held),
        ("sed -ni p f", Held),
        ("sed -n -i p f", Held),
        ("sed -nE -i.bak p f", Held),
        ("sed --in-place p f", Held),
        ("sed --in-place=.bak p f", Held),
        ("sed --in-pl p f", Refused),
        ("rm -rf f", Held),
        ("rm -fr -- f", Held),
        ("rm --recursive --force sub", Held),
        ("touch -- m", Held),
        ("dd of=m", Held),
        ("dd if=f of=m", Held),
        ("curl -om http://api.test/", Held),
        ("curl -sSLo m http://api.test/", Held),
        ("curl --output m http://api.test/", Held),
        ("curl -K names", Held),
        ("wget -O m http://api.test/", Held),
        ("cc @names", Held),
        ("curl -H 'A: b\r\n\r\nDELETE /x HTTP/1.1' http://api.test/", Held),
        ("wget --referer 'a\nX: y' http://api.test/", Held),
    ]);
}

#[test]
fn an_action_of_find_is_seen() {
    check(&[
        ("find . -exec touch m \\;", Held),
        ("find . -exec touch m {} +", Held),
        ("find . -execdir touch m \\;", Held),
        ("find . -exec sh -c 'touch m' \\;", Held),
        ("find . -ok touch m \\;", Refused),
        ("find . -name f -delete", Held),
        ("find . -delete", Held),
        ("find . -fprint m", Held),
        ("find . -fprint0 m", Held),
        ("find . -fprintf m x", Held),
        ("find . -fls m", Held),
        ("find . ( -name f -o -fprint m )", Held),
        // Names of files go there, and those are the workspace's to choose.
        ("find . -exec cat {} \\;", Held),
        ("find . -maxdepth 0 -exec kubectl get -o yaml {} +", Held),
    ]);
}

#[test]
fn an_option_that_runs_a_program_is_seen() {
    check(&[
        ("tar -cf m f", Held),
        ("tar cf m f", Held),
        ("tar xf t.tar", Held),
        (
            "tar -tf t.tar --checkpoint=1 --checkpoint-action=exec='touch m'",
            Held,
        ),
        ("tar -tf t.tar -I ./script.sh", Held),
        ("tar -I ./script.sh -tf t.tar", Held),
        ("tar -tf t.tar -I./script.sh", Held),
        ("tar -tf t.tar --use-compress-program=./script.sh", Held),
        ("tar -tf t.tar --use-compress-prog=./script.sh", Refused),
        ("tar -xf t.tar --to-command='touch m'", Held),
        ("tar tf t.tar -F ./script.sh", Held),
        ("tar --info-script=./script.sh -tf t.tar", Held),
        ("tar -tf t.tar --rsh-command=./script.sh", Held),
        ("tar -tf t.tar --index-file=m", Held),
        ("ssh -o ProxyCommand='touch m' h", Held),
        ("ssh -oProxyCommand='touch m' h", Held),
        ("ssh -oLocalCommand='touch m' -oPermitLocalCommand=yes h", Held),
        ("git -c alias.x='!sh -c \"touch m\"' x", Held),
        ("git -c core.fsmonitor=./script.sh status", Held),
        ("git -c core.pager=./script.sh log", Held),
        ("git --exec-path=. status", Held),
        ("git -C sub push", Held),
        ("git -Csub push", Held),
        ("git --git-dir=. push", Held),
        ("git push --forc", Refused),
        ("git push origin +main", Held),
        ("git push origin :main", Held),
        ("git log --output=m", Held),
        ("git diff --output=m", Held),
        ("git grep --open-files-in-pager=./script.sh x", Held),
        ("git grep -O./script.sh x", Held),
        ("git archive --remote=ext::./script.sh HEAD", Held),
        ("git ls-remote ext::./script.sh", Held),
        ("git fetch --upload-pack=./script.sh .", Held),
        ("rsync -e ./script.sh f h:", Held),
        ("rsync --delete sub/ other/", Held),
        ("python3 -c 'open(\"m\",\"w\")'", Held),
        ("node -e 'require(\"fs\").writeFileSync(\"m\",\"\")'", Held),
        ("perl -e 'open F, \">m\"'", Held),
    ]);
}

#[test]
fn the_same_commands_run_without_such_a_flag() {
    let home = home().file("f", "two\none\none\n");
    let mut client = connect(&home, &[]);
    for (command, stdout) in [
        ("sort -u f", "one\ntwo\n"),
        ("uniq f", "two\none\n"),
        ("sed -nE 1p f", "two\n"),
        ("find . -name f", "./f\n"),
        ("dd if=f", "two\none\none\n"),
    ] {
        let answer = envelope(&client.call(command));
        assert_eq!(answer["data"]["stdout"], stdout, "{command}: {answer:#}");
    }
}
