//! What is wrong with a pattern: holes that no variable fills, variables that no step uses, steps that are no command.

use std::collections::HashSet;

use argrail_acli::{Limits, tokenize};

use super::super::model::Pattern;
use super::holes::{Holes, is_name};

/// Something that keeps a pattern from being filled in, or a reader from understanding it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// A hole without a variable. The draft's own examples have these, so it is no refusal.
    #[error("step {step} uses {{{name}}}, which \"variables\" does not describe")]
    Undeclared {
        /// Which step, counted from 1.
        step: usize,
        /// The name in the hole.
        name: String,
    },
    /// A variable without a hole.
    #[error("the variable {name:?} is used by no step")]
    Unused {
        /// Its name.
        name: String,
    },
    /// A variable that no hole could name.
    #[error("the variable {name:?} cannot be written in a step: use letters, digits, '_', '-' and '.'")]
    BadName {
        /// Its name.
        name: String,
    },
    /// A step whose words cannot be told apart.
    #[error("step {step} is no command: {problem}")]
    NoCommand {
        /// Which step, counted from 1.
        step: usize,
        /// What is wrong.
        problem: String,
    },
    /// There is nothing to do.
    #[error("the pattern has no steps")]
    NoSteps,
}

/// Lists what is wrong with `pattern`.
pub fn check(pattern: &Pattern) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut used = HashSet::new();
    if pattern.steps.is_empty() {
        problems.push(Problem::NoSteps);
    }
    for (index, step) in pattern.steps.iter().enumerate() {
        let step_number = index + 1;
        match tokenize(&step.command, &Limits::default()) {
            Ok(words) if words.is_empty() => problems.push(Problem::NoCommand {
                step: step_number,
                problem: "it is empty".to_owned(),
            }),
            Ok(_) => {}
            Err(error) => problems.push(Problem::NoCommand {
                step: step_number,
                problem: error.to_string(),
            }),
        }
        let mut here = HashSet::new();
        for name in Holes::of(&step.command).names() {
            if here.insert(name) && !pattern.variables.contains_key(name) {
                problems.push(Problem::Undeclared {
                    step: step_number,
                    name: name.to_owned(),
                });
            }
        }
        used.extend(here);
    }
    for name in pattern.variables.keys() {
        if !is_name(name) {
            problems.push(Problem::BadName { name: name.clone() });
        } else if !used.contains(name.as_str()) {
            problems.push(Problem::Unused { name: name.clone() });
        }
    }
    problems
}
