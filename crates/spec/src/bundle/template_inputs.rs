//! Whether an argv template can be filled: its placeholders close, have a source, and name inputs that there are.
//!
//! The whole grammar is the business of whoever expands templates; this is what can be said without it.

use crate::doc::fields::Quoted;
use crate::doc::{Diagnostic, Spanned};
use crate::tool_md::{TEMPLATE, ToolMd};

/// What a placeholder may be about.
const SOURCES: [&str; 4] = ["input", "secrets", "context", "value"];

/// Returns what is wrong with the template of a tool.
pub(super) fn check(tool: &ToolMd) -> Vec<Diagnostic> {
    let Some(argv) = tool.argv() else {
        return Vec::new();
    };
    let names = tool.input_names();
    let mut found = Vec::new();
    let mut used: Vec<&str> = Vec::new();
    for word in argv {
        for hole in holes(word) {
            match hole {
                Hole::Open => found.push(wrong(word, "a placeholder is not closed", "write ${input.NAME}")),
                Hole::Of { source, .. } if !SOURCES.contains(&source) => {
                    let what = format!(
                        "expected a placeholder of input, secrets or context, got {}",
                        Quoted(source)
                    );
                    found.push(wrong(word, &what, "write ${input.NAME}"));
                }
                Hole::Of {
                    source: "input",
                    name,
                } => {
                    used.push(name);
                    if names.as_ref().is_some_and(|names| !names.contains(&name)) {
                        let what = format!("expected one of its inputs, got {}", Quoted(name));
                        let near = argrail_acli::nearest(name, names.iter().flatten().copied());
                        let hint = match near {
                            Some(near) => format!("did you mean {}?", Quoted(near)),
                            None => "add it to inputs.properties".to_owned(),
                        };
                        found.push(wrong(word, &what, &hint));
                    }
                }
                Hole::Of { .. } => {}
            }
        }
    }
    found.extend(unused(tool, names.unwrap_or_default(), &used));
    found
}

fn wrong(word: &Spanned<String>, what: &str, hint: &str) -> Diagnostic {
    TEMPLATE.error(word.span, format!("argv: {what}")).hint(hint)
}

/// Tells about inputs whose values would be lost.
fn unused<'a>(
    tool: &'a ToolMd,
    names: Vec<&'a str>,
    used: &'a [&str],
) -> impl Iterator<Item = Diagnostic> + use<'a> {
    let lost = names.into_iter().filter(|name| !used.contains(name));
    lost.map(|name| {
        let what = format!(
            "inputs: no word of the template uses {}, so its value is lost",
            Quoted(name)
        );
        TEMPLATE
            .warning(tool.inputs.span, what)
            .hint("use it in the template, or take the input out")
    })
}

/// A placeholder.
#[derive(Debug, PartialEq, Eq)]
enum Hole<'a> {
    /// One that never ends.
    Open,
    /// One with its source and the first step of its name.
    Of { source: &'a str, name: &'a str },
}

fn holes(word: &str) -> Vec<Hole<'_>> {
    let mut holes = Vec::new();
    let mut rest = word;
    while let Some((_, after)) = rest.split_once("${") {
        let Some((inside, behind)) = after.split_once('}') else {
            holes.push(Hole::Open);
            break;
        };
        let path = inside.split('|').next().unwrap_or_default().trim();
        let mut steps = path.split('.');
        holes.push(Hole::Of {
            source: steps.next().unwrap_or_default(),
            name: steps.next().unwrap_or_default(),
        });
        rest = behind;
    }
    holes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_found() {
        let of = |source, name| Hole::Of { source, name };
        let check = |word: &str, want: &[Hole<'_>]| assert_eq!(holes(word), want, "{word}");
        check("--title", &[]);
        check("${input.title}", &[of("input", "title")]);
        check(
            "--a=${input.a.b | default('x')}-${secrets.T}",
            &[of("input", "a"), of("secrets", "T")],
        );
        check("${input.a", &[Hole::Open]);
        check("${}", &[of("", "")]);
        check("$input", &[]);
    }
}
