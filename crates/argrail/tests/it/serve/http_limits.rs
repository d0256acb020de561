//! The limits of the HTTP server, with numbers small enough to reach: a server in a thread of the test.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use argrail::serve::Ending;
use argrail::serve::http::{self, Limits, Options};
use argrail_testkit::with_time_to_begin;
use rmcp::ServerHandler;
use serde_json::json;

use super::http_client::{Answer, Place, Request, rpc};
use super::process::{PATIENCE, Scratch};
use super::talk::initialize_params;

/// A handler without tools: here only the way to it counts.
struct Nothing;

impl ServerHandler for Nothing {}

struct Served {
    place: Place,
    token: String,
    _home: Scratch,
}

/// Starts a server that lives as long as the test program.
fn serve(limits: Limits) -> Served {
    let home = Scratch::new();
    let token_file = home.path().join("token");
    let listen = "127.0.0.1:0".parse().unwrap();
    let options = Options {
        listen,
        token_file: token_file.clone(),
        allow_origins: vec![],
        person_credentials: None,
        limits,
        ending: Ending::default(),
    };
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || {
        http::run(
            &options,
            || Ok(Nothing),
            |ready| tell.send(ready.url.clone()).unwrap(),
        )
        .unwrap();
    });
    let url = told.recv_timeout(PATIENCE).unwrap();
    let port = url
        .trim_end_matches("/mcp")
        .rsplit(':')
        .next()
        .unwrap()
        .parse()
        .unwrap();
    let token = std::fs::read_to_string(token_file).unwrap().trim().to_owned();
    Served {
        place: Place::Port(port),
        token,
        _home: home,
    }
}

impl Served {
    fn initialize(&self) -> Answer {
        let hello = rpc("init", "initialize", &initialize_params("2025-11-25", json!({})));
        Request::to(self.place.clone(), &self.token).body(&hello).send()
    }

    fn ping(&self, session: &str) -> u16 {
        let ping = rpc("p", "ping", &json!({}));
        Request::to(self.place.clone(), &self.token)
            .body(&ping)
            .session(session)
            .send()
            .status
    }

    /// Whether a request was answered, and not hung up on.
    fn is_there(&self) -> bool {
        let mut stream = self.connect();
        let mut said = String::new();
        let asked = stream.write_all(b"GET /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n");
        // No token: the answer is a refusal, and an answer.
        asked.is_ok() && stream.read_to_string(&mut said).is_ok() && said.starts_with("HTTP/1.1 4")
    }

    /// A connection with a request whose body does not come.
    fn half_a_body(&self) -> TcpStream {
        let mut stream = self.connect();
        let Place::Port(port) = self.place else {
            panic!("no port")
        };
        let head = format!(
            "POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nauthorization: Bearer {}\r\n\
             content-type: application/json\r\ncontent-length: 1000\r\nexpect: 100-continue\r\n\r\n",
            self.token
        );
        stream.write_all(head.as_bytes()).unwrap();
        // Told to go on, it is being answered.
        let mut go_on = [0; 12];
        stream.read_exact(&mut go_on).unwrap();
        assert_eq!(&go_on, b"HTTP/1.1 100");
        stream
    }

    fn connect(&self) -> TcpStream {
        let Place::Port(port) = self.place else {
            panic!("no port")
        };
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }
}

#[test]
fn a_head_that_does_not_come_is_not_waited_for() {
    let served = serve(Limits {
        head_time: Duration::from_millis(200),
        ..Limits::default()
    });
    let mut text = String::new();
    for opening in ["", "POST /mcp HTTP/1.1\r\nhost: 127"] {
        let mut stream = served.connect();
        stream.write_all(opening.as_bytes()).unwrap();
        // Reading to the end is the test: the server hangs up by itself.
        let _ = stream.read_to_string(&mut text);
    }
    // One that comes is served, however late its client had its turn.
    let begun = Instant::now();
    while !served.is_there() {
        assert!(begun.elapsed() < PATIENCE, "nobody is served any more");
    }
}

#[test]
fn a_body_that_does_not_come_is_not_waited_for() {
    let served = serve(Limits {
        body_time: Duration::from_millis(200),
        ..Limits::default()
    });
    let request = Request::to(served.place.clone(), &served.token);
    assert_eq!(
        request
            .header("content-length", "100")
            .raw_body(b"{")
            .send()
            .status,
        408
    );
}

#[test]
fn there_are_only_so_many_connections_at_once() {
    let served = serve(Limits {
        connections: 2,
        body_time: PATIENCE,
        ..Limits::default()
    });
    // Each has a request whose body does not come, and makes way for nobody.
    let (one, two) = (served.half_a_body(), served.half_a_body());
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || tell.send(served.initialize().status));
    assert!(
        told.recv_timeout(Duration::from_millis(300)).is_err(),
        "a third connection was served"
    );
    drop(one);
    assert_eq!(told.recv_timeout(PATIENCE).unwrap(), 200);
    drop(two);
}

#[test]
fn half_heads_keep_nobody_waiting() {
    let served = serve(Limits {
        connections: 2,
        // Nobody is helped by waiting until their time is up.
        head_time: 10 * PATIENCE,
        ..Limits::default()
    });
    let half = || {
        let mut stream = served.connect();
        stream.write_all(b"POST /mcp HTTP/1.1\r\nhost: 127").unwrap();
        stream
    };
    let mut oldest = half();
    let _other = half();
    assert_eq!(served.initialize().status, 200);
    // The oldest has made way.
    let mut text = String::new();
    let _ = oldest.read_to_string(&mut text);
    assert_eq!(text, "");
}

#[test]
fn there_are_only_so_many_sessions() {
    let served = serve(Limits {
        sessions: 2,
        ..Limits::default()
    });
    let first = served.initialize();
    assert_eq!((first.status, served.initialize().status), (200, 200));
    let refused = served.initialize();
    assert_eq!(
        (refused.status, refused.json()["error"]["code"].as_str()),
        (503, Some("TOO_MANY_SESSIONS"))
    );
    assert!(refused.header("retry-after").is_some());
    let session = first.header("mcp-session-id").unwrap();
    assert_eq!(served.ping(session), 200);
    let end = Request::to(served.place.clone(), &served.token)
        .method("DELETE")
        .session(session)
        .send();
    assert!((200..300).contains(&end.status), "{end:?}");
    assert_eq!(served.initialize().status, 200);
}

#[test]
fn a_session_that_nobody_uses_expires() {
    with_time_to_begin(expires_after);
}

/// Nothing comes of it if a session expired before it could be used.
fn expires_after(idle: Duration) -> Option<()> {
    let served = serve(Limits {
        session_idle: idle,
        sessions: 2,
        ..Limits::default()
    });
    let kept = served.initialize().header("mcp-session-id").unwrap().to_owned();
    // Listening is use.
    let listening = Request::to(served.place.clone(), &served.token)
        .method("GET")
        .session(&kept)
        .open();
    if listening.status == 404 {
        return None;
    }
    assert_eq!(listening.status, 200);
    let left = served.initialize().header("mcp-session-id").unwrap().to_owned();
    let began = Instant::now();
    // To ask for the other one would be use, too; that its place becomes free shows the end of it.
    while served.initialize().status == 503 {
        assert!(began.elapsed() < idle + PATIENCE, "it never expires");
    }
    assert_eq!((served.ping(&left), served.ping(&kept)), (404, 200));
    Some(())
}
