//! A profile as one hash: for what a yes holds for, and for the record.

use argrail_sandbox::policy::{Policy, Protected};
use argrail_spec::digest::{Digest, FieldHasher};

use super::made::Profile;

impl Profile {
    /// Returns the digest of everything that it grants and keeps back. Of variables of the host and of credentials only
    /// the names count.
    pub fn digest(&self) -> Digest {
        let mut fields = FieldHasher::default();
        put(&mut fields, &self.policy, &self.protected);
        fields.put("anchors", format!("{:?}", self.anchors));
        fields.put("confinement", format!("{:?}", self.confinement()));
        fields.put("fixed", format!("{:?}", self.environment.fixed));
        let names: Vec<String> = self.environment.names().collect();
        fields.list("names", names.iter().map(String::as_bytes));
        let search = format!("{:?}", self.search);
        fields.put("search", search);
        for (path, text) in &self.texts {
            fields.put("text", path.as_os_str().as_encoded_bytes());
            fields.put("says", text);
        }
        fields.finish()
    }
}

/// Returns the digest of a policy that is used without a profile.
pub(crate) fn policy_digest(policy: &Policy, protected: &Protected) -> Digest {
    let mut fields = FieldHasher::default();
    put(&mut fields, policy, protected);
    fields.finish()
}

fn put(fields: &mut FieldHasher, policy: &Policy, protected: &Protected) {
    // Their own words for themselves: lists and sorted maps, so the same policy says the same.
    fields.put("policy", format!("{policy:?}"));
    fields.put("protected", format!("{protected:?}"));
}
