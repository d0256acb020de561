//! BM25 over a few weighted fields, with near misses counted for less.
//!
//! A word of the query counts where it stands as it is, where a word that means the same stands, where it is the
//! start of one, and where a typo away is one. Every word of the query that is found anywhere lifts the whole.

use std::collections::HashMap;

use super::words::{Word, words};

/// How soon more of the same word stops counting, and how much long texts are held back.
const SATURATION: f64 = 1.2;
const LENGTH: f64 = 0.4;
/// What a match is worth that is not to the letter.
const SAME_MEANING: f64 = 0.7;
const PREFIX: f64 = 0.6;
const TYPO: f64 = 0.5;
/// How much it matters that all words of the query are found.
const COVERAGE: f64 = 2.0;

/// The most words of a query that are looked for: each is held against every word that there is.
const MOST_WORDS: usize = 32;

/// What a text says about a command, and so what a match in it is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// The words one types to call it.
    Name,
    /// What it does.
    Description,
    /// Words to find it by.
    Tags,
    /// Options, arguments, examples.
    Detail,
}

impl Field {
    const fn weight(self) -> f64 {
        match self {
            Self::Name => 3.0,
            Self::Description => 2.0,
            Self::Tags => 1.5,
            Self::Detail => 0.5,
        }
    }
}

/// One match.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// Which document, in the order they were added.
    pub document: usize,
    /// How well it fits. Only the order means something.
    pub score: f64,
}

/// Documents that can be searched.
#[derive(Debug, Default)]
pub struct Index {
    /// For each word: which documents have it, and how weightily.
    postings: HashMap<String, Vec<(usize, f64)>>,
    /// The words that stand for each concept.
    concepts: HashMap<String, Vec<String>>,
    lengths: Vec<f64>,
}

impl Index {
    /// Adds a document; its number is how many there were before.
    pub fn add<'a>(&mut self, fields: impl IntoIterator<Item = (Field, &'a str)>) {
        let document = self.lengths.len();
        let mut weights: HashMap<String, f64> = HashMap::new();
        let mut length = 0.0;
        for (field, text) in fields {
            for Word { stem, concept } in words(text) {
                let stems = self.concepts.entry(concept).or_default();
                if !stems.contains(&stem) {
                    stems.push(stem.clone());
                }
                *weights.entry(stem).or_default() += field.weight();
                length += 1.0;
            }
        }
        for (stem, weight) in weights {
            self.postings.entry(stem).or_default().push((document, weight));
        }
        self.lengths.push(length);
    }

    /// Returns the documents that fit `query`, the best first.
    pub fn search(&self, query: &str, limit: usize) -> Vec<Hit> {
        let mut query = words(query);
        query.truncate(MOST_WORDS);
        let mut scores: HashMap<usize, (f64, usize)> = HashMap::new();
        for word in &query {
            for (document, score) in self.score(word) {
                let (total, found) = scores.entry(document).or_default();
                *total += score;
                *found += 1;
            }
        }
        let wanted = f64::from(u32::try_from(query.len().max(1)).unwrap_or(u32::MAX));
        let covered = |found: usize| f64::from(u32::try_from(found).unwrap_or(u32::MAX)) / wanted;
        let mut hits: Vec<Hit> = scores
            .into_iter()
            .map(|(document, (score, found))| Hit {
                document,
                score: score * covered(found).powf(COVERAGE),
            })
            .collect();
        hits.sort_by(|one, other| {
            other
                .score
                .total_cmp(&one.score)
                .then(one.document.cmp(&other.document))
        });
        hits.truncate(limit);
        hits
    }

    /// Scores one word of the query: per document, the best of its matches.
    fn score(&self, word: &Word) -> HashMap<usize, f64> {
        let mut best: HashMap<usize, f64> = HashMap::new();
        let average = self.average();
        for (stem, worth) in self.matches(word) {
            let Some(postings) = self.postings.get(stem) else {
                continue;
            };
            let rarity = self.rarity(postings.len());
            for &(document, weight) in postings {
                let length = self.lengths.get(document).copied().unwrap_or_default();
                let held = SATURATION * (1.0 - LENGTH + LENGTH * length / average);
                let score = worth * rarity * weight * (SATURATION + 1.0) / (weight + held);
                let known = best.entry(document).or_default();
                *known = known.max(score);
            }
        }
        best
    }

    /// Returns the words of the index that `word` may mean, with what each is worth.
    fn matches<'a>(&'a self, word: &Word) -> Vec<(&'a str, f64)> {
        let mut found: Vec<(&str, f64)> = Vec::new();
        if let Some((stem, _)) = self.postings.get_key_value(&word.stem) {
            found.push((stem, 1.0));
        }
        let same = self.concepts.get(&word.concept).into_iter().flatten();
        found.extend(same.map(|stem| (stem.as_str(), SAME_MEANING)));
        let exact = !found.is_empty();
        for stem in self.postings.keys() {
            if stem.len() > word.stem.len() && word.stem.len() >= 3 && stem.starts_with(&word.stem) {
                found.push((stem, PREFIX));
            } else if !exact && is_typo(stem, &word.stem) {
                // Where the word itself is there, a near one is another word.
                found.push((stem, TYPO));
            }
        }
        found
    }

    /// A word that few documents have says more.
    fn rarity(&self, having: usize) -> f64 {
        let all = f64::from(u32::try_from(self.lengths.len()).unwrap_or(u32::MAX));
        let having = f64::from(u32::try_from(having).unwrap_or(u32::MAX));
        (1.0 + (all - having + 0.5) / (having + 0.5)).ln()
    }

    fn average(&self) -> f64 {
        let all = f64::from(u32::try_from(self.lengths.len().max(1)).unwrap_or(u32::MAX));
        (self.lengths.iter().sum::<f64>() / all).max(1.0)
    }
}

