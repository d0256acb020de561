//! Long lists in pages of bounded size.

use serde_json::{Map, Value};

use crate::error::Error;
use crate::text::Text;

/// How many bytes of JSON one page of a list may have: about 1,500 tokens.
pub(super) const PAGE_BYTES: usize = 6_000;

/// One page of a list.
pub(super) struct Page {
    pub(super) items: Vec<Value>,
    /// Whether there are more pages after this one.
    pub(super) more: bool,
}

/// Returns page `number` (from 1). Every page holds at least one item, however large.
///
/// Items are made one by one, so nothing beyond the page is looked at.
pub(super) fn page(items: impl Iterator<Item = Value>, number: u64) -> Result<Page, Error> {
    let (mut current, mut bytes, mut kept) = (1, 0, Vec::new());
    for item in items {
        let size = item.to_string().len() + 1;
        if bytes > 0 && bytes + size > PAGE_BYTES {
            if current == number {
                return Ok(Page {
                    items: kept,
                    more: true,
                });
            }
            (current, bytes) = (current + 1, 0);
        }
        bytes += size;
        if current == number {
            kept.push(item);
        }
    }
    if current < number {
        let last = Text::new("The last page is {}").number(current);
        return Err(Error::invalid(
            Text::new("there is no page {}").number(number),
            last,
        ));
    }
    Ok(Page {
        items: kept,
        more: false,
    })
}

/// Adds `page` and the command for the next one, where there is more than one page.
pub(super) fn mark(out: &mut Map<String, Value>, number: u64, more: bool, verb: &str, path: &str) {
    if number > 1 || more {
        out.insert("page".into(), number.into());
    }
    if more {
        let blank = if path.is_empty() { "" } else { " " };
        out.insert(
            "next".into(),
            format!("{verb}{blank}{path} --page {}", number + 1).into(),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_cover_the_list_once_and_stay_small() {
        let all: Vec<Value> = (0..500).map(|n| format!("item number {n:0>40}").into()).collect();
        let mut seen = Vec::new();
        for number in 1.. {
            let page = page(all.iter().cloned(), number).unwrap();
            assert!(Value::from(page.items.clone()).to_string().len() <= PAGE_BYTES + 2);
            seen.extend(page.items);
            if !page.more {
                assert!(super::page(all.iter().cloned(), number + 1).is_err());
                break;
            }
        }
        assert_eq!(seen, all);
    }

    #[test]
    fn an_empty_list_has_one_page_and_a_giant_has_its_own() {
        assert!(page(std::iter::empty(), 1).unwrap().items.is_empty());
        let giant = || [Value::from("x".repeat(PAGE_BYTES * 2)), Value::from("y")].into_iter();
        let first = page(giant(), 1).unwrap();
        assert_eq!((first.items.len(), first.more), (1, true));
        assert_eq!(page(giant(), 2).unwrap().items, ["y"]);
    }
}
