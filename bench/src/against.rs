//! A run held against a recorded one, by ratios: times of two days say little about each other, a ratio to a floor that was
//! measured in the same minute does.
//!
//! What is recorded is the table itself, as the bench printed it: `bench/run > bench/recorded.md`.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::table::Line;

/// How much worse a ratio may be than the recorded one. The same binary twice differs by up to 5 % on a quiet machine.
const TOLERANCE: f64 = 0.10;

/// What one line of a table comes to.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Figure {
    ratio: f64,
    better: Direction,
}

/// Which way a ratio gets better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    /// Times, memory, tokens.
    Lower,
    /// How many a second.
    Higher,
}

/// A recorded run.
#[derive(Debug)]
pub(crate) struct Recorded {
    figures: BTreeMap<String, Figure>,
}

impl Recorded {
    /// Reads a table. Lines that are no line of it are passed over.
    ///
    /// # Errors
    /// When there is no figure in it.
    pub(crate) fn parse(text: &str) -> io::Result<Self> {
        let figures: BTreeMap<String, Figure> = text.lines().filter_map(parse_line).collect();
        if figures.is_empty() {
            return Err(io::Error::other("the recorded run holds no table"));
        }
        Ok(Self { figures })
    }

    /// Writes what got worse by more than the tolerance, and what was measured then and is not now in rows that were asked
    /// for. Returns how many lines that are.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn compare(&self, out: &mut impl Write, lines: &[Line]) -> io::Result<usize> {
        let mut found = Vec::new();
        for line in lines {
            let (Some(then), Some(now)) = (self.figures.get(&line.row), figure_of(line)) else {
                continue;
            };
            let worse = match now.better {
                Direction::Lower => now.ratio / then.ratio - 1.0,
                Direction::Higher => then.ratio / now.ratio - 1.0,
            };
            if worse > TOLERANCE {
                found.push(format!(
                    "| {} | {:.3} | {:.3} | {:.0} % worse |",
                    line.row,
                    then.ratio,
                    now.ratio,
                    worse * 100.0
                ));
            }
        }
        let group = |row: &str| row.split(':').next().unwrap_or_default().to_owned();
        let measured: Vec<String> = lines.iter().map(|line| group(&line.row)).collect();
        for row in self.figures.keys() {
            let is_missing = measured.contains(&group(row)) && !lines.iter().any(|line| line.row == *row);
            if is_missing {
                found.push(format!("| {row} | | | not measured |"));
            }
        }
        if found.is_empty() {
            writeln!(
                out,
                "\nNothing is more than {:.0} % worse than recorded.",
                TOLERANCE * 100.0
            )?;
        } else {
            writeln!(out, "\n| row | recorded ratio | ratio | |\n|---|---|---|---|")?;
            for line in &found {
                writeln!(out, "{line}")?;
            }
        }
        Ok(found.len())
    }
}

fn parse_line(line: &str) -> Option<(String, Figure)> {
    let cells: Vec<&str> = line.strip_prefix('|')?.split('|').map(str::trim).collect();
    let [row, ours, floor, ratio, ..] = cells.as_slice() else {
        return None;
    };
    Some(((*row).to_owned(), figure(ours, floor, ratio)?))
}

fn figure_of(line: &Line) -> Option<Figure> {
    figure(&line.ours, &line.floor, &line.ratio)
}

/// Makes the ratio of what it is told of, since two digits of `0.06` are too few, or takes it as it is told. What has no floor
/// is exact, as tokens are, or cannot be compared with another day.
fn figure(ours: &str, floor: &str, ratio: &str) -> Option<Figure> {
    let better = if ours
        .split_whitespace()
        .any(|word| word.trim_end_matches(',').ends_with("/s"))
    {
        Direction::Higher
    } else {
        Direction::Lower
    };
    let told = ratio.split_whitespace().next().and_then(|word| word.parse().ok());
    let exact = || ours.contains("tokens").then(|| quantity(ours)).flatten();
    let made = || Some(quantity(ours)? / quantity(floor)?);
    let ratio = exact()
        .or_else(made)
        .or(told)
        .filter(|ratio: &f64| *ratio > 0.0)?;
    Some(Figure { ratio, better })
}

