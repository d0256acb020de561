//! Many real processes, one chain.

use argrail_testkit::mcp::Client;

use super::ground::{entries, home, is_whole};
use crate::ARGRAIL;

#[test]
fn sixteen_servers_write_one_chain() {
    let home = home();
    let mut clients: Vec<Client> = (0..16)
        .map(|_| Client::new(home.spawn(ARGRAIL, &["serve"])))
        .collect();
    for client in &mut clients {
        client.initialize();
    }
    for _ in 0..5 {
        let asked: Vec<i64> = clients
            .iter_mut()
            .map(|client| client.start_call("version"))
            .collect();
        for (client, id) in clients.iter_mut().zip(asked) {
            client.result(id);
        }
    }
    for client in clients {
        client.finish();
    }
    is_whole(&home, 80);
    let seqs: Vec<u64> = entries(&home)
        .iter()
        .map(|entry| entry["seq"].as_u64().unwrap())
        .collect();
    assert_eq!(seqs, (0..80).collect::<Vec<_>>());
}

#[test]
fn an_intent_stands_before_its_end_also_when_many_run() {
    let home = home();
    let mut client = Client::new(home.spawn(ARGRAIL, &["serve"]));
    client.initialize();
    let asked: Vec<i64> = (0..6).map(|_| client.start_call("cat note")).collect();
    for id in asked {
        assert_eq!(client.result(id)["isError"], false);
    }
    client.finish();
    is_whole(&home, 12);
    let all = entries(&home);
    let ends: Vec<_> = all
        .iter()
        .filter(|entry| entry["action"] == "cli.invoked")
        .collect();
    assert_eq!(ends.len(), 6);
    for end in ends {
        let intent = usize::try_from(end["metadata"]["intent"].as_u64().unwrap()).unwrap();
        assert_eq!(all[intent]["action"], "cli.intended");
        assert!(intent < usize::try_from(end["seq"].as_u64().unwrap()).unwrap());
        assert_eq!(all[intent]["metadata"]["argvHash"], end["metadata"]["argvHash"]);
    }
}
