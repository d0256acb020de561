//! What a mask takes out: of answers, errors, progress and records, whatever becomes of the call.

use std::borrow::Cow;
use std::sync::{Arc, Mutex};

use argrail_acli::{Arg, AuditSink, Cli, Code, Command, Error, Kind, Mask, Progress, Request, Text};
use serde_json::{Value, json};

use crate::world::{Records, block_on, caller, world};

/// Hides these words.
struct Hides(&'static [&'static str]);

impl Mask for Hides {
    fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let hide = |text: Cow<'t, str>, word: &&str| match text.contains(*word) {
            true => Cow::Owned(text.replace(*word, "[x]")),
            false => text,
        };
        self.0.iter().fold(Cow::Borrowed(text), hide)
    }

    fn of_command(&self, name: &str) -> Option<Arc<dyn Mask>> {
        (name == "odd").then(|| Arc::new(Hides(&["s3cret", "declared"])) as _)
    }
}

#[test]
fn what_must_not_be_repeated_stands_in_no_answer_and_no_record() {
    let records = Arc::new(Records::default());
    let fails = |call: argrail_acli::Call| {
        let words: Vec<String> = call.words().to_vec();
        async move {
            call.conceal(Arc::new(Hides(&["s3cret", "of-call"])));
            call.note("words", words.clone());
            call.progress(1.0, None, Text::new("at {}").value(words.concat()));
            let error = Error::new(Code::ExecutionError, Text::new("no {}").value(words.concat()));
            Err::<Value, Error>(
                error
                    .hint(Text::new("not {}").value("s3cret"))
                    .detail("tried", words),
            )
        }
    };
    let words = || Arg::positional("words", Kind::String, "x").many().optional();
    let cli = Cli::builder("test", "1.2.3", "A test", world())
        .mask(Arc::new(Hides(&["s3cret"])))
        .audit(Arc::clone(&records) as Arc<dyn AuditSink>)
        .command(Command::new("fails", "x").arg(words()).handler(fails))
        .command(
            Command::new("says", "x")
                .arg(words())
                .handler(|call| async move { Ok(json!({"said": call.words()[1], "s3cret": 1})) }),
        )
        .command(Command::new("odd", "x").handler(|_| async { Ok(Value::Null) }))
        .build()
        .unwrap();
    let told = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&told);
    let mut all = String::new();
    for command in [
        "fails s3cret of-call",
        "says s3cret",
        "odd --declared=s3cret",
        "'s3cret",
        "s3cret x",
    ] {
        let mut request = Request::new(command, caller("a"));
        let sink = Arc::clone(&sink);
        request.progress = Some(Arc::new(move |step: Progress| {
            sink.lock().unwrap().push(step.message.unwrap().to_string());
        }));
        all.push_str(&block_on(cli.answer(request)).to_string());
    }
    for entry in records.all().iter() {
        all.push_str(&serde_json::to_string(entry).unwrap());
    }
    all.push_str(&told.lock().unwrap().concat());
    for word in ["s3cret", "of-call", "declared"] {
        assert!(!all.contains(word), "{word}: {all}");
    }
    assert!(all.contains("at 'fails[x][x]'"), "{all}");
    assert_eq!(records.all().len(), 5);
}
