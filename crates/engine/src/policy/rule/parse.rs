//! Reading rules: from text to what it means, or to the place where it is wrong.

use std::fmt;

use crate::policy::settings::nearest;

use super::{Expr, METRICS, Op, Rule};

/// What is wrong with a rule, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleError {
    /// The rule as written.
    pub rule: String,
    /// Where the wrong part begins, in characters.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for RuleError {
    /// The message, the rule, and marks under the place.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let marks = "^".repeat(self.to.saturating_sub(self.from).max(1));
        write!(f, "{}\n  {}\n  {}{marks}", self.message, self.rule, " ".repeat(self.from))
    }
}

/// A rule.
pub fn rule(text: &str) -> Result<Rule, RuleError> {
    let mut parser = Parser { text, tokens: tokens(text)?, at: 0 };
    parser.word("if")?;
    let condition = parser.condition()?;
    parser.word("then")?;
    let sign = parser.action()?;
    let amount = parser.amount()?;
    parser.end()?;
    Ok(Rule { text: text.to_owned(), condition, amount, sign })
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    Number(f64),
    Sign(&'static str),
}

type Placed = (Token, usize, usize);

const SIGNS: [&str; 13] = [">=", "<=", "==", "!=", ">", "<", "=", "+", "-", "*", "/", "(", ")"];

fn error(text: &str, from: usize, to: usize, message: impl Into<String>) -> RuleError {
    RuleError { rule: text.to_owned(), from, to, message: message.into() }
}

fn tokens(text: &str) -> Result<Vec<Placed>, RuleError> {
    let letters: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        let from = at;
        let run = |from: usize, fits: fn(char) -> bool| {
            letters[from..].iter().position(|c| !fits(*c)).map_or(letters.len(), |n| from + n)
        };
        let letter = letters[at];
        if letter.is_whitespace() {
            at += 1;
            continue;
        }
        let token = if letter.is_ascii_digit() || letter == '.' {
            at = run(from, |c| c.is_ascii_digit() || c == '.');
            let digits: String = letters[from..at].iter().collect();
            let number =
                digits.parse().map_err(|_| error(text, from, at, format!("'{digits}' is not a number")))?;
            Token::Number(number)
        } else if letter.is_alphabetic() || letter == '_' {
            at = run(from, |c| c.is_alphanumeric() || c == '_');
            Token::Word(letters[from..at].iter().collect())
        } else {
            let rest: String = letters[from..].iter().take(2).collect();
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            let sign =
                sign.ok_or_else(|| error(text, from, from + 1, format!("'{letter}' means nothing here")))?;
            at += sign.len();
            Token::Sign(sign)
        };
        tokens.push((token, from, at));
    }
    Ok(tokens)
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Placed>,
    at: usize,
}

/// An expression with what it is and where it stands.
struct Part {
    expr: Expr,
    is_condition: bool,
    from: usize,
    to: usize,
}

/// How tightly operators bind, loosest first.
const LEVELS: [&[(&str, Op)]; 5] = [
    &[("or", Op::Or)],
    &[("and", Op::And)],
    &[
        (">=", Op::AtLeast),
        ("<=", Op::AtMost),
        ("==", Op::Is),
        ("!=", Op::IsNot),
        (">", Op::Above),
        ("<", Op::Below),
        ("=", Op::Is),
    ],
    &[("+", Op::Plus), ("-", Op::Less)],
    &[("*", Op::Times), ("/", Op::Per)],
];
const COMPARISONS: usize = 2;
/// Deeper than this nobody writes.
const DEPTH_MOST: usize = 64;

