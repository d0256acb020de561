//! The governor of a session, with a real store, a real record and real commands.

mod desk;
mod files;
mod permits;
mod record;
mod terminals;
