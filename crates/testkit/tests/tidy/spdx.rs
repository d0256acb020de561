//! SPDX licence expressions, as `Cargo.toml` files write them, the old `MIT/Apache-2.0` included.

/// A licence expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expression {
    /// One licence, with the exception that goes with it.
    Licence { id: String, exception: Option<String> },
    /// Both apply.
    And(Box<Expression>, Box<Expression>),
    /// The user chooses.
    Or(Box<Expression>, Box<Expression>),
}

impl Expression {
    /// Parses an expression. `AND` binds closer than `OR`, `WITH` closer than both.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let spaced = text.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
        let tokens: Vec<&str> = spaced.split_whitespace().collect();
        let mut parser = Parser { tokens: &tokens };
        let expression = parser.or()?;
        match parser.tokens.first() {
            None => Ok(expression),
            Some(token) => Err(format!("'{token}' is left over")),
        }
    }

    /// Returns whether some choice consists of licences that `allowed` takes.
    pub(crate) fn is_allowed(&self, allowed: &dyn Fn(&str, Option<&str>) -> bool) -> bool {
        match self {
            Self::Licence { id, exception } => allowed(id, exception.as_deref()),
            Self::And(a, b) => a.is_allowed(allowed) && b.is_allowed(allowed),
            Self::Or(a, b) => a.is_allowed(allowed) || b.is_allowed(allowed),
        }
    }
}

struct Parser<'a> {
    tokens: &'a [&'a str],
}

impl Parser<'_> {
    fn or(&mut self) -> Result<Expression, String> {
        let mut left = self.and()?;
        while self.eat("OR") {
            left = Expression::Or(Box::new(left), Box::new(self.and()?));
        }
        Ok(left)
    }

    fn and(&mut self) -> Result<Expression, String> {
        let mut left = self.one()?;
        while self.eat("AND") {
            left = Expression::And(Box::new(left), Box::new(self.one()?));
        }
        Ok(left)
    }

    fn one(&mut self) -> Result<Expression, String> {
        if self.eat("(") {
            let inside = self.or()?;
            return if self.eat(")") {
                Ok(inside)
            } else {
                Err("a ')' is missing".into())
            };
        }
        let id = self.name("a licence")?;
        let exception = if self.eat("WITH") {
            Some(self.name("an exception")?)
        } else {
            None
        };
        Ok(Expression::Licence { id, exception })
    }

    fn name(&mut self, what: &str) -> Result<String, String> {
        match self.tokens.split_first() {
            Some((name, rest)) if !matches!(*name, "AND" | "OR" | "WITH" | "(" | ")") => {
                self.tokens = rest;
                Ok((*name).to_owned())
            }
            Some((other, _)) => Err(format!("expected {what}, got '{other}'")),
            None => Err(format!("expected {what}, got the end")),
        }
    }

    fn eat(&mut self, token: &str) -> bool {
        let Some((first, rest)) = self.tokens.split_first() else {
            return false;
        };
        let same = *first == token;
        if same {
            self.tokens = rest;
        }
        same
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fully bracketed, so that the table shows what binds to what.
    fn shown(expression: &Expression) -> String {
        match expression {
            Expression::Licence { id, exception: None } => id.clone(),
            Expression::Licence {
                id,
                exception: Some(exception),
            } => format!("{id}+{exception}"),
            Expression::And(a, b) => format!("({} & {})", shown(a), shown(b)),
            Expression::Or(a, b) => format!("({} | {})", shown(a), shown(b)),
        }
    }

    #[test]
    fn expressions_are_parsed() {
        fn check(text: &str, expected: Result<&str, &str>) {
            let parsed = Expression::parse(text).map(|expression| shown(&expression));
            assert_eq!(parsed.as_deref().map_err(String::as_str), expected, "of {text:?}");
        }
        check("MIT", Ok("MIT"));
        check("MIT OR Apache-2.0", Ok("(MIT | Apache-2.0)"));
        check("MIT/Apache-2.0", Ok("(MIT | Apache-2.0)"));
        check("A AND B OR C AND D", Ok("((A & B) | (C & D))"));
        check(
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            Ok("((MIT | Apache-2.0) & Unicode-3.0)"),
        );
        check(
            "Apache-2.0 WITH LLVM-exception OR MIT",
            Ok("(Apache-2.0+LLVM-exception | MIT)"),
        );
        check("", Err("expected a licence, got the end"));
        check("MIT OR", Err("expected a licence, got the end"));
        check("(MIT", Err("a ')' is missing"));
        check("MIT Apache-2.0", Err("'Apache-2.0' is left over"));
        check("A WITH OR B", Err("expected an exception, got 'OR'"));
    }
}
