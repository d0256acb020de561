//! A machine whose own addresses look like anybody's: a network of its own, in which they lead to a server that answers.

use std::io::{self, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, UdpSocket};
use std::os::fd::AsRawFd;
use std::time::{Duration, Instant};

use crate::outcome::check;

/// What the server answers, as those of the tests do.
const ANSWER: &[u8] = b"outside\n";

/// How long the kernel may take to settle an address.
const PATIENCE: Duration = Duration::from_secs(120);

/// Enters a network of its own, where these addresses are this machine's, and serves each. The servers end with this
/// process, whatever program it becomes.
pub(crate) fn enter(own: &[SocketAddr]) -> io::Result<()> {
    leave_network()?;
    raise_loopback()?;
    for (index, address) in own.iter().enumerate() {
        add(address.ip(), index)?;
        serve(listen(*address)?)?;
    }
    Ok(())
}

/// Root may; anybody else must be root of a user namespace first.
fn leave_network() -> io::Result<()> {
    // SAFETY: takes a number; this process has one thread.
    if check(unsafe { libc::unshare(libc::CLONE_NEWNET) }).is_ok() {
        return Ok(());
    }
    let (uid, gid) = (rustix::process::getuid(), rustix::process::getgid());
    // SAFETY: as above.
    check(unsafe { libc::unshare(libc::CLONE_NEWUSER | libc::CLONE_NEWNET) })?;
    std::fs::write("/proc/self/setgroups", "deny")?;
    std::fs::write("/proc/self/uid_map", format!("{0} {0} 1", uid.as_raw()))?;
    std::fs::write("/proc/self/gid_map", format!("{0} {0} 1", gid.as_raw()))
}

fn request(name: &str) -> libc::ifreq {
    // SAFETY: plain bytes, for which zero is a value.
    let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
    for (to, from) in request.ifr_name.iter_mut().zip(name.bytes()) {
        *to = from as libc::c_char;
    }
    request
}

fn raise_loopback() -> io::Result<()> {
    let socket = UdpSocket::bind("0.0.0.0:0")?;
    let mut request = request("lo");
    request.ifr_ifru.ifru_flags = (libc::IFF_UP | libc::IFF_RUNNING) as libc::c_short;
    // SAFETY: the request lives across the call.
    check(unsafe { libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFFLAGS, &raw const request) }).map(drop)
}

/// Gives the loopback interface one more address.
fn add(address: IpAddr, index: usize) -> io::Result<()> {
    match address {
        IpAddr::V4(v4) => {
            let socket = UdpSocket::bind("0.0.0.0:0")?;
            let mut request = request(&format!("lo:{}", index + 1));
            let [a, b, c, d] = v4.octets();
            let family = (libc::AF_INET as u16).to_ne_bytes();
            let bytes = [family[0], family[1], 0, 0, a, b, c, d];
            // SAFETY: the structure is as long as its zeroes, and these eight bytes are the beginning of an address.
            unsafe {
                let to = (&raw mut request.ifr_ifru).cast::<u8>();
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len());
            }
            // SAFETY: the request lives across the call.
            check(unsafe { libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFADDR, &raw const request) }).map(drop)
        }
        IpAddr::V6(v6) => {
            const LOOPBACK_INDEX: i32 = 1;
            let socket = UdpSocket::bind("[::]:0")?;
            let request = (v6.octets(), 128_u32, LOOPBACK_INDEX);
            let mut bytes = request.0.to_vec();
            bytes.extend(request.1.to_ne_bytes());
            bytes.extend(request.2.to_ne_bytes());
            // SAFETY: address, length of the prefix and interface, as the kernel lays them out, live across the call.
            check(unsafe { libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFADDR, bytes.as_ptr()) }).map(drop)
        }
    }
}

/// Listens at an address that was given a moment ago, and that the kernel may still be looking at.
fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let begun = Instant::now();
    loop {
        match TcpListener::bind(address) {
            Err(error) if error.kind() == io::ErrorKind::AddrNotAvailable && begun.elapsed() < PATIENCE => {
                std::thread::yield_now();
            }
            listener => return listener,
        }
    }
}

/// Answers whoever comes, in a process that goes with this one.
fn serve(listener: TcpListener) -> io::Result<()> {
    // SAFETY: this process has one thread.
    if check(unsafe { libc::fork() })? > 0 {
        return Ok(());
    }
    // SAFETY: takes numbers.
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as libc::c_ulong) };
    while let Ok((mut stream, _)) = listener.accept() {
        let _ = stream.read(&mut [0; 64]);
        let _ = stream.write_all(ANSWER);
    }
    std::process::exit(0)
}
