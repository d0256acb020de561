//! All that is said about one command, gathered once: from the tool down to the command, the nearest word first.

use std::collections::BTreeMap;

use super::super::level::{Level, has_json_words, said, takes_whole};
use super::super::model::{Authentication, Effects, Metadata};
use super::behaviour::{Output, Prompts, env, exits, output, prompts};
use super::parameter::Parameter;
use super::reader::Voice;
use super::rule::heard;
use super::types::ExitMeaning;

/// What is known of one command before its words are.
#[derive(Debug, Default)]
pub(super) struct Prepared {
    /// For each level the options and arguments in the order that the command model has them.
    pub(super) levels: Vec<Vec<Parameter>>,
    pub(super) effects: Effects,
    pub(super) response_files: Option<String>,
    pub(super) prompts: Option<Prompts>,
    pub(super) output: Output,
    pub(super) exits: BTreeMap<i32, ExitMeaning>,
    pub(super) env: BTreeMap<String, String>,
    /// Options that a variable can give, and which.
    pub(super) env_vars: Vec<(String, String)>,
    pub(super) authentication: Option<Authentication>,
}

impl Prepared {
    /// Gathers what is said about the command that `path` leads to.
    pub(super) fn new(metadata: &Metadata, path: &[String], voice: Voice) -> Self {
        let Some(levels) = Level::chain(metadata, path) else {
            return Self::default();
        };
        let (grammar, _) = Level::grammars(&levels);
        let options = levels.iter().flat_map(Level::options);
        let env_vars = options
            .filter_map(|(option, _)| Some((option.name.clone(), option.env_var.clone()?)))
            .collect();
        Self {
            levels: parameters(&levels, voice),
            effects: heard(effects(&levels), voice),
            response_files: grammar.and_then(|grammar| grammar.response_files),
            prompts: match voice {
                Voice::Settled => said(&levels).find_map(prompts).flatten(),
                Voice::Claimed => None,
            },
            output: said(&levels).find_map(output).unwrap_or_default(),
            exits: said(&levels).find_map(exits).unwrap_or_default(),
            env: match voice {
                Voice::Settled => {
                    let mut all: Vec<_> = said(&levels).map(env).collect();
                    all.reverse();
                    all.into_iter().flatten().collect()
                }
                Voice::Claimed => BTreeMap::new(),
            },
            env_vars,
            authentication: authentication(&levels),
        }
    }
}

fn parameters(levels: &[Level<'_>], voice: Voice) -> Vec<Vec<Parameter>> {
    let of_level = |level: &Level<'_>| {
        let (named, _) = level.named();
        named.iter().map(|named| Parameter::of(named, voice)).collect()
    };
    let mut all: Vec<Vec<Parameter>> = levels.iter().map(of_level).collect();
    let ours = [
        has_json_words(levels).then(Parameter::json),
        takes_whole(levels).then(Parameter::whole),
    ];
    if let Some(last) = all.last_mut() {
        last.extend(ours.into_iter().flatten());
    }
    all
}

fn effects(levels: &[Level<'_>]) -> Effects {
    let last = levels.len().saturating_sub(1);
    let mut effects = Effects::default();
    for (at, level) in levels.iter().enumerate() {
        let (group, own) = level.effects();
        for nearer in group.into_iter().chain(own.filter(|_| at == last)) {
            effects = nearer.inherit(&effects);
        }
    }
    effects
}

fn authentication(levels: &[Level<'_>]) -> Option<Authentication> {
    let own = levels.last().and_then(|level| level.authentication().1);
    let nearest = || levels.iter().rev().find_map(|level| level.authentication().0);
    own.or_else(nearest).cloned()
}
