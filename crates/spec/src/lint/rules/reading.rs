//! What reading itself complains about, whichever format is read. The checks are where the formats are.

use crate::doc::Rule;

pub(super) const RULES: &[Rule] = &[
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
    rule("doc/empty", "nothing in the file", "An empty file says nothing."),
    rule("doc/syntax", "no JSON, or no YAML", "It cannot be read."),
    rule(
        "doc/front-matter",
        "Markdown without front matter",
        "The fields of a manifest stand between two lines '---'.",
    ),
    rule(
        "doc/number",
        "a number that readers disagree about",
        "012 is ten to some and twelve to others.",
    ),
    rule(
        "doc/tag",
        "a tag of YAML",
        "It makes values of other types, which no manifest has.",
    ),
    rule(
        "doc/merge-key",
        "a merge key of YAML",
        "It is no part of YAML 1.2, and readers disagree about it.",
    ),
    rule(
        "doc/alias",
        "an alias inside of what it names",
        "The value would never end.",
    ),
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
        "Hosts know metadata by its field \"atip\".",
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
        "a protocol later than ours",
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
    rule("atip/not-patterns", "no patterns", "The file is left out."),
    rule("registry/invalid", "no registry", "Tools cannot be found."),
    rule(
        "registry/version",
        "a registry of another version",
        "It is not ours to write.",
    ),
    rule(
        "registry/name",
        "an entry that no tool can have",
        "The entry is left out.",
    ),
    rule(
        "registry/entry",
        "an entry that cannot be read",
        "The tool is not known.",
    ),
    rule("cache/invalid", "no cache entry", "The tool is asked again."),
    rule(
        "cache/name",
        "an entry that no tool can have",
        "The entry is dropped.",
    ),
    rule(
        "cache/checksum",
        "metadata that was changed after it was cached",
        "The entry is dropped.",
    ),
    rule("trust/invalid", "no trust settings", "Nothing is trusted."),
    rule(
        "config/key",
        "a setting that cannot be read",
        "argrail refuses to work without knowing what is allowed.",
    ),
    rule(
        "config/unknown-key",
        "a setting that nobody reads",
        "It changes nothing.",
    ),
    rule(
        "delegation/no-command",
        "a denied command that is none",
        "It denies nothing.",
    ),
    rule(
        "delegation/unknown-effect",
        "a restriction that nobody knows",
        "It would restrict nothing.",
    ),
    rule(
        "delegation/unknown-key",
        "a part of a delegation that nobody reads",
        "It would restrict nothing.",
    ),
    rule(
        "policy/unknown-effect",
        "a rule about nothing that is known",
        "It would decide nothing.",
    ),
];

const fn rule(id: &'static str, summary: &'static str, why: &'static str) -> Rule {
    Rule { id, summary, why }
}
