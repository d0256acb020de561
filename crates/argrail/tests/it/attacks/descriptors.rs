//! Descriptors, variables and terminals: what comes from whoever started argrail.
