//! The HTTP server as the catalogue's client sees it.

use argrail_testkit::Home;

use super::http_client::{Place, Server};
use crate::mcp_servers::{listed, url};

#[test]
fn our_own_server_is_listed_over_http() {
    let server = Server::start();
    let Place::Port(port) = server.place else {
        panic!("{:?}", server.place)
    };
    let token = format!("Bearer {}", server.token);
    let address = format!("http://127.0.0.1:{port}/mcp");
    let loaded = listed(&Home::new(), &url(&address, &[("Authorization", &token)]));
    assert_eq!(loaded.metadata.commands.keys().collect::<Vec<_>>(), ["cli"]);
    assert_eq!(loaded.metadata.extra["x-mcp-server"], "argrail");
    let (said, _) = server.stopped();
    assert!(!said.iter().any(|line| line.contains(&token)), "{said:?}");
}