/// Reads the first quantity of a cell, in seconds, bytes or pieces: `3.91 ms (p10 …)`, `45,437/s, …`, `7.4 MB (…)`.
fn quantity(cell: &str) -> Option<f64> {
    let end = cell
        .find(|c: char| !c.is_ascii_digit() && c != ',' && c != '.')
        .unwrap_or(cell.len());
    let (number, unit) = cell.split_at(end);
    let number: f64 = number.replace(',', "").parse().ok()?;
    let unit = unit.trim_start();
    let scale = [("ns", 1e-9), ("µs", 1e-6), ("ms", 1e-3)]
        .into_iter()
        .find(|(name, _)| unit.starts_with(name));
    Some(number * scale.map_or(1.0, |(_, scale)| scale))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(row: &str, ours: &str, floor: &str, ratio: &str) -> Line {
        Line {
            row: row.to_owned(),
            ours: ours.to_owned(),
            floor: floor.to_owned(),
            ratio: ratio.to_owned(),
            ..Line::default()
        }
    }

    #[test]
    fn a_ratio_is_read_or_made() {
        let check = |ours: &str, floor: &str, ratio: &str, want: Option<(f64, Direction)>| {
            let came = figure(ours, floor, ratio).map(|figure| (figure.ratio, figure.better));
            let same = match (came, want) {
                (Some((came, a)), Some((want, b))) => (came / want - 1.0).abs() < 1e-3 && a == b,
                (came, want) => came.is_none() && want.is_none(),
            };
            assert!(same, "{ours} | {floor} | {ratio}: {came:?}");
        };
        check(
            "3.50 ms (p10 3.35 ms)",
            "2.92 ms",
            "1.20 (p10 1.20)",
            Some((1.1986, Direction::Lower)),
        );
        check(
            "44,032/s, 22.7 µs",
            "162,528/s, 6.15 µs",
            "0.27",
            Some((0.27092, Direction::Higher)),
        );
        check(
            "1.11 GB/s (p10 1.38)",
            "1.17 GB/s",
            "0.94",
            Some((0.9487, Direction::Higher)),
        );
        check(
            "2.00 ms (p10 1.9 ms)",
            "500.0 µs",
            "floor + 1.5 ms",
            Some((4.0, Direction::Lower)),
        );
        check(
            "198 tokens, 55 listed",
            "56 tokens",
            "",
            Some((198.0, Direction::Lower)),
        );
        check(
            "82.3 MB/s (p10 82.6 MB/s)",
            "5954.0 MB/s",
            "72 ×",
            Some((0.013823, Direction::Higher)),
        );
        check(
            "peak 27.8 MB, in 1.59 s",
            "peak 27.0 MB",
            "1.03",
            Some((1.03, Direction::Lower)),
        );
        check("193.0 ms (p10 177.9 ms)", "", "", None);
        check("", "", "", None);
    }

    #[test]
    fn what_got_worse_is_named_and_what_got_better_is_not() {
        let recorded = "text\n| row | ours | floor | ratio | target | ok |\n|---|---|---|---|---|---|\n\
            | a: time | 1 ms | 1 ms | 1.00 | | |\n| a: rate | 9/s | 9/s | 1.00 | | |\n\
            | a: gone | 1 ms | 1 ms | 1.00 | | |\n| b: other | 1 ms | 1 ms | 1.00 | | |\n";
        let recorded = Recorded::parse(recorded).unwrap();
        let compare = |time: &str, rate: &str, more: bool| {
            let mut lines = vec![
                line("a: time", &format!("{time} ms"), "1 ms", time),
                line("a: rate", &format!("{rate}/s"), "1/s", rate),
            ];
            lines.extend(more.then(|| line("a: gone", "1 ms", "1 ms", "1.00")));
            let mut out = Vec::new();
            let count = recorded.compare(&mut out, &lines).unwrap();
            (count, String::from_utf8(out).unwrap())
        };
        assert_eq!(compare("1.09", "0.92", true).0, 0);
        assert_eq!(compare("0.50", "2.00", true).0, 0);
        let (count, told) = compare("1.20", "0.50", false);
        assert_eq!(count, 3, "{told}");
        for words in [
            "| a: time | 1.000 | 1.200 | 20 % worse |",
            "| a: rate | 1.000 | 0.500 | 100 % worse |",
            "| a: gone | | | not measured |",
        ] {
            assert!(told.contains(words), "{told}");
        }
        assert!(Recorded::parse("no table\n").is_err());
    }
}
