//! The network of a child, served by the host: names, proxies, and who may be reached.
