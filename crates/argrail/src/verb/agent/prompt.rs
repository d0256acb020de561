//! What is said to an agent: the argument, or standard input.

use std::io::{self, IsTerminal, Read};

use argrail_acli::{Error, Text};

/// The most bytes of a prompt.
const LONGEST: u64 = 4 << 20;

/// Returns the prompt.
///
/// # Errors
/// When there is none, or it is no text, or too long.
pub(super) fn read(given: Option<&str>) -> Result<String, Error> {
    let prompt = match given {
        Some("-") => from(io::stdin().lock())?,
        None if !io::stdin().is_terminal() => from(io::stdin().lock())?,
        None => String::new(),
        Some(prompt) => prompt.to_owned(),
    };
    match prompt.trim().is_empty() {
        true => Err(Error::invalid(
            "the prompt is empty",
            "Say what the agent is to do: argrail agent run ID 'PROMPT', or pipe it in",
        )),
        false => Ok(prompt),
    }
}

fn from(input: impl Read) -> Result<String, Error> {
    let mut bytes = Vec::new();
    input
        .take(LONGEST + 1)
        .read_to_end(&mut bytes)
        .map_err(Error::execution)?;
    if bytes.len() as u64 > LONGEST {
        let what = Text::new("the prompt is longer than {} bytes").number(LONGEST);
        return Err(Error::invalid(
            what,
            "Put the long part into a file, and name it in the prompt",
        ));
    }
    String::from_utf8(bytes).map_err(|_| Error::invalid("the prompt is no UTF-8", "Pass text"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_text_of_some_length() {
        assert_eq!(read(Some("fix it")).unwrap(), "fix it");
        assert_eq!(read(Some(" \n")).unwrap_err().exit(), 2);
        assert_eq!(from(&b"fix\nit"[..]).unwrap(), "fix\nit");
        assert_eq!(from(&b"\xff"[..]).unwrap_err().exit(), 2);
        assert_eq!(from(io::repeat(b'x')).unwrap_err().exit(), 2);
    }
}
