//! Values to words: the way back from JSON, for callers that have typed input instead of a command string.
//!
//! The words bind to the same values, and no value can become an option or a word too many: each stands
//! attached to its option or as one word of its own, behind `--` where it starts with a dash. What a
//! style cannot write down is refused.

use serde_json::{Map, Value};

use crate::bind::BindError;
use crate::model::{Arg, Command, Dashes, Kind, Repeat, Scope, Style, Takes};
use crate::nearest::nearest;

/// Returns the words that call the last command of `path` with `values`, named as its schema names them.
///
/// # Errors
/// A name that no argument has, or a value that cannot be written in the command's style.
pub fn render(path: &[&Command], values: &Map<String, Value>) -> Result<Vec<String>, BindError> {
    check_names(path, values)?;
    let mut words = Words {
        style: Style::default(),
        out: Vec::new(),
    };
    let Some((leaf, above)) = path.split_last() else {
        return Ok(words.out);
    };
    for command in above {
        words.enter(command);
        words.options(command, values, |arg| arg.scope == Scope::Here)?;
    }
    words.enter(leaf);
    for command in path {
        let is_leaf = std::ptr::eq(*command, *leaf);
        words.options(command, values, |arg| is_leaf || arg.scope == Scope::Below)?;
    }
    words.positionals(leaf, values)?;
    Ok(words.out)
}

fn check_names(path: &[&Command], values: &Map<String, Value>) -> Result<(), BindError> {
    let known = || path.iter().flat_map(|command| command.args());
    let Some(unknown) = values.keys().find(|name| !known().any(|arg| arg.name() == *name)) else {
        return Ok(());
    };
    Err(BindError::UnknownOption {
        given: unknown.clone(),
        nearest: nearest(unknown, known().map(Arg::name)).map(str::to_owned),
        known: known().map(|arg| arg.name().to_owned()).collect(),
    })
}

struct Words {
    style: Style,
    out: Vec<String>,
}

impl Words {
    fn enter(&mut self, command: &Command) {
        self.style = command.inside().style.unwrap_or(self.style);
        self.out.push(command.name().to_owned());
    }

    fn options(
        &mut self,
        command: &Command,
        values: &Map<String, Value>,
        mine: impl Fn(&Arg) -> bool,
    ) -> Result<(), BindError> {
        let options = command
            .args()
            .iter()
            .filter(|arg| !arg.is_positional() && mine(arg));
        for arg in options {
            match values.get(arg.name()) {
                None | Some(Value::Null) => {}
                Some(value) => self.option(arg, value)?,
            }
        }
        Ok(())
    }

    fn option(&mut self, arg: &Arg, value: &Value) -> Result<(), BindError> {
        match (&arg.takes, value) {
            (Takes::Nothing, value) => self.flag(arg, value),
            (Takes::Truth, Value::Bool(truth)) => self.truth(arg, *truth),
            (Takes::Attached, Value::Bool(true)) => {
                self.out.push(arg.shown().to_owned());
                Ok(())
            }
            (Takes::Exactly(_) | Takes::Until(_), value) => self.several(arg, value),
            (Takes::One | Takes::Attached | Takes::Truth, value) => occurrences(arg, value)?
                .iter()
                .try_for_each(|text| self.valued(arg, text)),
        }
    }

    fn flag(&mut self, arg: &Arg, value: &Value) -> Result<(), BindError> {
        let times = match value {
            Value::Bool(truth) => u64::from(*truth),
            value => value
                .as_u64()
                .filter(|times| *times <= 100)
                .ok_or_else(|| wrong(arg, value))?,
        };
        self.out.extend((0..times).map(|_| arg.shown().to_owned()));
        Ok(())
    }

    fn truth(&mut self, arg: &Arg, truth: bool) -> Result<(), BindError> {
        let word = match (truth, arg.shown().strip_prefix("--")) {
            (true, _) => arg.shown().to_owned(),
            (false, Some(name)) => format!("--no-{name}"),
            (false, None) => return self.valued(arg, "false"),
        };
        self.out.push(word);
        Ok(())
    }

