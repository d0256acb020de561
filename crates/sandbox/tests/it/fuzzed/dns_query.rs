//! Any packet to the name server: the answer is to the question that was asked, and no larger than one address makes it.
//!
//! `fuzz/` includes this file, so it uses the public API of the crate and nothing else.

use argrail_sandbox::replay::dns_answer;

/// Checks one packet.
pub(crate) fn dns_query(query: &[u8]) {
    let (question, answer) = dns_answer(query);
    let Some(answer) = answer else {
        assert!(question.is_none(), "{question:?} was looked up, and not answered");
        return;
    };
    assert_eq!(answer.get(..2), query.get(..2), "another question's answer");
    let flags = answer.get(2).copied().unwrap_or_default();
    assert!(flags & 0x80 != 0, "an answer that asks");
    assert!(answer.len() <= 12 + 255 + 4 + 16, "{} bytes", answer.len());
    let code = answer.get(3).copied().unwrap_or_default() & 15;
    let records = answer.get(6..8) == Some(&[0, 1]);
    let Some(question) = question else {
        assert!(!records && code != 0, "nobody was asked");
        return;
    };
    let names_a_host = question.name.is_some();
    assert_eq!(records, names_a_host && question.address, "{question:?}");
    assert_eq!(code == 0, names_a_host, "{question:?}");
    if let Some(name) = &question.name {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_.".contains(&byte);
        assert!(name.bytes().all(plain), "{name:?}");
        assert!(
            !name.starts_with('.') && !name.ends_with('.') && !name.contains(".."),
            "{name:?}"
        );
    }
    // The question comes back as it was asked.
    let asked = answer
        .get(12..)
        .and_then(|rest| rest.split(|byte| *byte == 0).next());
    let asked = asked.unwrap_or_default();
    assert!(query.get(12..).is_some_and(|rest| rest.starts_with(asked)));
}
