//! `tool --agent [--commands=a,b] [--depth=N]`: what a program is asked when it is asked what it is (ATIP §3.1).
//!
//! `--agent` is the first word or it is no question: further on it could be the value of another option. What the
//! draft leaves undefined, `--agent` beside other flags, is an error here.

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AgentRequest {
    /// Only these commands.
    pub commands: Vec<String>,
    /// Only down to this depth.
    pub depth: Option<u64>,
}

/// Why a question is not answered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AgentFlagError {
    /// Something stands beside `--agent` that does not belong to it.
    #[error("--agent stands alone or with --commands=A,B and --depth=N, not with {given:?}")]
    Beside {
        /// The first word that is too many, cut.
        given: String,
    },
    /// A depth that is no number.
    #[error("--depth expects a whole number, got {given:?}")]
    Depth {
        /// What was given, cut.
        given: String,
    },
    /// A flag without its value.
    #[error("{name} expects a value")]
    NoValue {
        /// The flag.
        name: &'static str,
    },
    /// It could not be written as JSON.
    #[error("the metadata cannot be written as JSON")]
    NotJson,
}

/// How much of a foreign word an error shows.
const SHOWN: usize = 60;

impl AgentRequest {
    /// Reads the words after the program's name. Nothing where they are no question.
    pub fn parse<S: AsRef<str>>(words: impl IntoIterator<Item = S>) -> Option<Result<Self, AgentFlagError>> {
        let mut words = words.into_iter();
        if words.next()?.as_ref() != "--agent" {
            return None;
        }
        Some(Self::rest(words))
    }

    fn rest<S: AsRef<str>>(mut words: impl Iterator<Item = S>) -> Result<Self, AgentFlagError> {
        let mut request = Self::default();
        while let Some(word) = words.next() {
            let word = word.as_ref();
            let (flag, attached) = match word.split_once('=') {
                Some((flag, value)) => (flag, Some(value.to_owned())),
                None => (word, None),
            };
            let mut value = |name: &'static str| {
                let next = || words.next().map(|next| next.as_ref().to_owned());
                attached
                    .clone()
                    .or_else(next)
                    .ok_or(AgentFlagError::NoValue { name })
            };
            match flag {
                "--commands" => {
                    let names = value("--commands")?;
                    let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
                    request.commands.extend(names.map(str::to_owned));
                }
                "--depth" => {
                    let given = value("--depth")?;
                    let depth = given
                        .parse()
                        .map_err(|_| AgentFlagError::Depth { given: cut(&given) })?;
                    request.depth = Some(depth);
                }
                _ => return Err(AgentFlagError::Beside { given: cut(word) }),
            }
        }
        Ok(request)
    }
}

fn cut(word: &str) -> String {
    word.chars().take(SHOWN).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Commands and depth, or the message.
    type Want<'a> = Option<Result<(&'a [&'a str], Option<u64>), &'a str>>;

    #[test]
    fn the_first_word_makes_it_a_question() {
        let check = |words: &[&str], want: Want<'_>| {
            let parsed = AgentRequest::parse(words);
            let parsed = parsed.map(|parsed| parsed.map_err(|error| error.to_string()));
            let want = want.map(|want| {
                let request = |(commands, depth): (&[&str], Option<u64>)| AgentRequest {
                    commands: commands.iter().map(|name| (*name).to_owned()).collect(),
                    depth,
                };
                want.map(request).map_err(str::to_owned)
            });
            assert_eq!(parsed, want, "{words:?}");
        };
        check(&[], None);
        check(&["run", "--agent"], None);
        check(&["--name", "--agent"], None);
        check(&["--agent"], Some(Ok((&[], None))));
        check(
            &["--agent", "--commands=a, b,,c"],
            Some(Ok((&["a", "b", "c"], None))),
        );
        check(
            &["--agent", "--commands", "a", "--depth", "2"],
            Some(Ok((&["a"], Some(2)))),
        );
        check(&["--agent", "--depth=0"], Some(Ok((&[], Some(0)))));
        check(
            &["--agent", "--depth=-1"],
            Some(Err("--depth expects a whole number, got \"-1\"")),
        );
        check(&["--agent", "--depth"], Some(Err("--depth expects a value")));
        check(
            &["--agent", "--json"],
            Some(Err(
                "--agent stands alone or with --commands=A,B and --depth=N, not with \"--json\"",
            )),
        );
    }

    proptest! {
        #[test]
        fn any_words_are_read(words in prop::collection::vec("(--agent|--depth|--commands|=|[a1,]){0,3}", 0..5)) {
            let parsed = AgentRequest::parse(&words);
            prop_assert_eq!(parsed.is_some(), words.first().is_some_and(|word| word == "--agent"));
        }
    }
}
