//! Names of variables that reach the child.

use super::steering::{SteeringFault, refused_to_pass, refused_to_set};
use crate::refusal::{Refusal, refuse};

/// Characters in a name.
const MAX_NAME_CHARS: usize = 256;

/// The name of a variable: letters, digits and `_`, no digit in front.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EnvName(String);

impl EnvName {
    /// Reads the name of a variable whose value comes from outside the policy, as in `env.pass`.
    ///
    /// # Errors
    /// The text is no name, or a variable that makes programs load code or run others.
    pub fn parse(field: &str, text: &str) -> Result<Self, Refusal> {
        Self::parse_checked(field, text, refused_to_pass)
    }

    /// Reads the name of a variable whose value stands in the policy, as in `env.set`.
    ///
    /// Such a value can be reviewed, so variables that tools need to be quiet are accepted too: `PAGER`,
    /// `EDITOR`.
    ///
    /// # Errors
    /// The text is no name, or a variable that makes programs load code or run commands.
    pub fn parse_set(field: &str, text: &str) -> Result<Self, Refusal> {
        Self::parse_checked(field, text, refused_to_set)
    }

    fn parse_checked(
        field: &str,
        text: &str,
        why: fn(&str) -> Option<SteeringFault>,
    ) -> Result<Self, Refusal> {
        let starts_well = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !starts_well
            || !text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        {
            let reason = "this is not the name of a variable";
            return Err(refuse(
                field,
                text,
                reason,
                "use letters, digits and '_', and no digit in front",
            ));
        }
        if text.len() > MAX_NAME_CHARS {
            let reason = format!("the name is longer than {MAX_NAME_CHARS} characters");
            return Err(refuse(field, text, reason, "use a shorter name"));
        }
        match why(text) {
            Some((reason, fix)) => Err(refuse(field, text, reason, fix)),
            None => Ok(Self(text.to_owned())),
        }
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_checked() {
        fn check(text: &str, reason: Option<&str>) {
            let refusal = EnvName::parse("env.pass[0]", text).err();
            assert_eq!(
                refusal.as_ref().map(|refusal| refusal.reason.as_str()),
                reason,
                "{text:?}"
            );
        }
        let shape = Some("this is not the name of a variable");
        check("A", None);
        check("_a1", None);
        check(&"A".repeat(256), None);
        check(&"A".repeat(257), Some("the name is longer than 256 characters"));
        for text in ["", "1A", "A-B", "A=B", "A B", "É", "A\0", "BASH_FUNC_x%%"] {
            check(text, shape);
        }
        check(
            "LD_PRELOAD",
            Some("it makes programs load code of whoever chose its value"),
        );
    }

    #[test]
    fn a_value_that_can_be_read_may_be_set() {
        assert!(EnvName::parse("env.pass[0]", "PAGER").is_err());
        assert_eq!(
            EnvName::parse_set("env.set.PAGER", "PAGER").unwrap().as_str(),
            "PAGER"
        );
        assert_eq!(
            EnvName::parse_set("env.set.LD_PRELOAD", "LD_PRELOAD")
                .unwrap_err()
                .field,
            "env.set.LD_PRELOAD"
        );
    }
}