    /// One option with one value, so that they cannot come apart.
    fn valued(&mut self, arg: &Arg, text: &str) -> Result<(), BindError> {
        let spelt = arg.shown();
        let long = spelt.len() > 2 && (spelt.starts_with("--") || self.style.dashes != Dashes::Double);
        if spelt.ends_with('=') {
            self.out.push(format!("{spelt}{text}"));
        } else if long && spelt.starts_with('-') {
            self.out.push(format!("{spelt}={text}"));
        } else if self.style.attached && spelt.len() == 2 && !text.is_empty() && !text.starts_with('=') {
            self.out.push(format!("{spelt}{text}"));
        } else if arg.takes == Takes::One && !text.starts_with('-') {
            self.out.extend([spelt.to_owned(), text.to_owned()]);
        } else {
            return Err(wrong(arg, &text.into()));
        }
        Ok(())
    }

    /// An option whose words are as many as its grammar says.
    fn several(&mut self, arg: &Arg, value: &Value) -> Result<(), BindError> {
        let items = value.as_array().ok_or_else(|| wrong(arg, value))?;
        let texts: Vec<String> = items.iter().map(text).collect();
        let fits = match &arg.takes {
            Takes::Exactly(count) => texts.len() == *count && texts.iter().all(|text| !text.starts_with('-')),
            Takes::Until(ends) => match texts.split_last() {
                // What ends in several words, or nowhere, cannot be told from what the values say.
                Some((last, before)) => {
                    let is_end = |text: &String| {
                        let part = |end: &String| end.split(' ').any(|part| part == text);
                        ends.iter().any(part)
                    };
                    ends.contains(last) && !before.iter().any(is_end)
                }
                None => false,
            },
            Takes::Nothing | Takes::One | Takes::Attached | Takes::Truth => false,
        };
        if !fits {
            return Err(wrong(arg, value));
        }
        self.out.push(arg.shown().to_owned());
        self.out.extend(texts);
        Ok(())
    }

    fn positionals(&mut self, leaf: &Command, values: &Map<String, Value>) -> Result<(), BindError> {
        let mut words = Vec::new();
        for arg in leaf.positionals() {
            match values.get(arg.name()) {
                None | Some(Value::Null) => {}
                Some(value) => words.extend(occurrences(arg, value)?.into_iter().map(|word| (arg, word))),
            }
        }
        let could_be_option = |word: &str| word.starts_with('-') || leaf.find(word).is_some();
        if let Some((arg, word)) = words.iter().find(|(_, word)| could_be_option(word)) {
            if !self.style.terminator {
                return Err(wrong(arg, &word.as_str().into()));
            }
            self.out.push("--".to_owned());
        }
        self.out.extend(words.into_iter().map(|(_, word)| word));
        Ok(())
    }
}

