//! Agents as they are started: what they get, what they can reach, and that they end with their host. Once as root and
//! once as a plain user, where both can be had.

mod confined;
mod defined;
mod desk;
mod ended;
mod refused;
