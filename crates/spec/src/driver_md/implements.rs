//! AIP-30 `implements`: which tools a driver runs, and how it differs from their contract.

use indexmap::IndexMap;
use serde_json::{Map, Value};

use crate::declare::{AnyText, ByName, Decode, Line, List, NotNegative, Whole, manifest};
use crate::doc::Spanned;
use crate::doc::fields::Complaints;
use crate::intent_md::Mapped;
use crate::manifest::{Field, VersionRange};
use crate::tool_md::{Backoff, CostClass};

manifest! {
    /// One tool.
    pub struct Implements closed, check fill_argv {
        /// The path of its file, or its id.
        need tool: Spanned<String> as Line<1024>,
        /// Which versions of it.
        need version: VersionRange,
        /// What it cannot do.
        may schema_narrowing: Option<SchemaNarrowing>,
        /// Where each input goes.
        may mapping: Option<IndexMap<String, Mapped>> as ByName,
        /// What a call costs here.
        may cost_override: Option<CostOverride>,
        /// How long a call may take here.
        may timeout_override_ms: Option<u64> as Whole<100>,
        /// When a failed call is tried again here.
        may retry_override: Option<RetryOverride>,
        /// Anybody's own. `metadata.cli.argv` is the template.
        may metadata: Map<String, Value>,
        /// `metadata.cli.argv` with places.
        derived argv: Option<Vec<Spanned<String>>>,
    }

    /// What a driver cannot do. Using a dropped input is refused.
    #[derive(Default)]
    pub struct SchemaNarrowing closed {
        /// Inputs it does not take.
        may drop_inputs: Vec<Spanned<String>> as List<AnyText>,
        /// Outputs it does not give.
        may drop_outputs: Vec<Spanned<String>> as List<AnyText>,
    }

    /// What a call costs here.
    #[derive(Default)]
    pub struct CostOverride closed {
        /// The class.
        may cost_class: Option<CostClass>,
        /// How much.
        may cost_units_per_call: Option<f64> as NotNegative,
        /// Of what.
        may currency: Option<String> as Line<16>,
    }

    /// When a failed call is tried again here.
    #[derive(Eq)]
    pub struct RetryOverride closed {
        /// How often, the first time included.
        need max_attempts: u64 as Whole<1, 10>,
        /// How the pauses grow.
        may backoff: Option<Backoff>,
        /// The first pause.
        may initial_ms: Option<u64> as Whole,
    }
}

/// Reads `cli.argv` of the metadata.
fn fill_argv(implements: &mut Implements, field: &Field<'_>, out: &mut Complaints) {
    let cli = field
        .member("metadata")
        .and_then(|metadata| metadata.member("cli"));
    let argv = cli.and_then(|cli| cli.open(out)?.take("argv"));
    implements.argv = argv.and_then(|argv| <Vec<_> as Decode<List<AnyText>>>::decode(&argv, out));
}
