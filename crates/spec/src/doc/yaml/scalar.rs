//! What a scalar of YAML means: the core schema of YAML 1.2, without what readers disagree about.
//!
//! Only `true` and `false` (also capitalised, or in capitals) are booleans: `yes`, `no`, `on` and `off` are text.
//! `012` is ten to some readers and twelve to others, so it is refused; so is a number that JSON does not have.

use granit_parser::ScalarStyle;
use serde_json::Number;

use crate::doc::Value;

/// A scalar that has no meaning here: what is wrong, and what to write instead.
pub(super) type Unclear = (&'static str, &'static str);

const ZERO: Unclear = (
    "a number begins with a zero, and readers disagree about what that means",
    "leave the zero out, write 0o17 for an octal number, or put it in quotes if it is text",
);
const ENDLESS: Unclear = (
    "a number is infinite or none",
    "write a number, or put it in quotes if it is text",
);
const LARGE: Unclear = (
    "a number is too large",
    "write it smaller, or put it in quotes if it is text",
);

/// Returns the value of a scalar.
pub(super) fn resolve(text: &str, style: ScalarStyle) -> Result<Value, Unclear> {
    match style {
        ScalarStyle::Plain => plain(text),
        ScalarStyle::SingleQuoted
        | ScalarStyle::DoubleQuoted
        | ScalarStyle::Literal
        | ScalarStyle::Folded => Ok(Value::String(text.to_owned())),
    }
}

fn plain(text: &str) -> Result<Value, Unclear> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Ok(Value::Null),
        "true" | "True" | "TRUE" => return Ok(Value::Bool(true)),
        "false" | "False" | "FALSE" => return Ok(Value::Bool(false)),
        _ => {}
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    match unsigned {
        ".inf" | ".Inf" | ".INF" => return Err(ENDLESS),
        ".nan" | ".NaN" | ".NAN" if unsigned == text => return Err(ENDLESS),
        _ => {}
    }
    if let Some(number) = based(text)? {
        return Ok(Value::Number(number));
    }
    match decimal(unsigned) {
        None => Ok(Value::String(text.to_owned())),
        Some(digits) => {
            let sign = if text.starts_with('-') { "-" } else { "" };
            let whole = digits.split(['.', 'e', 'E']).next().unwrap_or_default();
            if whole.len() > 1 && whole.starts_with('0') {
                return Err(ZERO);
            }
            let number = serde_json::from_str(&format!("{sign}{digits}"));
            number.map(Value::Number).map_err(|_| LARGE)
        }
    }
}

/// Reads `0x1f` and `0o17`, which have no sign.
fn based(text: &str) -> Result<Option<Number>, Unclear> {
    let bases = [("0x", 16), ("0o", 8)];
    for (prefix, base) in bases {
        if let Some(digits) = text.strip_prefix(prefix)
            && !digits.is_empty()
            && digits.chars().all(|c| c.is_digit(base))
        {
            let number = u64::from_str_radix(digits, base).map_err(|_| LARGE)?;
            return Ok(Some(number.into()));
        }
    }
    Ok(None)
}

/// Returns the digits as JSON writes them, if the text is a number without its sign.
fn decimal(text: &str) -> Option<String> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let empty = whole.is_empty() && fraction.is_none_or(str::is_empty);
    if empty || !is_digits(whole) || !fraction.is_none_or(is_digits) {
        return None;
    }
    let mut written = if whole.is_empty() { "0" } else { whole }.to_owned();
    if let Some(fraction) = fraction {
        written.push('.');
        written.push_str(if fraction.is_empty() { "0" } else { fraction });
    }
    if let Some(exponent) = exponent {
        let digits = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
        if digits.is_empty() || !is_digits(digits) {
            return None;
        }
        written.push('e');
        written.push_str(exponent);
    }
    Some(written)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value as Json, json};

    fn check(text: &str, want: Option<Json>) {
        let came = resolve(text, ScalarStyle::Plain).ok();
        let came = came.map(|value| {
            crate::doc::Node {
                span: crate::doc::Span::default(),
                value,
            }
            .to_json()
        });
        assert_eq!(came, want, "{text}");
    }

    #[test]
    fn words_mean_what_yaml_1_2_says() {
        for text in ["", "~", "null", "Null"] {
            check(text, Some(json!(null)));
        }
        for (text, want) in [("true", true), ("TRUE", true), ("False", false)] {
            check(text, Some(json!(want)));
        }
        for text in [
            "yes",
            "no",
            "on",
            "off",
            "y",
            "tRue",
            "nULL",
            "1:30",
            "2026-01-01",
        ] {
            check(text, Some(json!(text)));
        }
    }

    #[test]
    fn numbers_are_those_of_json() {
        check("0", Some(json!(0)));
        check("-7", Some(json!(-7)));
        check("+7", Some(json!(7)));
        check("0x1F", Some(json!(31)));
        check("0o600", Some(json!(384)));
        check("1.5", Some(json!(1.5)));
        check(".5", Some(json!(0.5)));
        check("5.", Some(json!(5.0)));
        check("1e3", Some(json!(1000.0)));
        check("-0.5E-1", Some(json!(-0.05)));
        for text in [
            "1.2.3", "1e", "e3", ".", "-", "+", "1_000", "0b1", "0x", "-0x1", "1 2", "--1",
        ] {
            check(text, Some(json!(text)));
        }
    }

    #[test]
    fn what_readers_disagree_about_is_refused() {
        for text in [
            "012",
            "-012",
            "00",
            "0600",
            "01.5",
            ".inf",
            "-.INF",
            ".nan",
            "1e999",
            "0xfffffffffffffffff",
        ] {
            check(text, None);
        }
    }

    #[test]
    fn quoted_text_is_text() {
        for style in [
            ScalarStyle::SingleQuoted,
            ScalarStyle::DoubleQuoted,
            ScalarStyle::Literal,
        ] {
            assert_eq!(resolve("012", style), Ok(Value::String("012".into())));
        }
    }
}
