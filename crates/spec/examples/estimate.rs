//! Prints what is estimated for every command of ATIP files, one line each: the class, whether a read is claimed, the
//! words, the description, and why. What the effects in the file amount to comes first.

use std::error::Error;
use std::io::Write as _;

use argrail_spec::atip::{self, Effects, leaves};
use argrail_spec::help::{Class, Estimate, estimate, page_of};

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    for file in std::env::args().skip(1) {
        let text = std::fs::read(&file)?;
        let loaded = atip::load(&text).map_err(|problem| problem.message)?;
        let metadata = loaded.metadata;
        for leaf in leaves(&metadata).list {
            let mut path = vec![metadata.name.as_str()];
            path.extend(&leaf.path);
            let depth = leaf.path.len();
            let (own, inherited): (Vec<_>, Vec<_>) =
                leaf.options.iter().partition(|option| option.level == depth);
            let own: Vec<_> = own.iter().map(|option| option.option).collect();
            let inherited: Vec<_> = inherited.iter().map(|option| option.option).collect();
            let page = page_of(&own, &inherited, leaf.arguments);
            let found = estimate(&path, &page, Some(leaf.description));
            let line = line(&leaf.effects, &found);
            writeln!(
                out,
                "{line}\t{}\t{}\t{}",
                path.join(" "),
                leaf.description,
                why(&found)
            )?;
        }
    }
    Ok(())
}

fn line(truth: &Effects, found: &Estimate) -> String {
    let claims = if found.claims_read() { "claims" } else { "-" };
    format!(
        "{}\t{}\t{claims}",
        Class::of(truth).as_str(),
        found.class.as_str()
    )
}

fn why(found: &Estimate) -> String {
    let reasons = found.reasons.iter();
    let reasons =
        reasons.map(|reason| format!("{}={} ({})", reason.field, reason.word, reason.place.as_str()));
    reasons.collect::<Vec<_>>().join(", ")
}
