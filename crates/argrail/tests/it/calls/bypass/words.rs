//! Words are words: no shell reads them, a path is no command, and a name that looks like another is another.

use super::super::ground::{connect, envelope, home};
use super::table::Answer::{ForShell, Held, PlainText, Refused, Unknown};
use super::table::check;

#[test]
fn what_a_shell_would_read_is_refused_or_plain_text() {
    check(&[
        ("\"touch m\"", Unknown),
        ("\"touch\nm\"", Unknown),
        ("'touch;m'", Unknown),
        ("touch\\ m", Unknown),
        ("touch\\\nm", Unknown),
        ("ls; touch m", ForShell),
        ("ls\ntouch m", ForShell),
        ("ls ; touch m", ForShell),
        ("ls | touch m", ForShell),
        ("ls && touch m", ForShell),
        ("ls & touch m", ForShell),
        ("ls $(touch m)", ForShell),
        ("ls `touch m`", ForShell),
        ("ls '$(touch m)'", PlainText),
        ("ls \"$(touch m)\"", PlainText),
        ("ls > m", ForShell),
        ("cat f > m", ForShell),
        ("cat f >m", ForShell),
        ("cat <(touch m)", ForShell),
        ("ls ';' touch m", PlainText),
        ("ls '|' touch m", PlainText),
        ("ls \\&\\& touch m", PlainText),
        ("cat f '>' m", PlainText),
        ("cat '<(touch m)'", PlainText),
        ("'X=1' touch m", Unknown),
        ("cat @names", PlainText),
        ("LD_PRELOAD=./x.so ls", ForShell),
        ("X=1 touch m", ForShell),
        ("'' touch m", Unknown),
        ("command touch m", Unknown),
        ("exec touch m", Unknown),
        ("eval touch m", Unknown),
        (". script.sh", Unknown),
        ("source script.sh", Unknown),
    ]);
}

#[test]
fn a_path_is_no_command() {
    check(&[
        ("/bin/touch m", Unknown),
        ("/usr/bin/touch m", Unknown),
        ("//bin//touch m", Unknown),
        ("./script.sh", Unknown),
        ("script.sh", Unknown),
        ("sub/../script.sh", Unknown),
        ("..//bin/sh -c 'touch m'", Unknown),
        ("./touch m", Unknown),
        ("../../../../bin/touch m", Unknown),
        ("/proc/self/exe call 'touch m'", Unknown),
    ]);
}

#[test]
fn a_name_that_looks_like_another_is_another() {
    check(&[
        ("\u{455}h -c 'touch m'", Unknown),
        ("ｔｏｕｃｈ m", Unknown),
        ("touch\u{200b} m", Unknown),
        ("tou\u{ad}ch m", Unknown),
        ("\u{202e}hcuot m", Unknown),
        ("Touch m", Unknown),
        ("TOUCH m", Unknown),
    ]);
}

#[test]
fn the_end_of_options_is_no_way_around() {
    check(&[
        ("-- touch m", Refused),
        ("touch -- m", Held),
        ("touch --", Refused),
        ("env -- -- touch m", Held),
        ("nice -- touch m", Held),
        ("cat -- -x", PlainText),
        ("ls -- --", PlainText),
        ("sort -- f -o m", PlainText),
    ]);
}

#[test]
fn a_word_with_quotes_and_newlines_arrives_as_it_is() {
    let home = home().file("a 'b'\n$(c)", "found\n");
    let mut client = connect(&home, &[]);
    let answer = envelope(&client.call("cat \"a 'b'\n\\$(c)\""));
    assert_eq!(answer["data"]["stdout"], "found\n", "{answer:#}");
    let answer = envelope(&client.call("echo '$HOME' \"`id`\" '*' ~ 'a;b'"));
    assert_eq!(answer["data"]["stdout"], "$HOME `id` * ~ a;b\n", "{answer:#}");
}
