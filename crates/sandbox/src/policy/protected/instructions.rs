//! Files that agents read and obey. They run nothing, so they are not protected: people and agents write them all the
//! time. Whoever is asked about a write to one is told what it is.

use std::ffi::OsStr;
use std::path::Path;

/// Names that agents look for in any directory.
const INSTRUCTION_NAMES: &[&str] = &[
    ".aiderrules",
    ".clinerules",
    ".cursorrules",
    ".goosehints",
    ".hermes.md",
    ".kilocoderules",
    ".roorules",
    ".rules",
    ".windsurfrules",
    "AGENT.md",
    "AGENTS.local.md",
    "AGENTS.md",
    "AGENTS.override.md",
    "CLAUDE.local.md",
    "CLAUDE.md",
    "CRUSH.md",
    "GEMINI.md",
    "HERMES.md",
    "KIMI.md",
    "OPENCODE.md",
    "QWEN.md",
    "SKILL.md",
    "WARP.md",
];

/// Directories of which agents read every file, and files that are known by the directory they are in.
const INSTRUCTION_PLACES: &[&str] = &[
    ".amazonq/rules",
    ".augment/rules",
    ".augment-guidelines",
    ".claude/agents",
    ".claude/commands",
    ".claude/rules",
    ".claude/skills",
    ".clinerules",
    ".continue/rules",
    ".cursor/commands",
    ".cursor/rules",
    ".factory/droids",
    ".gemini/commands",
    ".github/agents",
    ".github/chatmodes",
    ".github/copilot-instructions.md",
    ".github/instructions",
    ".github/prompts",
    ".github/skills",
    ".idx/airules.md",
    ".junie/guidelines.md",
    ".kilocode/rules",
    ".kiro/steering",
    ".opencode/agent",
    ".opencode/command",
    ".roo/rules",
    ".trae/rules",
    ".windsurf/rules",
    ".windsurf/workflows",
];

/// How a path concerns files that agents obey.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Instructions {
    /// It is one of them, or lies in a directory of them.
    Is,
    /// It is a directory that such files are kept in: `.github`, `.cursor`.
    Holds,
}

/// Says how a path concerns files that agents obey. Only its names count, in any case of letters; nothing is looked at.
pub fn instructions(path: &Path) -> Option<Instructions> {
    let parts: Vec<&OsStr> = path.iter().collect();
    let is_named = |name: &&OsStr| {
        INSTRUCTION_NAMES
            .iter()
            .any(|known| name.eq_ignore_ascii_case(known))
    };
    if parts.last().is_some_and(is_named) {
        return Some(Instructions::Is);
    }
    let mut found = None;
    for place in INSTRUCTION_PLACES {
        let place: Vec<&OsStr> = Path::new(place).iter().collect();
        for start in 0..parts.len() {
            let rest = parts.get(start..).unwrap_or_default();
            let same = rest.iter().zip(&place).take_while(|(one, other)| {
                // `.roo/rules-code` is a directory of the same kind as `.roo/rules`.
                let stem = one
                    .to_str()
                    .and_then(|name| name.split_once('-'))
                    .map(|(stem, _)| stem);
                one.eq_ignore_ascii_case(other)
                    || stem.is_some_and(|stem| stem == "rules" && OsStr::new(stem) == **other)
            });
            match same.count() {
                count if count == place.len() => return Some(Instructions::Is),
                count if count > 0 && count == rest.len() => found = Some(Instructions::Holds),
                _ => {}
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_agents_obey_is_known_by_its_name() {
        let check = |path: &str, expected| assert_eq!(instructions(Path::new(path)), expected, "{path}");
        let (is, holds) = (Some(Instructions::Is), Some(Instructions::Holds));
        check("/w/CLAUDE.md", is);
        check("/w/sub/deep/agents.md", is);
        check("AGENTS.md", is);
        check("/w/.cursor/rules", is);
        check("/w/.cursor/rules/x.mdc", is);
        check("/w/.cursor", holds);
        check("/w/.github", holds);
        check("/w/.github/workflows/ci.yml", None);
        check("/w/.github/copilot-instructions.md", is);
        check("/w/.roo/rules-code/x.md", is);
        check("/w/.clinerules", is);
        check("/w/.clinerules/x.md", is);
        check("/w/.windsurfrules", is);
        check("/w/README.md", None);
        check("/w/CLAUDE.md.bak", None);
        check("/w/CLAUDE.md/x", None);
        check("/", None);
        check("", None);
    }
}
