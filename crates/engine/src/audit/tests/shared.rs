//! Many writers at once, in one process and in many.

use std::sync::Arc;

use super::ground::{Ground, event};
use crate::audit::directory::Directory;
use crate::audit::verify::Problem;
use crate::audit::{Durability, Filter, RecordError, oldest};

#[test]
fn threads_and_chains_of_their_own_write_one_chain() {
    let ground = Ground::new();
    let shared = Arc::new(ground.chain());
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let shared = Arc::clone(&shared);
            let ground = &ground;
            scope.spawn(move || {
                let own = ground.chain();
                for number in 0..20 {
                    let chain = if writer % 2 == 0 { &own } else { &*shared };
                    let durability = if number % 10 == 0 {
                        Durability::Durable
                    } else {
                        Durability::Soon
                    };
                    chain.append(&event(writer * 100 + number), durability).unwrap();
                }
            });
        }
    });
    drop(shared);
    ground.is_whole(160);
    let mut numbers: Vec<_> = ground
        .entries()
        .iter()
        .map(|entry| entry["metadata"]["number"].as_u64().unwrap())
        .collect();
    numbers.sort_unstable();
    let want: Vec<u64> = (0..8)
        .flat_map(|writer| (0..20).map(move |number| writer * 100 + number))
        .collect();
    assert_eq!(numbers, want);
}

#[test]
fn full_files_make_way_while_many_write() {
    let ground = Ground::new();
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let ground = &ground;
            scope.spawn(move || {
                let chain = ground.small();
                for number in 0..30 {
                    chain
                        .append(&event(writer * 100 + number), Durability::Soon)
                        .unwrap();
                }
            });
        }
    });
    ground.is_whole(120);
    let names: Vec<_> = std::fs::read_dir(ground.directory())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(
        names
            .iter()
            .any(|name| name.starts_with("audit-log.00000000-0000000")),
        "{names:?}"
    );
    assert!(names.len() >= 20, "{names:?}");
    let seqs: Vec<u64> = ground
        .entries()
        .iter()
        .map(|entry| entry["seq"].as_u64().unwrap())
        .collect();
    assert_eq!(seqs, (0..120).collect::<Vec<_>>());
    let mut forwards = Vec::new();
    oldest(
        &ground.directory(),
        &Filter::default(),
        |entry| -> Result<(), RecordError> {
            forwards.push(entry["seq"].as_u64().unwrap());
            Ok(())
        },
    )
    .unwrap();
    assert_eq!(forwards, seqs);
}

#[test]
fn a_full_file_that_is_taken_away_is_missed() {
    let ground = Ground::new();
    let chain = ground.small();
    for number in 0..40 {
        chain.append(&event(number), Durability::Soon).unwrap();
    }
    drop(chain);
    let segments = Directory::new(&ground.directory()).segments().unwrap();
    std::fs::remove_file(ground.log()).unwrap();
    let last = segments.last().unwrap().last;
    assert_eq!(
        ground.verify().first_bad.map(|bad| (bad.problem, bad.seq)),
        Some((Problem::Deleted, last + 1))
    );
    std::fs::remove_file(&segments[1].path).unwrap();
    ground.is_bad(Problem::Missing, segments[2].first, 1);
}
