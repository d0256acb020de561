//! What the parser of YAML complains about, in our words.

use granit_parser::ErrorKind;

/// Returns the code, what is wrong, and what to do about it.
pub(super) fn told(kind: &ErrorKind) -> (&'static str, &'static str, &'static str) {
    let syntax = |what, hint| ("doc/syntax", what, hint);
    match kind {
        ErrorKind::RecursionLimitExceeded => (
            "doc/too-deep",
            "values stand too deep inside each other",
            "make it flatter",
        ),
        ErrorKind::DirectiveDisallowed => syntax(
            "a directive stands here",
            "leave out the line that starts with '%'",
        ),
        ErrorKind::UnknownAnchor => syntax(
            "an alias names nothing that stands before it",
            "write the value itself",
        ),
        ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabNotAllowed
        | ErrorKind::TabAtBlockScalarStart
        | ErrorKind::InvalidBlockEntryWhitespace => {
            syntax("a tab stands where only spaces may", "indent with spaces")
        }
        ErrorKind::InvalidIndentation
        | ErrorKind::InvalidBlockScalarIndent
        | ErrorKind::InvalidFlowScalarIndent
        | ErrorKind::ExpectedBlockMappingKey
        | ErrorKind::ExpectedBlockSequenceEntry => syntax(
            "expected a name of this object or an entry of this list; the indentation fits neither",
            "indent it like the line it belongs to",
        ),
        ErrorKind::InvalidQuotedScalarIndent => syntax(
            "a quote that opens above is not closed, or the lines of its text are not indented",
            "add the closing quote, or indent the lines",
        ),
        ErrorKind::UnclosedQuotedScalar | ErrorKind::DocumentIndicatorInQuotedScalar => {
            syntax("a quote is not closed", "add the closing quote")
        }
        ErrorKind::UnclosedFlowCollection { .. }
        | ErrorKind::UnexpectedEofFlowSequence
        | ErrorKind::UnexpectedEofFlowMapping
        | ErrorKind::MisplacedFlowCollectionEnd
        | ErrorKind::MismatchedFlowCollectionEnd { .. }
        | ErrorKind::ExpectedFlowMappingSeparator
        | ErrorKind::ExpectedFlowSequenceSeparator => syntax(
            "brackets do not match, or a comma is missing",
            "close each '[' with ']' and each '{' with '}'",
        ),
        ErrorKind::MappingValueNotAllowed
        | ErrorKind::MappingKeyNotAllowed
        | ErrorKind::InvalidColonPlacement => syntax(
            "a ':' makes a name of this, and no name may stand here",
            "put text that holds ': ' in quotes",
        ),
        ErrorKind::SimpleKeyExpected | ErrorKind::InvalidSimpleKey => {
            syntax("expected ':' after a name", "write 'name: value', on one line")
        }
        ErrorKind::UnknownQuotedScalarEscape | ErrorKind::InvalidQuotedScalarHexEscape => syntax(
            "a backslash in double quotes starts an escape that is none",
            "use single quotes, or write it twice",
        ),
        ErrorKind::UnexpectedCharacter { .. } => syntax(
            "a text cannot begin with this character",
            "put the text in quotes",
        ),
        _ => syntax(
            "this is not well-formed YAML",
            "look at indentation, quotes and brackets here and above",
        ),
    }
}