/// The text of each occurrence: several for what may be repeated, one for all others.
fn occurrences(arg: &Arg, value: &Value) -> Result<Vec<String>, BindError> {
    match (&arg.kind, arg.repeat, value) {
        // A comma is what separates the items, so an item cannot hold one.
        (Kind::Array(_), _, Value::Array(items)) => {
            let texts: Vec<String> = items.iter().map(text).collect();
            let bad = texts.iter().any(|text| text.contains(',')) || texts == [""];
            if bad {
                Err(wrong(arg, value))
            } else {
                Ok(vec![texts.join(",")])
            }
        }
        (_, Repeat::Many, Value::Array(items)) => Ok(items.iter().map(text).collect()),
        (Kind::Json, ..) => Ok(vec![value.to_string()]),
        (_, _, Value::Array(_) | Value::Object(_)) => Err(wrong(arg, value)),
        (_, _, Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => Ok(vec![text(value)]),
    }
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn wrong(arg: &Arg, value: &Value) -> BindError {
    BindError::WrongType {
        name: arg.shown().to_owned(),
        given: text(value),
        expected: arg.kind.expected(),
        choices: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::bind::{Surroundings, scan};
    use crate::testing::StillHost;

    fn tree() -> Command {
        let leaf = Command::new("put", "")
            .arg(Arg::flag("--force", "").short('f'))
            .arg(Arg::flag("-v", "").many())
            .arg(Arg::option("--max", Kind::Integer, ""))
            .arg(Arg::option("--note", Kind::String, ""))
            .arg(Arg::option("-m", Kind::String, ""))
            .arg(Arg::option("--notify", Kind::Boolean, ""))
            .arg(Arg::option("--tag", Kind::array(), ""))
            .arg(Arg::option("--file", Kind::String, "").many())
            .arg(Arg::option("--data", Kind::Json, ""))
            .arg(Arg::positional("name", Kind::String, "").optional())
            .arg(Arg::positional("rest", Kind::String, "").optional().many())
            .handler(|_| async { Ok(Value::Null) });
        let group =
            Command::new("store", "").arg(Arg::option("-C", Kind::String, "").id("dir").scope(Scope::Here));
        Command::new("root", "").subcommand(group.subcommand(leaf))
    }

    fn words(values: Value) -> Result<Vec<String>, BindError> {
        let tree = tree();
        let store = tree.find("store").unwrap();
        let values = values.as_object().unwrap().clone();
        render(&[store, store.find("put").unwrap()], &values)
    }

    /// What the words bind to.
    fn bound(words: &[String]) -> Value {
        let (tree, host) = (tree(), StillHost::default());
        scan(&tree, words)
            .bind(Surroundings {
                host: &host,
                roots: &[],
            })
            .unwrap()
            .to_json()
    }

    #[test]
    fn values_become_words_that_cannot_be_mistaken() {
        let check = |values: Value, want: &[&str]| assert_eq!(words(values).unwrap(), want);
        check(json!({}), &["store", "put"]);
        check(
            json!({"dir": "d", "force": true}),
            &["store", "-Cd", "put", "--force"],
        );
        check(
            json!({"v": 2, "notify": false}),
            &["store", "put", "-v", "-v", "--no-notify"],
        );
        check(
            json!({"max": -5, "note": "--force"}),
            &["store", "put", "--max=-5", "--note=--force"],
        );
        check(json!({"m": "a b"}), &["store", "put", "-ma b"]);
        check(
            json!({"tag": ["a", "b"], "file": ["x", "y"]}),
            &["store", "put", "--tag=a,b", "--file=x", "--file=y"],
        );
        check(
            json!({"data": {"a": [1]}}),
            &["store", "put", "--data={\"a\":[1]}"],
        );
        check(json!({"name": "--force"}), &["store", "put", "--", "--force"]);
    }

    #[test]
    fn what_cannot_be_written_down_is_refused() {
        for values in [
            json!({"nope": 1}),
            json!({"tag": ["a,b"]}),
            json!({"note": {"a": 1}}),
            json!({"force": "yes"}),
            json!({"v": 1_000_000}),
        ] {
            assert!(words(values.clone()).is_err(), "{values}");
        }
        let find = Command::new("find", "")
            .style(Style::find())
            .arg(Arg::positional("path", Kind::String, "").optional().many())
            .arg(
                Arg::option("-exec", Kind::String, "")
                    .takes(Takes::Until(vec![";".to_owned()]))
                    .id("exec"),
            );
        let render = |values: Value| render(&[&find], values.as_object().unwrap());
        assert_eq!(
            render(json!({"exec": ["rm", "{}", ";"]})).unwrap(),
            ["find", "-exec", "rm", "{}", ";"]
        );
        assert!(
            render(json!({"exec": ["rm", ";", "id", ";"]})).is_err(),
            "the end of the command is not the model's"
        );
        assert!(render(json!({"exec": ["rm"]})).is_err());
        assert!(
            render(json!({"path": ["-delete"]})).is_err(),
            "find has no word that ends options"
        );
    }

    proptest! {
        #[test]
        fn words_bind_to_the_values_they_came_from(
            note in "[^\0]{0,12}", m in "[^\0=]{1,12}", max in any::<i64>(), notify in any::<bool>(),
            tags in prop::collection::vec("[^\0,]{1,6}", 1..4), files in prop::collection::vec("[^\0]{0,8}", 1..4),
            name in "[^\0]{0,8}", rest in prop::collection::vec("[^\0]{0,8}", 1..4),
        ) {
            let values = json!({
                "max": max, "note": note, "m": m, "notify": notify, "tag": tags, "file": files,
                "name": name, "rest": rest,
            });
            prop_assert_eq!(bound(&words(values.clone()).unwrap()), values);
        }
    }
}
