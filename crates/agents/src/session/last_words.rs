//! What an agent says to people on its standard error: the end of it, for errors.
//!
//! Values that it was given are covered, and what would move a terminal is taken out.

use std::sync::{Arc, Mutex, PoisonError};

use argrail_engine::output::{Ending, Redactor, Secrets, Strip};
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::Receiver;

/// How much is kept.
const TAIL: usize = 8 << 10;
/// How much is shown, in characters.
const SHOWN: usize = 240;

/// The end of a standard error that is still being read.
#[derive(Debug, Clone, Default)]
pub(super) struct LastWords(Arc<Mutex<Vec<u8>>>);

impl LastWords {
    /// Reads a pipe to its end.
    pub(super) async fn listen(self, mut stderr: Receiver, secrets: Secrets) {
        let (mut redactor, mut strip) = (Redactor::new(&secrets), Strip::default());
        let mut buffer = vec![0; TAIL];
        let (mut covered, mut plain) = (Vec::new(), Vec::new());
        loop {
            let read = stderr.read(&mut buffer).await.unwrap_or(0);
            match buffer.get(..read) {
                Some(bytes) if read > 0 => redactor.push(bytes, &mut covered),
                Some(_) | None => redactor.finish(Ending::Whole, &mut covered),
            }
            strip.push(&covered, &mut plain);
            if read == 0 {
                strip.finish(&mut plain);
            }
            self.keep(&plain);
            covered.clear();
            plain.clear();
            if read == 0 {
                return;
            }
        }
    }

    fn keep(&self, bytes: &[u8]) {
        let mut tail = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tail.extend_from_slice(bytes);
        let surplus = tail.len().saturating_sub(TAIL);
        tail.drain(..surplus);
    }

    /// Returns the end of what was said so far.
    pub(super) fn text(&self) -> String {
        let tail = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(tail.trim_ascii());
        let surplus = text.chars().count().saturating_sub(SHOWN);
        text.chars().skip(surplus).collect()
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt;
    use tokio::net::unix::pipe::pipe;

    use super::*;

    #[tokio::test]
    async fn the_end_is_kept_without_secrets_and_control() {
        let (mut writer, reader) = pipe().unwrap();
        let words = LastWords::default();
        let listening = tokio::spawn(words.clone().listen(reader, Secrets::new(["s3cret-value"])));
        for _ in 0..100 {
            writer.write_all(&[b'x'; 4000]).await.unwrap();
        }
        writer
            .write_all(b"\n\x1b[31mfailed\x1b[0m with s3cret-value\n")
            .await
            .unwrap();
        drop(writer);
        listening.await.unwrap();
        let text = words.text();
        assert!(text.ends_with("x\nfailed with [redacted]"), "{text:?}");
        assert!(text.chars().count() <= SHOWN && words.0.lock().unwrap().len() <= TAIL);
    }
}
