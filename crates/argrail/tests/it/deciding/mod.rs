//! People who decide: the verbs and the full screen, at a real terminal, over a real store.

mod approve;
mod ground;
mod hostile;
mod list;
mod own_terminal;
mod screen;
mod taken_back;
mod tokens;
mod told;
mod whole;
