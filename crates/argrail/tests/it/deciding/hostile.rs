//! A question that lies to whoever reads it: shown harmless, and whole. The screen is that of a terminal emulator.

use argrail_testkit::Size;
use serde_json::json;

use super::ground::{Ground, TALL, of_words, say_yes};

/// Words that hide, reorder, repaint, imitate or push away.
fn hostile() -> Vec<String> {
    let mut words: Vec<String> = [
        "/usr/bin/rm",
        "-rf",
        "invoice\u{202e}fdp.exe\u{202c}",
        "\u{2067}safe\u{2069}",
        "\u{1b}[2J\u{1b}[H\u{1b}[32mall good\u{1b}[0m",
        "\u{1b}]0;title\u{7}\u{1b}]52;c;ZXZpbA==\u{7}",
        "\u{9b}31mred",
        "harmless\rrm -rf ~",
        "a\nDANGER none\n  0 /bin/true",
        "\u{8}\u{8}\u{8}\u{8}gone",
        "tab\tbed",
        "p\u{430}yp\u{430}l.com",
        "\u{441}\u{43e}\u{440}",
        "--fo\u{200b}rce",
        "\u{feff}bom",
        "e\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}\u{307}\u{308}",
        "\u{2500}\u{2500} the end \u{2500}\u{2500}",
        "Type y for yes:",
        "␠{300}",
        "\\u{202e}",
        "↩",
        "",
        " ",
        "trailing ",
        "\u{a0}nbsp",
        "日本語🎉",
        "שלום",
        "\u{e0041}\u{e0042}",
        "\0nul",
    ]
    .iter()
    .map(|word| (*word).to_owned())
    .collect();
    words.push(format!("ls{}; rm -rf /", " ".repeat(300)));
    words.push("x".repeat(500));
    words.push(format!("{}!", "\u{202e}".repeat(40)));
    words
}

/// Reads the words back from the lines of a screen, as a person would: numbers begin them, `↩` goes on.
fn read_back(lines: &[String]) -> Vec<String> {
    let start = lines
        .iter()
        .position(|line| line == "its words, one a line, as they will run")
        .unwrap();
    let mut words: Vec<String> = Vec::new();
    let mut goes_on = false;
    for line in lines[start + 1..].iter().take_while(|line| !line.is_empty()) {
        let (mark, text) = line.split_at(line.char_indices().nth(5).unwrap().0);
        if goes_on {
            assert_eq!(mark, "     ", "{line}");
        } else {
            assert_eq!(mark.trim().parse::<usize>().unwrap(), words.len(), "{line}");
            words.push(String::new());
        }
        goes_on = text.ends_with('↩');
        words.last_mut().unwrap().push_str(text.trim_end_matches('↩'));
    }
    words.iter().map(|word| unescaped(word)).collect()
}

/// Undoes what is written out.
fn unescaped(shown: &str) -> String {
    if shown == "∅" {
        return String::new();
    }
    let mut text = String::new();
    let mut rest = shown.chars();
    let braced = |rest: &mut std::str::Chars<'_>| {
        assert_eq!(rest.next(), Some('{'));
        rest.take_while(|c| *c != '}').collect::<String>()
    };
    while let Some(c) = rest.next() {
        match c {
            '␠' => text.push_str(&" ".repeat(braced(&mut rest).parse().unwrap())),
            '\\' => match rest.next().unwrap() {
                'n' => text.push('\n'),
                'r' => text.push('\r'),
                't' => text.push('\t'),
                'u' => {
                    let code = u32::from_str_radix(&braced(&mut rest), 16).unwrap();
                    text.push(char::from_u32(code).unwrap());
                }
                other => text.push(other),
            },
            c => text.push(c),
        }
    }
    text
}

