//! Processes and the kernel: other processes, and calls that no child needs.
