//! The root object: what makes it metadata of ATIP at all, and its fields.

use super::super::model::{Binary, Filter, Metadata, Omitted, Trust};
use super::super::name::check_tool_name;
use super::authentication::authentication;
use super::command::commands;
use super::effects::effects;
use super::parameter::options;
use super::pattern::patterns;
use super::version::{atip, refuse_newer};
use crate::doc::fields::{Complaints, Fields, Quoted, Trail, came};
use crate::doc::{Diagnostic, Document, Limits, Node, Severity, Span};

/// The protocol version that we understand: metadata that wants a later one is refused.
pub const AGENT_VERSION: (u64, u64) = (0, 6);

/// What was understood, and what was not.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    /// What was understood.
    pub metadata: Metadata,
    /// What was not, or reads oddly.
    pub warnings: Vec<Diagnostic>,
}

/// What a list of tools has no use for, and what most of the metadata is.
pub const BEYOND_HEAD: [&str; 3] = ["commands", "globalOptions", "patterns"];

/// How much of the metadata is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Everything.
    All,
    /// What the tool is, without its commands, global options and patterns: lists need no more.
    Head,
}

/// How much of the root object must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Whole<'a> {
    /// All that makes it metadata.
    Yes,
    /// It changes parts of what is known of this tool.
    PartOf(&'a str),
}

/// Reads the text of a metadata file, or what a tool printed.
///
/// # Errors
/// When it is no JSON within the limits, or no metadata of ATIP.
pub fn load(text: &[u8]) -> Result<Loaded, Diagnostic> {
    decode(&Document::json(text, &Limits::metadata())?.root)
}

/// Reads metadata from a document.
///
/// # Errors
/// When it is no metadata of ATIP.
pub fn decode(root: &Node) -> Result<Loaded, Diagnostic> {
    read(root, Whole::Yes, Extent::All)
}

/// Reads what the tool is, without its commands, global options and patterns.
///
/// # Errors
/// When it is no metadata of ATIP.
pub fn decode_head(root: &Node) -> Result<Loaded, Diagnostic> {
    read(root, Whole::Yes, Extent::Head)
}

/// Reads an override: some fields of the metadata of `name`.
///
/// # Errors
/// When it is no object, is about another tool, or wants a later protocol.
pub fn decode_part(root: &Node, name: &str, extent: Extent) -> Result<Loaded, Diagnostic> {
    read(root, Whole::PartOf(name), extent)
}

fn refusal(code: &'static str, span: Span, message: String) -> Diagnostic {
    Diagnostic::new(Severity::Error, code, span, message)
}

fn read(root: &Node, whole: Whole<'_>, extent: Extent) -> Result<Loaded, Diagnostic> {
    let mut complaints = Complaints::default();
    let Some(mut fields) = Fields::of(root, Trail::root(), &mut complaints) else {
        let message = format!(
            "expected an object with the metadata of a tool, got {}",
            came(root)
        );
        return Err(refusal("atip/not-atip", root.span, message));
    };
    let atip = match (fields.take("atip"), whole) {
        (Some(member), _) => atip(&member.node, &mut complaints)?,
        (None, Whole::PartOf(_)) => Default::default(),
        (None, Whole::Yes) => {
            let message = "the field \"atip\" is missing, so this is no metadata of ATIP".to_owned();
            return Err(refusal("atip/not-atip", root.span, message)
                .hint("Add \"atip\": \"0.1\" if it is meant to be"));
        }
    };
    refuse_newer(&atip, root.span)?;
    let binary = fields
        .take("binary")
        .and_then(|member| binary(&member.node, &mut complaints));
    let name = name(&mut fields, binary.as_ref(), whole, &mut complaints)?;
    let version = fields.text("version", &mut complaints);
    if extent == Extent::Head {
        for key in BEYOND_HEAD {
            fields.take(key);
        }
    }
    let metadata = Metadata {
        schema: fields.text("$schema", &mut complaints),
        atip,
        name,
        version: version.or_else(|| binary.as_ref().and_then(|binary| binary.version.clone())),
        title: fields.text("title", &mut complaints),
        description: fields.text("description", &mut complaints).unwrap_or_default(),
        homepage: fields.text("homepage", &mut complaints),
        license: fields.text("license", &mut complaints),
        trust: fields
            .take("trust")
            .and_then(|member| trust(&member.node, &mut complaints)),
        binary,
        partial: fields.truth("partial", &mut complaints),
        filter: fields
            .take("filter")
            .and_then(|member| filter(&member.node, &mut complaints)),
        total_commands: fields.count("totalCommands", &mut complaints),
        included_commands: fields.count("includedCommands", &mut complaints),
        omitted: fields
            .take("omitted")
            .and_then(|member| omitted(&member.node, &mut complaints)),
        authentication: authentication(&mut fields, &mut complaints),
        effects: effects(&mut fields, &mut complaints),
        global_options: options(&mut fields, "globalOptions", &mut complaints),
        commands: commands(&mut fields, &mut complaints),
        patterns: patterns(&mut fields, &mut complaints),
        extra: fields.rest(),
    };
    if whole == Whole::Yes {
        missing(&metadata, root.span, &mut complaints);
    }
    Ok(Loaded {
        metadata,
        warnings: complaints.into_list(),
    })
}

