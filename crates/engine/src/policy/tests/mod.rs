//! What is decided, case by case and for any case.
