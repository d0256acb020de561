//! The text behind the front matter: what a person has to look at before others rely on the bundle.

use std::fmt::Write as _;

use super::known::Known;
use super::sandbox::Needs;
use super::version::version_in;
use crate::export::line;

/// What was left out.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LeftOut {
    /// Commands.
    pub(super) commands: usize,
    /// Tools with options that are not offered.
    pub(super) tools: usize,
}

/// Returns the body.
pub(super) fn body(known: &Known<'_>, needs: &Needs, left_out: LeftOut) -> String {
    let bin = known.bin;
    let what = known.metadata.map(|metadata| line(&metadata.description, 300));
    let what = what.filter(|text| !text.is_empty());
    let mut out = format!(
        "\n## When to reach for this CLI\n\n{}\n\n## Gotchas\n\n",
        what.unwrap_or_else(|| format!("Say here what {bin} is good for, and what it is not."))
    );
    for gotcha in gotchas(known, needs, left_out) {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "- {gotcha}");
    }
    let _ = write!(
        out,
        "\n## Debugging\n\n- `{bin} --help` tells what it takes.\n- `argrail why -- {bin}` tells what would be asked.\n\n## Reference\n\n"
    );
    let homepage = known.metadata.and_then(|metadata| metadata.homepage.as_deref());
    let _ = match homepage
        .map(|page| line(page, 300))
        .filter(|page| page.starts_with("https://"))
    {
        Some(page) => writeln!(out, "- {page}"),
        None => writeln!(out, "- Add where {bin} is documented."),
    };
    out
}

fn gotchas(known: &Known<'_>, needs: &Needs, left_out: LeftOut) -> Vec<String> {
    let bin = known.bin;
    let mut out =
        vec!["This bundle was written by `argrail new cli`. Read it before others rely on it.".to_owned()];
    out.push(match known.found {
        [] => "Install: unfinished. Nobody who can be trusted says which package has it; write `install` before others rely on it.".to_owned(),
        [..] => {
            "Install: only packages that are known to be it are listed. Add those of other systems.".to_owned()
        }
    });
    let version = known.version.and_then(|said| version_in(&said.text));
    out.push(match version {
        Some(version) => format!("Version: {version} was seen. The range goes up to the next major version."),
        None => format!("Version: {bin} was not seen to print one. Write `version_check` by hand."),
    });
    if known.metadata.is_none() {
        out.push(format!("Commands: nothing is known about {bin}. Run `argrail infer {bin} --save`, then write the bundle anew."));
    }
    if needs.unknown_hosts {
        out.push(
            "Network: some commands talk to hosts that nobody named. Add them to `sandbox.network.egress`."
                .to_owned(),
        );
    }
    if needs.unknown_programs {
        out.push(
            "Programs: some commands start programs that nobody named. Add them to `sandbox.exec.spawn`."
                .to_owned(),
        );
    }
    if !needs.starters.is_empty() {
        let names: Vec<&str> = needs.starters.iter().map(String::as_str).collect();
        out.push(format!(
            "Programs: it also starts {}, which start whatever they are told to. Add them to `sandbox.exec.spawn` only if that is meant.",
            names.join(", ")
        ));
    }
    if left_out.commands > 0 {
        out.push(format!(
            "{} more commands have no tool here; they stay callable as plain commands.",
            left_out.commands
        ));
    }
    if left_out.tools > 0 {
        out.push("Options that make a command do more than it says are not offered by its tool.".to_owned());
    }
    out
}
