//! The unix socket: no token, nobody else's, and nobody else's place taken.

use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::os::unix::net::UnixListener;
use std::path::Path;

use super::http_client::Server;
use super::process::Scratch;

fn address(path: &Path) -> String {
    format!("unix:{}", path.display())
}

#[test]
fn a_socket_needs_no_token() {
    let home = Scratch::new();
    let path = home.path().join("run/mcp.sock");
    let server = Server::with(&["--http", &address(&path)], home);
    assert!(server.token.is_empty());
    let metadata = path.symlink_metadata().unwrap();
    assert!(metadata.file_type().is_socket());
    assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
    let session = server.initialize();
    assert_eq!(
        server.call(&session, "c", "help").send().message("c")["result"]["isError"],
        false
    );
    assert_eq!(
        server.call_inline("i", "help").send().message("i")["result"]["isError"],
        false
    );
    assert_eq!(
        server
            .call(&session, "h", "help")
            .header("host", "example.org")
            .send()
            .status,
        403
    );
    assert_eq!(
        server
            .call(&session, "o", "help")
            .header("origin", "null")
            .send()
            .status,
        403
    );
    let said = Server::refused(&["--http", &address(&path)], server.home.path());
    assert!(said.contains("another server is listening"), "{said}");
    let (_, _home) = server.stopped();
    assert!(!path.exists(), "the socket is left behind");
}

#[test]
fn a_dead_socket_makes_way_and_nothing_else_does() {
    let home = Scratch::new();
    let path = home.path().join("mcp.sock");
    drop(UnixListener::bind(&path).unwrap()); // leaves the file
    let server = Server::with(&["--http", &address(&path)], home);
    server.initialize();
    let file = server.home.path().join("precious");
    std::fs::write(&file, "data").unwrap();
    let said = Server::refused(&["--http", &address(&file)], server.home.path());
    assert!(said.contains("something else than a socket"), "{said}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "data");
}

#[test]
fn a_directory_that_others_can_write_to_is_refused() {
    let home = Scratch::new();
    let open = home.path().join("open");
    std::fs::create_dir(&open).unwrap();
    std::fs::set_permissions(&open, std::fs::Permissions::from_mode(0o777)).unwrap();
    let said = Server::refused(&["--http", &address(&open.join("mcp.sock"))], home.path());
    assert!(said.contains("others can write to the directory"), "{said}");
    assert_eq!(std::fs::read_dir(&open).unwrap().count(), 0);
}
