//! What a call does that no grant covers by the way.
//!
//! What nobody has read counts like what destroys: otherwise a text for a shell, a makefile or a list of words from input
//! would be the easier way to the same end.

use argrail_spec::atip::{Certainty, Effects, Estimate, Unverified, Why, claim};
use serde_json::Value;

use super::pattern::Danger;
use crate::policy::case::Case;
use crate::policy::facts::{Basis, Facts};
use crate::policy::rules::Rules;

impl Facts {
    /// Returns the dangers of this call, without those inside it.
    pub(crate) fn own_dangers(&self) -> Vec<Danger> {
        let rules = Rules::default();
        let case = Case::new(self, &rules, Certainty::Whole);
        let says = |key, said| claim(&case.effects, key) == Some(said);
        let cost = case.effects.cost.as_ref();
        let estimate = cost.and_then(|cost| cost.estimate.as_deref());
        let mut dangers = Vec::new();
        if says("destructive", true) || says("reversible", false) {
            dangers.push(Danger::Destructive);
        }
        if says("cost.billable", true) || estimate.is_some_and(|word| Estimate::of(word) > Estimate::Low) {
            dangers.push(Danger::Billable);
        }
        if is_unread(&case) {
            dangers.push(Danger::Unread);
        }
        dangers
    }

    /// Returns the dangers of this call and of all inside it, each once.
    pub(crate) fn dangers(&self) -> Vec<Danger> {
        let mut dangers = self.own_dangers();
        for danger in self.inner.iter().flat_map(Facts::dangers) {
            if !dangers.contains(&danger) {
                dangers.push(danger);
            }
        }
        dangers
    }

    /// Returns the values of its flags that start any program: a command stands in them, or the name of one.
    pub(crate) fn commands_of_flags(&self) -> impl Iterator<Item = &str> {
        let starting = |spelt: &str| {
            let mut raised = self.invoked.raised.iter();
            raised.any(|raised| raised.by == spelt && starts_anything(&raised.effects))
        };
        let options = self.invoked.options.iter();
        let options = options.filter(move |given| starting(&given.spelt));
        options.flat_map(|given| given.values.iter().map(String::as_str))
    }

    /// Whether every word of this call, and of all inside it, is described: nothing that it does is left open.
    pub(crate) fn is_verified(&self) -> bool {
        self.invoked.unverified.is_empty() && self.inner.iter().all(Facts::is_verified)
    }
}

/// Whether something that it runs may do anything, and nobody has read it.
fn is_unread(case: &Case<'_>) -> bool {
    let invoked = &case.facts.invoked;
    let inside_unread =
        invoked.inner.len() > case.facts.inner.len() || invoked.inner.iter().any(|inner| inner.open);
    // One that starts programs, and nobody names them, may start any.
    let unnamed =
        claim(&case.effects, "subprocess") == Some(true) && !case.effects.extra.contains_key("x-exec");
    let runs_what_it_finds = case.runs_workspace_code() && (unnamed || starts_anything(&case.effects));
    // A flag that names a program or holds a command for one: `env -S`, `tar --to-command`, `rg --pre`.
    let by_a_flag = invoked
        .raised
        .iter()
        .any(|raised| starts_anything(&raised.effects));
    is_undescribed(case)
        || case.has_impure_program()
        || inside_unread
        || runs_what_it_finds
        || by_a_flag
        || invoked.unverified.iter().any(is_from_elsewhere)
}

/// Whether nobody says anything about what it does, whoever describes its words.
fn is_undescribed(case: &Case<'_>) -> bool {
    let said = Effects {
        extra: Default::default(),
        ..Effects::clone(&case.effects)
    };
    case.facts.basis == Basis::Undescribed || said == Effects::default()
}

/// Whether words are read from somewhere, or a variable decides what is started.
fn is_from_elsewhere(word: &Unverified) -> bool {
    match word.why {
        Why::ResponseFile | Why::Input | Why::Variable => true,
        Why::UnknownOption | Why::UnknownWord => false,
    }
}

fn starts_anything(effects: &Effects) -> bool {
    effects.extra.get("x-exec").and_then(Value::as_str) == Some("any")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::policy::tests::input::facts;

    #[test]
    fn what_nobody_has_read_is_dangerous_wherever_it_stands() {
        let read = json!({"idempotent": true});
        let check = |call: &Value, want: &[Danger]| {
            assert_eq!(facts(call).dangers(), want, "{call}");
            let wrapped = json!({"tool": "env", "effects": read, "inner": [call]});
            assert_eq!(facts(&wrapped).dangers(), want, "env {call}");
        };
        let unread = &[Danger::Unread][..];
        check(&json!({"tool": "ls", "effects": read}), &[]);
        check(&json!({"tool": "ls", "effects": {}}), unread);
        check(
            &json!({"tool": "ls", "effects": {"x-inferred": {"class": "unknown"}}}),
            unread,
        );
        check(
            &json!({"tool": "touch", "effects": {"filesystem": {"write": true}}}),
            &[],
        );
        check(&json!({"tool": "x", "basis": "undescribed"}), unread);
        for (does, want) in [("pure", &[][..]), ("changes", unread), ("unknown", unread)] {
            let programs = json!([{"language": "sql", "does": does}]);
            check(
                &json!({"tool": "psql", "effects": read, "programs": programs}),
                want,
            );
        }
        let make = |exec: Value| json!({"idempotent": false, "x-runs": "workspace-code", "x-exec": exec});
        check(&json!({"tool": "make", "effects": make(json!("any"))}), unread);
        check(&json!({"tool": "git", "effects": make(json!(["git"]))}), &[]);
        let claimed = json!({"idempotent": false, "x-runs": "workspace-code", "subprocess": true});
        check(
            &json!({"tool": "x", "basis": "claimed", "effects": claimed}),
            unread,
        );
        let raised = |exec: Value| json!([{"by": "--pre", "effects": {"x-exec": exec}}]);
        check(
            &json!({"tool": "rg", "effects": read, "raised": raised(json!("any"))}),
            unread,
        );
        check(
            &json!({"tool": "rg", "effects": read, "raised": raised(json!(["git"]))}),
            &[],
        );
        let inside = |inner: Value| json!({"tool": "xargs", "effects": read, "inner": [inner]});
        check(&inside(json!({"tool": "ls", "effects": read})), &[]);
        check(
            &inside(json!({"tool": "ls", "effects": read, "open": true})),
            unread,
        );
        check(
            &inside(json!({"tool": "ls", "effects": read, "unread": true})),
            unread,
        );
        // A word that nobody describes leaves open what it does, and runs nothing.
        let odd = json!({"tool": "ls", "effects": read, "unverified": ["--odd"]});
        check(&odd, &[]);
        assert!(!facts(&odd).is_verified() && !facts(&inside(odd)).is_verified());
        check(
            &json!({"tool": "rm", "effects": {"destructive": true, "idempotent": false}}),
            &[Danger::Destructive],
        );
    }
}
