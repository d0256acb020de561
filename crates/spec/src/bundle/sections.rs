//! Parts of the Markdown after a manifest's front matter.

/// The most characters of a part that are kept.
const LONGEST: usize = 4_000;

/// Returns the text below a heading, up to the next heading that is no deeper; nothing if it is not there or empty.
pub fn section(body: &str, heading: &str) -> Option<String> {
    let mut inside: Option<usize> = None;
    let mut fence: Option<&str> = None;
    let mut text = String::new();
    for line in body.lines() {
        let trimmed = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| trimmed.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            (Some(_) | None, _) => {}
        }
        let level = match fence {
            None => title(line),
            Some(_) => None,
        };
        match (level, inside) {
            (Some((level, _)), Some(own)) if level <= own => break,
            (Some((level, title)), None) if title.eq_ignore_ascii_case(heading) => inside = Some(level),
            (_, Some(_)) => {
                text.push_str(line);
                text.push('\n');
            }
            (_, None) => {}
        }
        if text.len() > 4 * LONGEST {
            break;
        }
    }
    let text = text.trim();
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => text.get(..at).map(|text| format!("{text}…")),
        None => (!text.is_empty()).then(|| text.to_owned()),
    }
}

/// Returns how deep a heading is, and what it says.
fn title(line: &str) -> Option<(usize, &str)> {
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    let is_title = (1..=6).contains(&level) && rest.starts_with([' ', '\t']);
    is_title.then(|| (level, rest.trim().trim_end_matches('#').trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_below_a_heading_is_found() {
        let check = |body: &str, want: Option<&str>| {
            assert_eq!(section(body, "Gotchas").as_deref(), want, "{body:?}");
        };
        check("", None);
        check(
            "## Gotchas\n\n- one\n- two\n\n## Debugging\nx\n",
            Some("- one\n- two"),
        );
        check(
            "# A\n## gotchas ##\nx\n### deeper\ny\n# B\nz",
            Some("x\n### deeper\ny"),
        );
        check(
            "## Gotchas\n```sh\n# no heading\n```\nx\n## B",
            Some("```sh\n# no heading\n```\nx"),
        );
        check("```\n## Gotchas\n```\n", None);
        check("## Gotchas\n\n## Next\n", None);
        check("##Gotchas\nx", None);
        let long = format!("## Gotchas\n{}", "ä".repeat(9_000));
        assert_eq!(section(&long, "Gotchas").unwrap().chars().count(), LONGEST + 1);
    }
}
