//! The same for every user that argrail may run as: root, and somebody plain.

use super::ground::{NOTES, flags, printing};
use crate::attacks::harness::{Target, each_host};

#[test]
fn a_tool_is_learned_whoever_asks() {
    each_host(|host| {
        let target = Target::new(host).tool("argnotes", &printing(NOTES));
        target.own();
        let mut words = target.start_words();
        words.push(target.path("programs/argrail"));
        words.extend(["infer", "argnotes", "--json", "--timeout", "50s"].map(str::to_owned));
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let run = target.home().run(target.hostile(), &words);
        assert_eq!(run.exit, Some(0), "{run}");
        let data = &run.json()["data"];
        assert_eq!(flags(&data["tool"], "/commands/list/options"), ["--long", "-l"]);
        assert_eq!(data["catalogued"], true);
    });
}