/// Whether one is the other with a slip: one for short words, two for long ones, none for the shortest.
fn is_typo(one: &str, other: &str) -> bool {
    let length = one.chars().count().min(other.chars().count());
    let slips = match length {
        0..=3 => return false,
        4..=7 => 1,
        _ => 2,
    };
    one.len().abs_diff(other.len()) <= slips && strsim::osa_distance(one, other) <= slips
}

#[cfg(test)]
mod tests {
    use argrail_testkit::assert_growth;

    use super::*;

    const COMMANDS: [(&str, &str, &str); 12] = [
        ("gh pr create", "Create a pull request", "--title --body --draft"),
        ("gh pr list", "List pull requests", "--state open closed merged"),
        ("gh pr merge", "Merge a pull request", "--squash --rebase"),
        ("gh issue create", "Create a new issue", "--title --label"),
        ("gh repo clone", "Clone a repository locally", ""),
        ("kubectl get", "Display resources", "pods services --namespace"),
        ("kubectl delete", "Delete resources", "--force --grace-period"),
        (
            "kubectl exec",
            "Execute a command in a container",
            "--stdin --tty",
        ),
        (
            "terraform plan",
            "Show what would change in the infrastructure",
            "-out",
        ),
        (
            "terraform destroy",
            "Destroy all managed infrastructure",
            "-auto-approve",
        ),
        (
            "tar",
            "Pack files into an archive, and unpack them",
            "--extract --create --file",
        ),
        (
            "curl",
            "Transfer data from or to a server",
            "--output download a URL",
        ),
    ];

    fn index() -> Index {
        let mut index = Index::default();
        for (name, description, detail) in COMMANDS {
            index.add([
                (Field::Name, name),
                (Field::Description, description),
                (Field::Detail, detail),
            ]);
        }
        index
    }

    #[test]
    fn an_intent_finds_its_command() {
        let index = index();
        let check = |query: &str, want: &str| {
            let hits = index.search(query, 5);
            let names: Vec<_> = hits.iter().map(|hit| COMMANDS[hit.document].0).collect();
            assert_eq!(names.first(), Some(&want), "{query:?}: {names:?}");
        };
        check("open a pull request", "gh pr create");
        check("show all PRs", "gh pr list");
        check("squash and merge", "gh pr merge");
        check("file a bug ticket", "gh issue create");
        check("remove a pod", "kubectl delete");
        check("run a command inside a container", "kubectl exec");
        check("downlod a url", "curl"); // a typo
        check("unpack an archive", "tar");
        check("terafrom plan", "terraform plan");
        check("tear down infrastructure", "terraform destroy");
        check("kubectl g", "kubectl get");
    }

    #[test]
    fn nothing_is_found_for_nothing() {
        let index = index();
        assert!(index.search("", 5).is_empty());
        assert!(index.search("how do i", 5).is_empty());
        assert!(index.search("xylophone", 5).is_empty());
        assert!(Index::default().search("pr", 5).is_empty());
        assert_eq!(index.search("pull request", 2).len(), 2);
    }

    #[test]
    fn many_documents_and_many_words_are_searched_in_time() {
        let words: Vec<String> = (0..20_000).map(|at| format!("run word{at}")).collect();
        let words = words.join(" ");
        let index = |documents: usize| {
            let mut index = Index::default();
            for at in 0..documents {
                let name = format!("demo c{at}");
                index.add([(Field::Name, name.as_str()), (Field::Description, "Runs it")]);
            }
            index
        };
        // Eight times as many documents; sixty-four times as long where each is compared with each.
        assert_growth("documents", &index(4_000), &index(32_000), 32.0, |index| {
            assert_eq!(index.search(&words, 3).len(), 3);
        });
    }
}
