//! Taking more than was granted, living longer than allowed, and machines that cannot hold a policy.
