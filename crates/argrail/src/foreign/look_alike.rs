//! Characters that a reader takes for others: letters of one script among those of another, and signs that look like
//! the ones of a command line.
//!
//! A word in one script is a word. Letters of a second script inside it, or a word made only of letters that look
//! Latin and are not, are reported. Two alphabets may still share a shape that is not listed here: the shape of a
//! letter is a matter of the font.

/// Letters of other scripts that look like Latin ones.
const LATIN_SHAPES: &str = "аеорсухіјѕһԁԛԝӏАВЕЅІЈКМНОРСТУХԌԚԜҮҺӀαγικνορτυχωΑΒΕΖΗΙΚΜΝΟΡΤΥΧոսօցհյՍՕՏԼ";

/// Returns the places, in bytes, of the letters that look like others where they stand.
pub(super) fn strange(text: &str) -> Vec<usize> {
    let mut places = Vec::new();
    if text.is_ascii() {
        return places;
    }
    let mut run: Vec<(usize, char)> = Vec::new();
    for (at, c) in text.char_indices() {
        if c.is_alphabetic() {
            run.push((at, c));
        } else {
            judge(&run, &mut places);
            run.clear();
        }
    }
    judge(&run, &mut places);
    places
}

/// Judges letters that stand together.
fn judge(run: &[(usize, char)], places: &mut Vec<usize>) {
    let latin = run.iter().any(|(_, c)| is_latin(*c));
    let others = || run.iter().filter(|(_, c)| !is_latin(*c) && !is_unlike_latin(*c));
    let disguised = others().all(|(_, c)| LATIN_SHAPES.contains(*c));
    if latin || disguised {
        places.extend(others().map(|(at, _)| *at));
    }
}

/// Letters that people write European languages and Vietnamese with. Those that copy another one's shape are not
/// among them: the dotless i, the long s, letters of phonetics.
fn is_latin(c: char) -> bool {
    matches!(c,
        'a'..='z' | 'A'..='Z' | 'ª' | 'º' | '\u{c0}'..='\u{130}' | '\u{132}'..='\u{137}' | '\u{139}'..='\u{13e}'
        | '\u{141}'..='\u{148}' | '\u{14a}'..='\u{17e}' | '\u{1a0}' | '\u{1a1}' | '\u{1af}' | '\u{1b0}'
        | '\u{218}'..='\u{21b}' | '\u{1e00}'..='\u{1eff}')
}

/// Letters of scripts that nobody takes for Latin, and that are written beside it without a space.
fn is_unlike_latin(c: char) -> bool {
    matches!(c,
        '\u{900}'..='\u{d7f}' | '\u{e00}'..='\u{eff}' | '\u{3005}'..='\u{30ff}' | '\u{3100}'..='\u{318f}'
        | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Whether a character is always written out: it looks like one of a command line or of ours, joins its neighbour, or
/// turns the direction of a line.
pub(super) fn is_ambiguous(c: char) -> bool {
    is_sign(c) || is_of_ours(c) || joins(c) || runs_leftwards(c)
}

/// Dashes, slashes, dots, colons and letters in another dress.
fn is_sign(c: char) -> bool {
    matches!(c,
        'ı' | 'ĸ' | 'ŀ' | 'Ŀ' | 'ŉ' | 'ſ' | '\u{180}'..='\u{19f}' | '\u{1a2}'..='\u{1ae}' | '\u{1b1}'..='\u{217}'
        | '\u{21c}'..='\u{2ff}' | '\u{37e}' | '\u{387}' | '\u{589}' | '\u{1d00}'..='\u{1dbf}'
        | '\u{2010}'..='\u{2015}' | '\u{2024}'..='\u{2027}' | '\u{2032}' | '\u{2035}' | '\u{2039}' | '\u{203a}'
        | '\u{2043}'..='\u{2044}' | '\u{2052}' | '\u{2070}'..='\u{209f}' | '\u{2100}'..='\u{214f}'
        | '\u{2160}'..='\u{218b}' | '\u{2212}' | '\u{2215}'..='\u{2219}' | '\u{2223}' | '\u{2236}' | '\u{223c}'
        | '\u{2460}'..='\u{24ff}' | '\u{2768}'..='\u{2775}' | '\u{2796}' | '\u{27cb}' | '\u{27cd}'
        | '\u{29f5}'..='\u{29f9}' | '\u{2c60}'..='\u{2c7f}' | '\u{2cba}' | '\u{a717}'..='\u{a7ff}'
        | '\u{ab30}'..='\u{ab6f}' | '\u{fb00}'..='\u{fb06}' | '\u{fe10}'..='\u{fe6f}' | '\u{ff00}'..='\u{ffef}'
        | '\u{1d400}'..='\u{1d7ff}' | '\u{1f100}'..='\u{1f1ff}')
}

/// The signs of our own screens, and whatever frames are drawn with.
fn is_of_ours(c: char) -> bool {
    matches!(c, '∅' | '\u{2190}'..='\u{21ff}' | '\u{2400}'..='\u{243f}' | '\u{2500}'..='\u{25ff}' | '\u{2800}'..='\u{28ff}')
}

/// Characters that terminals draw together with the one beside them.
fn joins(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11ff}' | '\u{a960}'..='\u{a97f}' | '\u{d7b0}'..='\u{d7ff}' | '\u{1f3fb}'..='\u{1f3ff}')
}

/// Letters and digits of scripts that run from right to left. They reorder what stands beside them without any mark.
fn runs_leftwards(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_look_like_others_are_found() {
        let check = |text: &str, want: &[char]| {
            let found: Vec<char> = strange(text)
                .iter()
                .map(|at| text.get(*at..).unwrap().chars().next().unwrap())
                .collect();
            assert_eq!(found, want, "{text}");
        };
        check("origin", &[]);
        check("größe", &[]);
        check("gi\u{442}hub.com", &['\u{442}']);
        check("p\u{430}yp\u{430}l", &['\u{430}', '\u{430}']);
        check("\u{441}\u{43e}\u{440}", &['\u{441}', '\u{43e}', '\u{440}']); // reads as "cop"
        check("привет", &[]);
        check("Gitのテスト", &[]);
        check("한국어x", &[]);
        check("\u{3bf}pen", &['\u{3bf}']);
        check("a-\u{430}", &['\u{430}']);
        check("ŋo", &[]);
    }

    #[test]
    fn signs_in_another_dress_are_written_out() {
        for c in "–—−／⁄∕…ｒ𝐫ⓡ№ıɡ│█↩␠∅🇩אب٣\u{1100}\u{1f3fd}".chars() {
            assert!(is_ambiguous(c), "{c:?}");
        }
        for c in "-/.:aßñ’“”°µ日本🎉жλ".chars() {
            assert!(!is_ambiguous(c), "{c:?}");
        }
    }
}
