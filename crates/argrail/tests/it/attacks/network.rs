//! The network: reaching what was not granted, and being reached.
