//! A state as a frame.
//!
//! Side by side on a wide screen, one above the other on a high one, one at a time on a small one. Foreign text comes
//! laid out and exact; it is written into its own part of the screen, line by line, and nowhere else.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::super::age;
use super::super::asked::Asked;
use super::super::choice::{Choice, Decision};
use super::super::sheet::sheet;
use super::state::{Focus, Mode, State, TIMES};
use crate::foreign::exact;
use crate::foreign::{Line, Part, Row, Tone, lay_out};

/// A screen this wide shows both parts side by side.
const WIDE: u16 = 76;
/// How wide the list is then.
const LIST: u16 = 26;
/// A screen this high shows both parts, one above the other.
const HIGH: u16 = 20;
/// How many lines the list has then.
const SHORT_LIST: u16 = 5;
/// The most lines that a question of ours takes at the bottom.
const FOOT: usize = 7;

const OURS: Style = Style::new().add_modifier(Modifier::REVERSED);
const HEADING: Style = Style::new().add_modifier(Modifier::BOLD);
const MARK: Style = Style::new().add_modifier(Modifier::DIM);
const PLAIN: Style = Style::new();

/// Draws the state, and notes in it how far it can be scrolled.
pub(super) fn draw(state: &mut State, buffer: &mut Buffer) {
    let area = buffer.area;
    if area.width < 4 || area.height < 4 {
        return;
    }
    title(state, row(area, 0), buffer);
    let foot = foot(state, area);
    let height = u16::try_from(foot.len()).unwrap_or(1);
    let body = Rect {
        y: area.y + 1,
        height: area.height.saturating_sub(1 + height),
        ..area
    };
    parts(state, body, buffer);
    for (index, (text, style)) in foot.iter().enumerate() {
        let place = row(area, body.height + 1 + u16::try_from(index).unwrap_or(0));
        put(buffer, place, text, *style);
    }
}

/// The line at `y` of an area.
fn row(area: Rect, y: u16) -> Rect {
    Rect {
        y: area.y + y,
        height: 1,
        ..area
    }
}

fn put(buffer: &mut Buffer, place: Rect, text: &str, style: Style) {
    if buffer.area.contains(place.as_position()) {
        buffer.set_stringn(place.x, place.y, text, usize::from(place.width), style);
    }
}

fn title(state: &State, place: Rect, buffer: &mut Buffer) {
    let waiting = match state.list.len() {
        0 => "nothing waits".to_owned(),
        1 => "1 question waits".to_owned(),
        count => format!("{count} questions wait"),
    };
    let unreadable = match state.unreadable {
        0 => String::new(),
        count => format!("; {count} cannot be shown: see argrail approvals"),
    };
    let width = usize::from(place.width);
    put(
        buffer,
        place,
        &format!("{:width$}", format!(" argrail: {waiting}{unreadable}")),
        OURS,
    );
}

fn parts(state: &mut State, body: Rect, buffer: &mut Buffer) {
    if state.mode == Mode::Help {
        let lines = lay_out(&help(), usize::from(body.width));
        for (y, line) in (0..body.height).zip(&lines) {
            put_line(buffer, row(body, y), line);
        }
    } else if body.width >= WIDE {
        let left = Rect { width: LIST, ..body };
        let right = Rect {
            x: body.x + LIST + 2,
            width: body.width - LIST - 2,
            ..body
        };
        list(state, left, buffer);
        for y in 0..body.height {
            let bar = Rect {
                x: body.x + LIST,
                width: 1,
                ..row(body, y)
            };
            put(buffer, bar, "│", MARK);
        }
        details(state, right, buffer);
    } else if body.height >= HIGH {
        let above = Rect {
            height: SHORT_LIST,
            ..body
        };
        let below = Rect {
            y: body.y + SHORT_LIST + 1,
            height: body.height - SHORT_LIST - 1,
            ..body
        };
        list(state, above, buffer);
        let rule = "─".repeat(usize::from(body.width));
        put(buffer, row(body, SHORT_LIST), &rule, MARK);
        details(state, below, buffer);
    } else if state.focus == Focus::List && state.mode == Mode::Browse {
        list(state, body, buffer);
    } else {
        details(state, body, buffer);
    }
}

