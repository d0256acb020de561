//! Both streams of one run, from the threads that read them to one value.

use std::sync::{Arc, Mutex, PoisonError};

use argrail_sandbox::OutputCallback;
use argrail_spec::atip::OutputFormat;

use super::intake::{Intake, Taken};
use super::keep::{Draft, Keep};
use super::redact::{Ending, Secrets};
use super::stream::Stream;

/// How much of an output is shown at once, unless somebody says otherwise.
pub const CAP: usize = 64 * 1024;

/// Output that is parsed may have blanks in it: this many times the cap stays in memory, and never more than the second.
const BLANKS: usize = 16;
const PARSED: usize = 8 << 20;

/// How the output of one run is taken.
#[derive(Debug, Clone)]
pub struct Plan<'k> {
    /// What its standard output is. Standard error is text.
    pub format: OutputFormat,
    /// How much is shown.
    pub cap: usize,
    /// What is not shown.
    pub secrets: Secrets,
    /// Where the rest goes.
    pub keep: &'k Keep,
    /// Who may read it.
    pub account: &'k str,
}

/// Takes the output of one run.
#[derive(Debug)]
pub struct Collector {
    stdout: Shared,
    stderr: Shared,
    results: Stream,
    cap: usize,
    secrets: Secrets,
    draft: Draft,
}

type Shared = Arc<Mutex<Option<Intake>>>;

/// All that was printed.
#[derive(Debug)]
pub struct Collected {
    /// Standard output.
    pub stdout: Taken,
    /// Standard error.
    pub stderr: Taken,
    /// Which of the two holds what was asked for.
    pub(crate) results: Stream,
    pub(super) cap: usize,
    pub(super) secrets: Secrets,
    pub(super) draft: Draft,
}

impl Collected {
    /// Returns how much is shown at once.
    pub(crate) fn cap(&self) -> usize {
        self.cap
    }

    /// Returns what is not shown.
    pub(crate) fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// Returns the stream that holds what was asked for.
    pub(super) fn results(&self) -> &Taken {
        match self.results {
            Stream::Stdout => &self.stdout,
            Stream::Stderr => &self.stderr,
        }
    }
}

impl Collector {
    /// Makes ready for one run that prints what was asked for on its standard output.
    pub fn new(plan: &Plan<'_>) -> Self {
        Self::with_results_on(Stream::Stdout, plan)
    }

    /// Makes ready for one run. Each stream keeps its own name, wherever the results are.
    pub fn with_results_on(results: Stream, plan: &Plan<'_>) -> Self {
        let draft = plan.keep.draft(plan.account);
        let structured = plan.cap.saturating_mul(BLANKS).min(PARSED).max(plan.cap);
        let memory = match plan.format {
            OutputFormat::Text | OutputFormat::Binary => plan.cap,
            OutputFormat::Json | OutputFormat::Ndjson | OutputFormat::Yaml => structured,
        };
        let intake = |stream, format, memory| {
            let intake = Intake::new(stream, format, &plan.secrets, draft.clone(), memory);
            Arc::new(Mutex::new(Some(intake)))
        };
        let [stdout, stderr] = [Stream::Stdout, Stream::Stderr].map(|stream| match stream == results {
            true => intake(stream, plan.format, memory),
            false => intake(stream, OutputFormat::Text, plan.cap),
        });
        Self {
            stdout,
            stderr,
            results,
            cap: plan.cap,
            secrets: plan.secrets.clone(),
            draft: draft.clone(),
        }
    }

    /// Returns the function that takes a stream.
    pub fn sink(&self, stream: Stream) -> OutputCallback {
        let shared = Arc::clone(match stream {
            Stream::Stdout => &self.stdout,
            Stream::Stderr => &self.stderr,
        });
        Box::new(move |bytes| {
            let mut intake = shared.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(intake) = intake.as_mut() {
                intake.push(bytes);
            }
        })
    }

    /// Ends both streams. What a sink is handed later is dropped.
    pub fn finish(self, ending: Ending) -> Collected {
        let end = |shared: &Shared| {
            let intake = shared.lock().unwrap_or_else(PoisonError::into_inner).take();
            intake.map(|intake| intake.finish(ending)).unwrap_or_default()
        };
        Collected {
            stdout: end(&self.stdout),
            stderr: end(&self.stderr),
            results: self.results,
            cap: self.cap,
            secrets: self.secrets,
            draft: self.draft,
        }
    }
}
