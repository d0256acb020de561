//! Programs of bundles, installed for real: from a server on this machine, by package managers that stand in for the
//! real ones, and in the sandbox.

mod managers;
mod methods;
mod scene;
mod versions;
