//! Server-sent events: the messages in a stream of them. Names of events, ids and times to retry say nothing here.

use super::limits::MESSAGE;
use super::lines::TooLong;

/// A stream that is being read.
#[derive(Debug, Default)]
pub(super) struct Events {
    line: Vec<u8>,
    data: Vec<u8>,
    has_data: bool,
    /// Whether the event has a name of its own, and so is none of MCP's.
    is_named: bool,
    /// Whether the last byte was a carriage return, whose line feed may be still to come.
    after_return: bool,
    begun: bool,
}

impl Events {
    /// Takes bytes and returns the data of the events that they finish.
    ///
    /// # Errors
    /// When an event is longer than a message may be.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Result<Vec<Vec<u8>>, TooLong> {
        let mut events = Vec::new();
        for byte in bytes {
            let was_return = std::mem::replace(&mut self.after_return, *byte == b'\r');
            match byte {
                b'\n' if was_return => {}
                b'\n' | b'\r' => events.extend(self.end_of_line()),
                byte => self.line.push(*byte),
            }
            if self.line.len() + self.data.len() > MESSAGE + "data: ".len() {
                return Err(TooLong);
            }
        }
        Ok(events)
    }

    fn end_of_line(&mut self) -> Option<Vec<u8>> {
        let mut line = std::mem::take(&mut self.line);
        if !std::mem::replace(&mut self.begun, true) && line.starts_with(b"\xef\xbb\xbf") {
            line.drain(..3);
        }
        if line.is_empty() {
            let (has_data, is_named) = (self.has_data, self.is_named);
            (self.has_data, self.is_named) = (false, false);
            let data = std::mem::take(&mut self.data);
            return (has_data && !is_named).then_some(data);
        }
        let mut halves = line.splitn(2, |byte| *byte == b':');
        let field = halves.next().unwrap_or_default();
        let value = halves.next().unwrap_or_default();
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"data" => {
                if std::mem::replace(&mut self.has_data, true) {
                    self.data.push(b'\n');
                }
                self.data.extend_from_slice(value);
            }
            b"event" => self.is_named = !value.is_empty() && value != b"message",
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Vec<String> {
        let events = Events::default().feed(text.as_bytes()).unwrap();
        events
            .into_iter()
            .map(|event| String::from_utf8(event).unwrap())
            .collect()
    }

    #[test]
    fn events_are_read_as_the_web_writes_them() {
        let check = |text: &str, want: &[&str]| assert_eq!(read(text), want, "{text:?}");
        check("data: {}\n\n", &["{}"]);
        check("data:{}\r\n\r\n", &["{}"]);
        check("data: {}\r\r", &["{}"]);
        check("\u{feff}data: a\n\n", &["a"]);
        check("data: a\ndata: b\n\n", &["a\nb"]);
        check("data\n\n", &[""]);
        check(": ping\n\nid: 7\nretry: 10\n\n", &[]);
        check(
            "event: message\ndata: a\n\nevent: other\ndata: b\n\ndata: c\n\n",
            &["a", "c"],
        );
        check("data:  two blanks\n\n", &[" two blanks"]);
        check("dat: a\n\ndata: not finished", &[]);
        check("data: a\n", &[]);
    }

    #[test]
    fn an_event_without_end_is_refused() {
        let mut events = Events::default();
        let line = [b"data: ".as_slice(), &vec![b'x'; MESSAGE / 2], b"\n"].concat();
        assert!(events.feed(&line).is_ok());
        assert_eq!(events.feed(&[line.clone(), line].concat()), Err(TooLong));
        assert_eq!(Events::default().feed(&vec![b'x'; MESSAGE + 100]), Err(TooLong));
    }

    proptest! {
        #[test]
        fn events_come_whole_however_they_arrive(text in "(data|event|: ?|a|\r|\n|\r\n|\u{e9}){0,40}", cut in 0..60_usize) {
            let bytes = text.as_bytes();
            let whole = Events::default().feed(bytes).unwrap();
            let mut parted = Events::default();
            let (one, other) = bytes.split_at(cut.min(bytes.len()));
            let mut got = parted.feed(one).unwrap();
            got.extend(parted.feed(other).unwrap());
            prop_assert_eq!(got, whole);
        }
    }
}
