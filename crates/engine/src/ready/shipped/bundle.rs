//! One bundle that is compiled in: compressed, and expanded only when somebody asks for it.

use std::collections::BTreeMap;
use std::iter;

use argrail_spec::bundle::Files;
use miniz_oxide::inflate::decompress_slice_iter_to_slice;

/// A bundle that argrail brings along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShippedBundle {
    /// The id of the bundle, which is also the name of its folder.
    pub id: &'static str,
    /// The program that it is about.
    pub bin: &'static str,
    /// How many bytes its files have as JSON.
    pub(super) size: usize,
    /// Them, as `build.rs` packed them.
    pub(super) packed: &'static [u8],
}

impl ShippedBundle {
    /// Returns its files: names from the root of the bundle, and texts.
    ///
    /// Every call expands them anew. Files that are damaged come out as none, which no reader takes for a bundle.
    pub fn texts(&self) -> BTreeMap<String, String> {
        let mut text = vec![0; self.size];
        match decompress_slice_iter_to_slice(&mut text, iter::once(self.packed), false, true) {
            Ok(length) if length == self.size => serde_json::from_slice(&text).unwrap_or_default(),
            Ok(_) | Err(_) => BTreeMap::new(),
        }
    }

    /// Returns its files for [`load`](argrail_spec::bundle::load), with [`id`](Self::id) as the folder.
    pub fn files(&self) -> Files {
        let mut files = Files::default();
        for (path, text) in self.texts() {
            files.text(path, text);
        }
        files
    }
}
