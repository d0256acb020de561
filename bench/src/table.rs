//! The table: one line per comparison, as Markdown.

use std::io::{self, Write};

use crate::samples::Samples;

/// One line.
#[derive(Debug, Default)]
pub(crate) struct Line {
    pub(crate) row: String,
    pub(crate) ours: String,
    pub(crate) floor: String,
    pub(crate) ratio: String,
    pub(crate) target: &'static str,
    /// Whether the target was met; `None` where there is none.
    pub(crate) ok: Option<bool>,
}

/// Writes the table.
pub(crate) fn print(out: &mut impl Write, lines: &[Line]) -> io::Result<()> {
    writeln!(out, "| row | ours | floor | ratio | target | ok |")?;
    writeln!(out, "|---|---|---|---|---|---|")?;
    for line in lines {
        let ok = match line.ok {
            Some(true) => "yes",
            Some(false) => "**no**",
            None => "",
        };
        let Line {
            row,
            ours,
            floor,
            ratio,
            target,
            ..
        } = line;
        writeln!(out, "| {row} | {ours} | {floor} | {ratio} | {target} | {ok} |")?;
    }
    Ok(())
}

/// Costs in seconds as how many a second and what each costs, with the fastest tenth.
pub(crate) fn rate(costs: &Samples) -> String {
    let (each, best) = (costs.median(), costs.p10());
    format!("{}/s, {} (p10 {})", number(1.0 / each), time(each), time(best))
}

/// Costs in seconds as times, with the fastest tenth.
pub(crate) fn times(costs: &Samples) -> String {
    format!("{} (p10 {})", time(costs.median()), time(costs.p10()))
}

/// A time of a readable size.
pub(crate) fn time(seconds: f64) -> String {
    let (value, unit) = match seconds.abs() {
        small if small < 1e-6 => (seconds * 1e9, "ns"),
        middle if middle < 1e-3 => (seconds * 1e6, "µs"),
        _ => (seconds * 1e3, "ms"),
    };
    let digits = if value.abs() < 10.0 { 2 } else { 1 };
    format!("{value:.digits$} {unit}")
}

/// A whole number with its thousands apart.
pub(crate) fn number(value: f64) -> String {
    let plain = format!("{value:.0}");
    let mut out = String::new();
    for (at, digit) in plain.chars().enumerate() {
        if at > 0 && (plain.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_readable() {
        for (value, shown) in [
            (0.0, "0"),
            (999.4, "999"),
            (1000.0, "1,000"),
            (1_234_567.0, "1,234,567"),
        ] {
            assert_eq!(number(value), shown);
        }
        for (seconds, shown) in [(3.21e-7, "321.0 ns"), (2.5e-6, "2.50 µs"), (0.0123, "12.3 ms")] {
            assert_eq!(time(seconds), shown);
        }
    }

    #[test]
    fn a_line_without_a_target_is_not_judged() {
        let lines = [
            Line {
                row: "a".into(),
                ok: Some(false),
                ..Line::default()
            },
            Line {
                row: "b".into(),
                ..Line::default()
            },
        ];
        let mut out = Vec::new();
        print(&mut out, &lines).unwrap();
        let out = String::from_utf8(out).unwrap();
        assert!(
            out.ends_with("| a |  |  |  |  | **no** |\n| b |  |  |  |  |  |\n"),
            "{out}"
        );
    }
}
