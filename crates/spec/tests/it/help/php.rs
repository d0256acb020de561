//! Symfony.

use super::check;

#[test]
fn symfony() {
    check(
        "mill",
        r#"Mill Console 2.1.0

Usage:
  command [options] [arguments]

Options:
  -h, --help            Display help for the given command.
  -q, --quiet           Do not output any message
      --ansi|--no-ansi  Force (or disable --no-ansi) ANSI output
  -n, --no-interaction  Do not ask any interactive question
  -v|vv|vvv, --verbose  Increase the verbosity of messages: 1 for normal output, 2 for more verbose output
      --env=ENV         The Environment name. [default: "dev"]

Available commands:
  about           Say what it is
  completion      Dump the shell completion script
 flour
  flour:bag       Bag flour
  flour:sift      [flour:sieve] Sift flour
 wheel
  wheel:turn      Turn the wheel
"#,
        r#"# Mill Console 2.1.0
-h --help: Display help for the given command.
-q --quiet: Do not output any message
--ansi --no-ansi: Force (or disable --no-ansi) ANSI output
-n --no-interaction: Do not ask any interactive question
-v --verbose: Increase the verbosity of messages: 1 for normal output, 2 for more verbose output
--env <ENV> = dev: The Environment name. [default: "dev"]
$ about: Say what it is
$ completion: Dump the shell completion script
$ flour:bag: Bag flour
$ flour:sift: [flour:sieve] Sift flour
$ wheel:turn: Turn the wheel"#,
    );
}