fn list(state: &State, area: Rect, buffer: &mut Buffer) {
    if state.list.is_empty() {
        put(buffer, row(area, 0), " (nothing waits)", MARK);
        return;
    }
    let height = usize::from(area.height);
    let place = state.place();
    let first = place.map_or(0, |place| place.saturating_sub(height.saturating_sub(1)));
    for (y, (index, asked)) in (0..area.height).zip(state.list.iter().enumerate().skip(first)) {
        let chosen = place == Some(index);
        let mark = if chosen { ">" } else { " " };
        let danger = if asked.dangers.is_empty() { " " } else { "!" };
        let age = age::between(asked.created, state.now);
        let ours = format!("{mark}{danger}{} {age:>7} ", exact(&asked.id));
        let room = usize::from(area.width).saturating_sub(ours.chars().count());
        let style = if chosen && state.focus == Focus::List {
            OURS
        } else {
            PLAIN
        };
        put(
            buffer,
            row(area, y),
            &(ours + &shortened(&asked.command, room)),
            style,
        );
    }
}

/// The beginning of a text; all of it stands in the details. The sign for more cannot come from the text itself.
fn shortened(text: &str, room: usize) -> String {
    let rows = [Row::Item {
        mark: String::new(),
        parts: vec![Part::Foreign(text.to_owned())],
    }];
    let lines = lay_out(&rows, room + 3);
    let first = lines.first().map(|line| line.text.clone()).unwrap_or_default();
    match lines.len() {
        0 | 1 => first,
        _ => first.replace('↩', "…"),
    }
}

fn details(state: &mut State, area: Rect, buffer: &mut Buffer) {
    let Some(asked) = &state.current else {
        state.deepest = 0;
        return;
    };
    let mut rows = Vec::new();
    if state.place().is_none() {
        rows.push(Row::Heading(over(asked, state)));
        rows.push(Row::Blank);
    }
    rows.extend(proposed(&state.mode));
    rows.extend(sheet(asked, state.now));
    let lines = lay_out(&rows, usize::from(area.width));
    // The last line says how much there is below; it is never part of the text.
    let page = area.height.saturating_sub(1);
    state.page = usize::from(page).max(1);
    state.deepest = lines.len().saturating_sub(state.page);
    state.scroll = state.scroll.min(state.deepest);
    for (y, line) in (0..page).zip(lines.iter().skip(state.scroll)) {
        put_line(buffer, row(area, y), line);
    }
    let below = lines.len().saturating_sub(state.scroll + state.page);
    let more = match (state.scroll, below) {
        (0, 0) => String::new(),
        (above, 0) => format!("── the end; {above} lines above ──"),
        (0, below) => format!("── {below} lines below: page down ──"),
        (above, below) => format!("── {above} lines above, {below} below: page down ──"),
    };
    put(buffer, row(area, page), &more, MARK);
}

/// The pattern that is about to be allowed, above the question: it may be longer than the room at the bottom.
fn proposed(mode: &Mode) -> Vec<Row> {
    let scope = match mode {
        Mode::Time { scope, .. } => scope,
        Mode::Confirm(decision) | Mode::Code { decision, .. } => match &decision.choice {
            Choice::Grant { scope, .. } => scope,
            Choice::Once | Choice::Deny(_) => return Vec::new(),
        },
        Mode::Browse | Mode::Help | Mode::Scope { .. } | Mode::Reason { .. } => return Vec::new(),
    };
    vec![
        Row::Heading("a yes also allows, without a question, what this caller does within".to_owned()),
        Row::Item {
            mark: "pattern".to_owned(),
            parts: vec![Part::Foreign(scope.clone())],
        },
        Row::Blank,
    ]
}

fn over(asked: &Asked, state: &State) -> String {
    if asked.expires <= state.now {
        "this question has expired".to_owned()
    } else {
        "this question does not wait any more".to_owned()
    }
}

fn put_line(buffer: &mut Buffer, place: Rect, line: &Line) {
    let style = match line.tone {
        Tone::Heading => HEADING,
        Tone::Item => PLAIN,
    };
    put(buffer, place, &line.mark, MARK);
    let mark = u16::try_from(line.mark.chars().count()).unwrap_or(u16::MAX);
    let rest = Rect {
        x: place.x.saturating_add(mark),
        width: place.width.saturating_sub(mark),
        ..place
    };
    if rest.width > 0 {
        put(buffer, rest, &line.text, style);
    }
}

