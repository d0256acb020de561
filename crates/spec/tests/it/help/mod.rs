//! Help texts of every family, written for these tests, and what is read from them.

mod argparse;
mod bsd;
mod busybox;
mod clap;
mod click;
mod cobra;
mod cplusplus;
mod docopt;
mod git;
mod gnu;
mod go_flag;
mod hostile;
mod java;
mod metadata;
mod node;
mod notation;
mod npm;
mod php;
mod powershell;
mod reading;
mod remarks;
mod rows;
mod ruby;
mod single_dash;
mod sketch;
mod tables;

use reading::check;
