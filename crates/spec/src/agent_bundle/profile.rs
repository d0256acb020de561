//! The profile that an agent is bound to, and whether the agent claims no more than it has.

use super::rules::PROFILE;
use crate::acp_md::AcpMd;
use crate::agent_cli_md::{AgentCliMd, CAPABILITY, Capability, Protocol};
use crate::bundle::{FOLDER, Reading};
use crate::declare::Decode;
use crate::doc::fields::Quoted;
use crate::lint::FileKind;
use crate::sandbox_block;

/// The claims, by their field.
const CLAIMS: [(&str, Capability); 7] = [
    ("streaming", Capability::Streaming),
    ("tool_calls", Capability::ToolCalls),
    ("sub_agents", Capability::SubAgents),
    ("file_io", Capability::FileIo),
    ("multimodal", Capability::Multimodal),
    ("resumable", Capability::Resumable),
    ("bidirectional", Capability::Bidirectional),
];

/// Reads the profile, if the protocol has one.
pub(super) fn read(agent: &AgentCliMd, reading: &mut Reading<'_>) -> Option<AcpMd> {
    let acp = agent
        .acp
        .as_ref()
        .filter(|_| agent.protocol.value == Protocol::Acp)?;
    let path = reading.named(acp)?;
    let (profile, _) = reading.read(&path, FileKind::Acp, AcpMd::decode)?;
    place(&profile, &path, reading);
    if let Some(sandbox) = &profile.metadata.aip44.sandbox
        && let Some(path) = reading.follow(&path, FileKind::Acp, sandbox)
    {
        reading.read(&path, FileKind::Sandbox, sandbox_block::decode_file);
    }
    if !profile.is_on_stdio() {
        let what = format!("acp: {} is not about standard streams", Quoted(&path));
        let hint = "bind the agent to a profile with transport: stdio";
        reading.tell(PROFILE.error(acp.span(), what).hint(hint));
    }
    claims(agent, &profile, &path, reading);
    Some(profile)
}

/// A profile is called like its folder, or its file begins with its name.
fn place(profile: &AcpMd, path: &str, reading: &mut Reading<'_>) {
    let mut parts = path.rsplit('/');
    let file = parts.next().unwrap_or_default();
    let own = format!("{}.ACP.md", profile.name.value);
    // At the root, the folder is the agent's own.
    let fits = file == own || parts.next().is_none_or(|folder| folder == profile.name.as_str());
    if !fits {
        let what = format!(
            "name: the profile {} lies at {}",
            Quoted(&profile.name),
            Quoted(path)
        );
        let hint = "call the folder like the profile, or the file NAME.ACP.md";
        reading.push(
            path,
            FileKind::Acp,
            FOLDER.warning(profile.name.span, what).hint(hint),
        );
    }
}

/// What the agent claims is a subset of what the profile has.
fn claims(agent: &AgentCliMd, profile: &AcpMd, path: &str, reading: &mut Reading<'_>) {
    let Some(capabilities) = &agent.capabilities else {
        return;
    };
    for (field, claim) in CLAIMS {
        let claimed = capabilities.get(claim).filter(|claimed| claimed.value);
        if let (Some(claimed), Some(lacks)) = (claimed, profile.lacks(claim)) {
            let what = format!("capabilities.{field}: {} does not have {lacks}", Quoted(path));
            let hint = "take the claim back, or add it to the profile if the agent has it";
            reading.tell(CAPABILITY.error(claimed.span, what).hint(hint));
        }
    }
}
