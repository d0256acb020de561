//! Any wishes of any manifest start the agent with words that the manifest has a place for, or are refused.
//!
//! The manifest stands up to a record separator; behind it, wishes by line: `a=value`, `@mode`, `%model`.

use argrail_spec::agent_cli_md::{AgentCliMd, OptionType, Wishes, load};

/// Checks one text.
pub(crate) fn launch(text: &str) {
    let (manifest, lines) = text.split_once('\u{1e}').unwrap_or((text, ""));
    let Ok(agent) = load(manifest.as_bytes()).map(|loaded| loaded.manifest) else {
        return;
    };
    let wishes = wishes(lines);
    let launch = match agent.launch(&wishes) {
        Ok(launch) => launch,
        Err(error) => {
            assert!(error.to_string().len() < 1_000 && !error.hint().to_string().is_empty());
            return;
        }
    };
    assert!(
        launch.args.len() <= most_words(&agent, &wishes),
        "{:?}",
        launch.args
    );
    let no_nul = |text: &String| !text.contains('\0');
    assert!(launch.args.iter().all(no_nul) && launch.env.values().all(no_nul));
    // What the manifest does not write with a dash does not get one from a free value; words and numbers that it lists
    // itself may have one.
    let listed = agent
        .options
        .iter()
        .filter(|option| option.kind.value != OptionType::String)
        .flat_map(|option| &option.bin_args_template)
        .map(|word| word.as_str());
    let dashed: Vec<&str> = words(&agent)
        .filter(|word| word.starts_with('-'))
        .chain(listed)
        .collect();
    for word in launch.args.iter().filter(|word| word.starts_with('-')) {
        assert!(dashed.iter().any(|own| alike(own, word)), "{word}");
    }
}

fn wishes(lines: &str) -> Wishes {
    let mut wishes = Wishes::default();
    for line in lines.lines() {
        match (
            line.strip_prefix('@'),
            line.strip_prefix('%'),
            line.split_once('='),
        ) {
            (Some(mode), _, _) => wishes.mode = Some(mode.to_owned()),
            (None, Some(model), _) => wishes.model = Some(model.to_owned()),
            (None, None, Some((id, value))) => wishes.options.push((id.to_owned(), value.to_owned())),
            (None, None, None) => {}
        }
    }
    wishes
}

/// Returns every word that the manifest may put into arguments.
fn words(agent: &AgentCliMd) -> impl Iterator<Item = &str> {
    let modes = agent.modes.iter().flat_map(|mode| &mode.bin_args_append);
    let options = agent.options.iter().flat_map(|option| {
        let flags = option.bin_args_append_when_true.iter();
        option.bin_args_template.iter().chain(flags)
    });
    let all = agent.bin_args.iter().chain(modes).chain(options);
    all.map(|word| word.as_str())
}

/// Whether a word may come from a template: it begins and ends as that does around its holes.
fn alike(template: &str, word: &str) -> bool {
    match (template.split_once("{value}"), template.rsplit_once("{value}")) {
        (Some((start, _)), Some((_, end))) => word.starts_with(start) && word.ends_with(end),
        (_, _) => template == word,
    }
}

/// Returns how many words there can be at most, whatever the values hold.
fn most_words(agent: &AgentCliMd, wishes: &Wishes) -> usize {
    let mode = agent
        .modes
        .iter()
        .find(|mode| Some(mode.id.as_str()) == wishes.mode.as_deref());
    let options = agent.options.iter().map(|option| {
        let is_model = option.id.as_str() == "model";
        let given = wishes.options.iter().any(|(id, _)| id == option.id.as_str());
        let template = if given || is_model {
            option.bin_args_template.len()
        } else {
            0
        };
        template + option.bin_args_append_when_true.len()
    });
    agent.bin_args.len() + mode.map_or(0, |mode| mode.bin_args_append.len()) + options.sum::<usize>()
}
