//! Several threads at the same work. A program that hangs holds one of them and nobody else.

use std::thread::Builder;

/// Does the work in so many threads at once, this one among them, and returns when all are done.
pub(in crate::catalog) fn together(threads: usize, work: &(impl Fn() + Sync)) {
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // One that cannot be started is not needed: this thread works, too.
            let _ = Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
}
