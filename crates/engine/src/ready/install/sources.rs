//! Where packages come from, as package managers say in their settings and answers.

use super::fetch::host_of;

/// The most hosts that are taken from one text.
const MOST: usize = 16;

/// Returns every host that is named in an address in `text`, once each, in order.
pub(super) fn hosts(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once("://") {
        let whole = format!(
            "://{}",
            after.split(char::is_whitespace).next().unwrap_or_default()
        );
        if let Some(host) = host_of(&whole)
            && !found.contains(&host)
        {
            found.push(host);
        }
        rest = after;
        if found.len() >= MOST {
            break;
        }
    }
    found
}

/// Returns the first address of the web in `text`.
pub(super) fn first_address(text: &str) -> Option<&str> {
    let at = text.find("https://").or_else(|| text.find("http://"))?;
    let rest = text.get(at..)?;
    let end = |c: char| c.is_whitespace() || "`'\")>,".contains(c);
    rest.split(end).next().map(|found| found.trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_found_wherever_they_stand() {
        let check = |text: &str, want: &[&str]| assert_eq!(hosts(text), want, "{text}");
        check("", &[]);
        check("deb http://d.example/debian stable main", &["d.example"]);
        check(
            "URIs: http://a.example/x https://b.example/y",
            &["a.example", "b.example"],
        );
        check(
            r#"{"dl":"https://f.example/x","api":"https://a.example"}"#,
            &["f.example", "a.example"],
        );
        check(
            "<a href=\"https://f.example/p.whl\">p</a> https://f.example/",
            &["f.example"],
        );
        check("# nothing :// here", &[]);
    }

    #[test]
    fn the_first_address_is_cut_where_it_ends() {
        let check = |text: &str, want: Option<&str>| assert_eq!(first_address(text), want, "{text}");
        check(
            "index (default\n  https://i.example/simple). More",
            Some("https://i.example/simple"),
        );
        check(
            "from `https://i.example/config.json`",
            Some("https://i.example/config.json"),
        );
        check("nothing", None);
    }
}