/// The draft wants these; a tool without them can still be used.
fn missing(metadata: &Metadata, span: Span, complaints: &mut Complaints) {
    if metadata.version.is_none() {
        complaints.warn("atip/missing", span, "the tool has no \"version\"");
    }
    if metadata.description.is_empty() {
        complaints.warn("atip/missing", span, "the tool has no \"description\"");
    }
}

fn name(
    fields: &mut Fields<'_>,
    binary: Option<&Binary>,
    whole: Whole<'_>,
    complaints: &mut Complaints,
) -> Result<String, Diagnostic> {
    let span = fields.span;
    let said = fields.take("name");
    let given = match (said, whole) {
        (Some(member), _) => match member.node.as_str() {
            Some(name) => name.to_owned(),
            None => {
                let message = format!("name: expected a string, got {}", came(&member.node));
                return Err(refusal("atip/bad-name", member.node.span, message));
            }
        },
        (None, Whole::PartOf(name)) => name.to_owned(),
        (None, Whole::Yes) => binary
            .and_then(|binary| binary.name.clone())
            .ok_or_else(|| refusal("atip/bad-name", span, "the field \"name\" is missing".to_owned()))?,
    };
    let span = said.map_or(span, |member| member.node.span);
    if let Err(problem) = check_tool_name(&given) {
        let message = format!("name {}: {problem}", Quoted(&given));
        return Err(refusal("atip/bad-name", span, message));
    }
    if let Whole::PartOf(name) = whole
        && name != given
    {
        let message = format!("it is about {}, not about {}", Quoted(&given), Quoted(name));
        return Err(refusal("atip/other-tool", span, message));
    }
    if let Some(also) = binary.and_then(|binary| binary.name.as_deref())
        && also != given
    {
        let message = format!("binary.name: {} is not {}", Quoted(also), Quoted(&given));
        complaints.warn("atip/two-names", span, message);
    }
    Ok(given)
}

fn binary(node: &Node, complaints: &mut Complaints) -> Option<Binary> {
    let root = Trail::root();
    let mut fields = Fields::of(node, root.key("binary"), complaints)?;
    Some(Binary {
        hash: fields.text("hash", complaints),
        name: fields.text("name", complaints),
        version: fields.text("version", complaints),
        platform: fields.text("platform", complaints),
        extra: fields.rest(),
    })
}

fn trust(node: &Node, complaints: &mut Complaints) -> Option<Trust> {
    let root = Trail::root();
    let trail = root.key("trust");
    let mut fields = Fields::of(node, trail, complaints)?;
    let integrity = fields.take("integrity");
    Some(Trust {
        source: fields.text("source", complaints),
        verified: fields.truth("verified", complaints),
        integrity: integrity.and_then(|member| {
            Fields::of(&member.node, trail.key("integrity"), complaints).map(Fields::rest)
        }),
        extra: fields.rest(),
    })
}

fn filter(node: &Node, complaints: &mut Complaints) -> Option<Filter> {
    let root = Trail::root();
    let mut fields = Fields::of(node, root.key("filter"), complaints)?;
    Some(Filter {
        commands: fields.texts("commands", complaints),
        depth: fields.count("depth", complaints),
        extra: fields.rest(),
    })
}

fn omitted(node: &Node, complaints: &mut Complaints) -> Option<Omitted> {
    let root = Trail::root();
    let mut fields = Fields::of(node, root.key("omitted"), complaints)?;
    Some(Omitted {
        reason: fields.text("reason", complaints),
        safety_assumption: fields.text("safetyAssumption", complaints),
        extra: fields.rest(),
    })
}