#[test]
fn every_word_is_on_the_screen_harmless_and_whole() {
    let words = hostile();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    for columns in [40, 80, 132] {
        let ground = Ground::new();
        let id = ground.ask(&of_words(&words));
        let size = Size { rows: 250, columns };
        let mut terminal = ground.at_terminal(&["approve", &id], size);
        say_yes(&mut terminal);
        let lines = terminal.expect_that("the question", |lines| {
            lines.iter().any(|line| line.ends_with(": approved, once"))
        });
        assert_eq!(read_back(&lines), words, "{lines:#?}");
        assert!(!terminal.has_colour(), "{lines:#?}");
        // Nothing but printable text and line ends came: no sequence at all that could steer.
        let text = String::from_utf8(terminal.bytes().to_vec()).unwrap();
        let steers = text.chars().find(|c| c.is_control() && !matches!(c, '\r' | '\n'));
        assert_eq!(steers, None, "{text:?}");
        assert!(
            !text.contains(['\u{202e}', '\u{2067}', '\u{200b}', '\u{feff}']),
            "{text:?}"
        );
        assert_eq!(terminal.wait().0, Some(0));
    }
}

#[test]
fn everything_else_that_is_foreign_is_harmless_too() {
    let evil = "x\u{1b}[31m\u{202e}\nDANGER no', said by 'us";
    let mut shown = of_words(&["git"]);
    shown["command"] = json!(evil);
    shown["cwd"] = json!(evil);
    shown["callerName"] = json!(evil);
    shown["effects"] = json!([evil]);
    shown["words"] = json!([evil]);
    shown["options"] = json!([{"name": evil, "spelt": evil, "values": [evil]}]);
    shown["reasons"] = json!([{"rule": evil, "origin": evil, "effect": evil, "decision": evil}]);
    shown["files"] = json!([{"path": evil, "sha256": evil, "bytes": 1, "snapshot": true}]);
    shown["sandbox"] = json!({"read": [evil], evil: evil, "limits": {evil: evil}});
    shown["suggest"] = json!(evil);
    let ground = Ground::new();
    let id = ground.ask(&shown);
    let table = ground.run(&["approvals"]);
    assert!(!table.stdout.contains(['\u{1b}', '\u{202e}']), "{table}");
    assert_eq!(table.stdout.lines().count(), 4, "{table}");
    let (_, envelope) = ground.json(&["approvals", "--json"]);
    assert_eq!(
        envelope["data"]["pending"][0]["command"],
        json!(evil),
        "data is data"
    );

    let mut terminal = ground.at_terminal(&["approve", &id], TALL);
    say_yes(&mut terminal);
    let lines = terminal.expect_that("the question", |lines| {
        lines.iter().any(|line| line.ends_with(": approved, once"))
    });
    assert!(!terminal.has_colour());
    assert!(
        lines.iter().all(|line| !line.trim_start().starts_with("DANGER")),
        "{lines:#?}"
    );
    let because = lines.iter().filter(|line| line.contains("because of '")).count();
    assert_eq!(because, 1, "{lines:#?}");
}

#[test]
fn the_full_screen_shows_it_harmless_too() {
    let ground = Ground::new();
    let words = hostile();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut shown = of_words(&words);
    shown["command"] = json!("git \u{1b}[31mpush\u{202e} \u{2502} y: yes");
    ground.ask(&shown);
    let mut terminal = ground.at_terminal(&["approvals", "--watch"], TALL);
    terminal.expect("30 xxxx");
    // The last line is drawn last.
    let lines = terminal.expect("q quit");
    assert!(!terminal.has_colour(), "{lines:#?}");
    // The bar between both sides is ours alone, in one column from top to bottom.
    for line in &lines[1..lines.len() - 1] {
        let bars: Vec<usize> = line
            .chars()
            .enumerate()
            .filter(|(_, c)| *c == '│')
            .map(|(at, _)| at)
            .collect();
        assert_eq!(bars, [26], "{line}");
    }
    let text = lines.join("\n");
    assert!(text.contains("ls␠{300}; rm -rf /"), "{text}");
    assert!(text.contains("\\u{1b}[2J\\u{1b}[H"), "{text}");
    terminal.type_in("q");
    assert_eq!(terminal.wait().0, Some(0));
}