/// The lines at the bottom: what happened, what is asked, which keys there are.
fn foot(state: &State, area: Rect) -> Vec<(String, Style)> {
    let width = usize::from(area.width);
    let most = FOOT.min(usize::from(area.height).saturating_sub(4)).max(1);
    let mut lines: Vec<(String, Style)> = Vec::new();
    let mut rows: Vec<Row> = Vec::new();
    if let Some(notice) = &state.notice {
        rows.push(Row::Heading(notice.clone()));
    }
    rows.extend(question(&state.mode));
    let laid = lay_out(&rows, width);
    // Where a text is longer than the room, its end is what is being typed.
    let hidden = laid.len().saturating_sub(most.saturating_sub(1));
    for line in laid.iter().skip(hidden) {
        lines.push((line.to_string(), HEADING));
    }
    lines.push((format!("{:width$}", keys(state, width)), OURS));
    lines
}

fn question(mode: &Mode) -> Vec<Row> {
    let item = |mark: &str, parts| Row::Item {
        mark: mark.to_owned(),
        parts,
    };
    match mode {
        Mode::Browse | Mode::Help => Vec::new(),
        Mode::Scope { input, problem, .. } => {
            let fits = match problem {
                None => "it covers this question".to_owned(),
                Some(problem) => problem.clone(),
            };
            vec![
                Row::Heading(fits),
                Row::Heading("Allow calls like this pattern:".to_owned()),
                item(">", input.parts()),
            ]
        }
        Mode::Time { .. } => {
            let times: Vec<String> = (1..)
                .zip(TIMES)
                .map(|(digit, (name, _))| format!("{digit} {name}"))
                .collect();
            vec![Row::Heading(format!("For how long? {}", times.join("   ")))]
        }
        Mode::Reason { asked, input } => vec![
            Row::Heading(format!(
                "Deny {}. A reason for the caller, or nothing:",
                exact(&asked.id)
            )),
            item(">", input.parts()),
        ],
        Mode::Confirm(decision) => {
            let mut rows = chosen(decision);
            rows.push(Row::Heading(
                "Press y to do that, any other key for no.".to_owned(),
            ));
            rows
        }
        Mode::Code {
            decision,
            code,
            input,
        } => {
            let mut rows = chosen(decision);
            rows.push(Row::Heading(format!("It is dangerous. To do that, type {code}:")));
            rows.push(item(">", input.parts()));
            rows
        }
    }
}

/// What will be done, in our words.
fn chosen(decision: &Decision) -> Vec<Row> {
    let id = exact(&decision.asked.id);
    let words = decision.asked.argv.len();
    match &decision.choice {
        Choice::Once => vec![Row::Heading(format!(
            "Run {id} once, with all its {words} words?"
        ))],
        Choice::Grant { lives, .. } => {
            let lives = TIMES.iter().find(|(_, time)| Some(*time) == *lives);
            let lives = lives.map_or("until it is taken back", |(name, _)| name);
            vec![Row::Heading(format!(
                "Run {id}, and what fits the pattern, for {lives}?"
            ))]
        }
        Choice::Deny(_) => vec![Row::Heading(format!("Deny {id}?"))],
    }
}

fn keys(state: &State, width: usize) -> &'static str {
    match &state.mode {
        Mode::Browse if width < 60 => " a t p d  ? help  q quit",
        Mode::Browse => " a once  t for a time  p pattern  d deny  enter read  ? help  q quit",
        Mode::Help => " any key: back",
        Mode::Scope { .. } | Mode::Reason { .. } | Mode::Code { .. } => " enter: go on   esc: back",
        Mode::Time { .. } => " 1 2 3 4   esc: back",
        Mode::Confirm(_) => " y: yes   esc: back",
    }
}

fn help() -> Vec<Row> {
    let item = |mark: &str, text: &str| Row::Item {
        mark: mark.to_owned(),
        parts: vec![Part::ours(text)],
    };
    vec![
        item("up down, j k", "go through the questions, or read on"),
        item("enter, right", "read the question; left or esc: back to the list"),
        item("space", "a page on; page up: a page back"),
        item("a", "run it once"),
        item("t", "run it, and calls exactly like it for a time"),
        item("p", "the same with a pattern that you write"),
        item("d", "deny it, with a reason if you like"),
        item("q, ctrl-c", "leave; questions go on waiting"),
        Row::Blank,
        item("!", "it destroys something or costs money: you type a code"),
        item("\\u{..} \\n", "a character that could mislead, written out"),
        item("␠{3}", "spaces that could be overlooked"),
    ]
}
