//! Whether estimates are right, and whether they can be lulled.
