//! The contract, and any sequence of steps against the model.

use argrail_testkit::Home;
use proptest::prelude::*;

use super::super::SqliteStore;
use crate::places::testing::places_of;
use crate::store::Store;
use crate::store::contract::{Step, agrees, keeps};

#[test]
fn it_keeps_the_contract() {
    keeps(|| {
        let home = Home::new();
        let places = places_of(&home);
        move || {
            // The directory lives as long as the place.
            let _home = &home;
            Box::new(SqliteStore::new(&places)) as Box<dyn Store>
        }
    });
}

fn step() -> impl Strategy<Value = Step> {
    let who = || 0..3_u8;
    // In round numbers, so that ends are often met exactly.
    let seconds = || (0..6_i64).prop_map(|number| number * 50);
    prop_oneof![
        2 => prop_oneof![seconds(), Just(-50)].prop_map(Step::Pass),
        4 => (who(), who(), seconds()).prop_map(|(caller, binding, lives)| Step::Ask(caller, binding, lives.unsigned_abs())),
        3 => (0..8_usize).prop_map(Step::Approve),
        1 => (0..8_usize).prop_map(Step::Deny),
        3 => who().prop_map(Step::Claim),
        1 => (who(), seconds()).prop_map(|(who, lives)| Step::Grant(who, lives)),
        1 => who().prop_map(Step::Revoke),
        1 => who().prop_map(Step::Use),
        1 => (who(), any::<bool>()).prop_map(|(key, stale)| Step::Put(key, stale)),
        1 => who().prop_map(Step::Remove),
        1 => (0..9_u64).prop_map(Step::Advance),
        1 => Just(Step::Reopen),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn any_sequence_of_steps_ends_like_the_model(steps in prop::collection::vec(step(), 1..60)) {
        let home = Home::new();
        let places = places_of(&home);
        let open = || Box::new(SqliteStore::new(&places)) as Box<dyn Store>;
        agrees(&open, &steps).unwrap();
    }
}
