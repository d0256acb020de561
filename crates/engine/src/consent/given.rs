//! A person's yes to one call, which only this module can come by.

use crate::store::{Approver, RequestId};

/// A yes that was taken from the store, where it is used up now. `policy` makes an approved call of it.
#[derive(Debug)]
pub struct Given {
    request: RequestId,
    approver: Approver,
    binding: String,
}

impl Given {
    pub(super) fn new(request: RequestId, approver: Approver, binding: String) -> Self {
        Self {
            request,
            approver,
            binding,
        }
    }

    /// Returns which question was answered, and by whom.
    pub(crate) fn into_parts(self) -> (RequestId, Approver) {
        (self.request, self.approver)
    }

    /// Returns the hash of everything that it is a yes to.
    pub(crate) fn binding(&self) -> &str {
        &self.binding
    }
}
