//! Every rule, asked and listed.

use super::super::findings::Findings;
use super::super::run::{Context, UNKNOWN_KIND};
use super::super::view::Tool;
use super::{
    authentication, draft, effects, examples, fields, flags, order, patterns, quality, secrets, values,
    wording,
};
use crate::doc::{Node, Rule};

/// Asks every rule about the metadata of a tool.
pub(in crate::lint) fn metadata(tool: &Tool<'_>, context: Context<'_>, findings: &mut Findings) {
    draft::check(tool, context, findings);
    fields::check(tool, context, findings);
    quality::check(tool, context, findings);
    flags::check(tool, findings);
    values::check(tool, findings);
    order::check(tool, findings);
    examples::check(tool, findings);
    effects::check(tool, context, findings);
    authentication::check(tool, findings);
    wording::check(tool.root, findings);
    secrets::check(tool.root, findings);
    patterns::of_tool(tool, findings);
}

/// Asks the rules that a file of patterns has to keep.
pub(in crate::lint) fn pattern_file(root: &Node, context: Context<'_>, findings: &mut Findings) {
    patterns::of_file(root, findings);
    fields::check_patterns(root, context, findings);
    wording::check(root, findings);
    secrets::check(root, findings);
}

/// What reading itself complains about.
const READING: [Rule; 24] = [
    rule(
        "doc/bom",
        "a byte order mark before the text",
        "Most JSON readers refuse it.",
    ),
    rule(
        "doc/not-utf8",
        "bytes that are no UTF-8",
        "JSON is UTF-8; readers guess differently.",
    ),
    rule("doc/empty", "nothing in the file", "An empty file is no JSON."),
    rule("doc/syntax", "no JSON", "It cannot be read."),
    rule(
        "doc/duplicate-key",
        "a name that stands twice",
        "Readers disagree about which one counts.",
    ),
    rule(
        "doc/too-large",
        "more bytes than are read",
        "Files of strangers are bounded.",
    ),
    rule(
        "doc/too-deep",
        "values nested too deep",
        "Files of strangers are bounded.",
    ),
    rule(
        "doc/too-many",
        "too many values",
        "Files of strangers are bounded.",
    ),
    rule(
        "doc/wrong-type",
        "a field of the wrong type",
        "The field does not count.",
    ),
    rule(
        "doc/more",
        "more complaints than are shown",
        "The rest is seen after the first are mended.",
    ),
    rule(
        "atip/not-atip",
        "no metadata of ATIP",
        "A tool without the field is not introspectable.",
    ),
    rule(
        "atip/bad-name",
        "no name that a tool can have",
        "The name becomes a file name.",
    ),
    rule(
        "atip/other-tool",
        "an override of another tool",
        "It would change a tool that it does not name.",
    ),
    rule(
        "atip/two-names",
        "two names for one tool",
        "Nobody knows which program is meant.",
    ),
    rule(
        "atip/too-new",
        "it needs a later protocol",
        "What it says could be misunderstood.",
    ),
    rule(
        "atip/version",
        "an unknown version of the protocol",
        "What it says could be misunderstood.",
    ),
    rule(
        "atip/missing",
        "a field that the draft requires",
        "An agent cannot tell what it is for.",
    ),
    rule(
        "atip/unknown-type",
        "a type that the draft lacks",
        "Its values cannot be checked.",
    ),
    rule(
        "atip/bad-command-name",
        "a command that cannot be typed",
        "It is left out.",
    ),
    rule("atip/not-patterns", "no patterns", "It is left out."),
    rule("registry/invalid", "no registry", "Tools cannot be found."),
    rule(
        "registry/entry",
        "an entry that cannot be read",
        "The tool is not known.",
    ),
    rule("cache/invalid", "no cache entry", "The tool is asked again."),
    rule("trust/invalid", "no trust settings", "Nothing is trusted."),
];

const fn rule(id: &'static str, summary: &'static str, why: &'static str) -> Rule {
    Rule { id, summary, why }
}

/// Returns every rule with its reason, families in order.
pub fn rules() -> Vec<Rule> {
    let families = [
        draft::RULES,
        fields::RULES,
        quality::RULES,
        flags::RULES,
        values::RULES,
        order::RULES,
        examples::RULES,
        effects::RULES,
        authentication::RULES,
        wording::RULES,
        secrets::RULES,
        patterns::RULES,
    ];
    let ours = families.into_iter().flatten().copied();
    READING.into_iter().chain([UNKNOWN_KIND]).chain(ours).collect()
}