impl Parser<'_> {
    fn here(&self) -> (usize, usize) {
        let end = self.text.chars().count();
        self.tokens.get(self.at).map_or((end, end + 1), |(_, from, to)| (*from, *to))
    }

    fn wrong<T>(&self, message: impl Into<String>) -> Result<T, RuleError> {
        let (from, to) = self.here();
        Err(error(self.text, from, to, message))
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(token, ..)| token)
    }

    fn word(&mut self, word: &str) -> Result<(), RuleError> {
        match self.peek() {
            Some(Token::Word(found)) if found == word => {
                self.at += 1;
                Ok(())
            }
            _ => self.wrong(format!("'{word}' is expected here")),
        }
    }

    fn action(&mut self) -> Result<f64, RuleError> {
        let sign = match self.peek() {
            Some(Token::Word(word)) if word == "recruit" => 1.0,
            Some(Token::Word(word)) if word == "release" => -1.0,
            _ => return self.wrong("'recruit' or 'release' is expected here"),
        };
        self.at += 1;
        Ok(sign)
    }

    fn condition(&mut self) -> Result<Expr, RuleError> {
        let part = self.level(0, 0)?;
        self.want(part, true)
    }

    fn amount(&mut self) -> Result<Expr, RuleError> {
        let part = self.level(0, 0)?;
        self.want(part, false)
    }

    /// Refuses a number where a condition is meant, and the other way round.
    fn want(&self, part: Part, condition: bool) -> Result<Expr, RuleError> {
        match (part.is_condition, condition) {
            (false, true) => {
                Err(error(self.text, part.from, part.to, "this is a number; a comparison is expected here"))
            }
            (true, false) => {
                Err(error(self.text, part.from, part.to, "this is a condition; a number is expected here"))
            }
            _ => Ok(part.expr),
        }
    }

    fn operator(&self, level: usize) -> Option<Op> {
        let found = match self.peek()? {
            Token::Word(word) => word.as_str(),
            Token::Sign(sign) => sign,
            Token::Number(_) => return None,
        };
        LEVELS[level].iter().find(|(sign, _)| *sign == found).map(|(_, op)| *op)
    }

    fn level(&mut self, level: usize, depth: usize) -> Result<Part, RuleError> {
        if level == LEVELS.len() {
            return self.single(depth);
        }
        let mut left = self.level(level + 1, depth)?;
        while let Some(op) = self.operator(level) {
            self.at += 1;
            let right = self.level(level + 1, depth)?;
            let (from, to) = (left.from, right.to);
            let joins_conditions = level < COMPARISONS;
            let a = Box::new(self.want(left, joins_conditions)?);
            let b = Box::new(self.want(right, joins_conditions)?);
            left = Part { expr: Expr::Both(op, a, b), is_condition: level <= COMPARISONS, from, to };
        }
        Ok(left)
    }

    fn single(&mut self, depth: usize) -> Result<Part, RuleError> {
        if depth > DEPTH_MOST {
            return self.wrong("too deeply nested");
        }
        let (from, to) = self.here();
        let part = |expr, is_condition, to| Part { expr, is_condition, from, to };
        match self.peek().cloned() {
            Some(Token::Number(number)) => {
                self.at += 1;
                Ok(part(Expr::Number(number), false, to))
            }
            Some(Token::Sign("(")) => {
                self.at += 1;
                let inner = self.level(0, depth + 1)?;
                let end = self.here().1;
                if self.peek() != Some(&Token::Sign(")")) {
                    return self.wrong("')' is expected here");
                }
                self.at += 1;
                Ok(part(inner.expr, inner.is_condition, end))
            }
            Some(Token::Sign("-")) => {
                self.at += 1;
                let inner = self.single(depth + 1)?;
                let to = inner.to;
                let inner = self.want(inner, false)?;
                Ok(part(Expr::Minus(Box::new(inner)), false, to))
            }
            Some(Token::Word(word)) if word == "not" => {
                self.at += 1;
                let inner = self.level(COMPARISONS, depth + 1)?;
                let to = inner.to;
                let inner = self.want(inner, true)?;
                Ok(part(Expr::Not(Box::new(inner)), true, to))
            }
            Some(Token::Word(word)) => {
                let metric = self.metric(&word)?;
                Ok(part(Expr::Metric(metric), false, to))
            }
            _ => self.wrong("a metric, a number or '(' is expected here"),
        }
    }

    fn metric(&mut self, word: &str) -> Result<usize, RuleError> {
        if let Some(metric) = METRICS.iter().position(|metric| metric.name == word) {
            self.at += 1;
            return Ok(metric);
        }
        let names = METRICS.iter().map(|metric| metric.name);
        let known: Vec<&str> = names.clone().collect();
        match nearest(word, names) {
            Some(near) => self.wrong(format!("'{word}' is not known (did you mean '{near}'?)")),
            None => self.wrong(format!("'{word}' is not known; there are {}", known.join(", "))),
        }
    }

    fn end(&self) -> Result<(), RuleError> {
        if self.at < self.tokens.len() {
            self.wrong("nothing is expected after the number of workers")
        } else {
            Ok(())
        }
    }
}
