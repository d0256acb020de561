//! Values after binding: typed once at the edge, so that a handler cannot meet a bad one.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::error::Error;

/// An ISO 8601 date, or date and time, that exists (§7.2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DateTime {
    pub(crate) text: String,
    pub(crate) civil: jiff::civil::DateTime,
    pub(crate) instant: Option<jiff::Timestamp>,
}

impl DateTime {
    /// Returns it as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns date and time without an offset; a bare date is its midnight.
    pub fn civil(&self) -> jiff::civil::DateTime {
        self.civil
    }

    /// Returns the instant, if an offset or `Z` was given.
    pub fn instant(&self) -> Option<jiff::Timestamp> {
        self.instant
    }
}

/// One bound value.
#[derive(Debug, Clone, PartialEq)]
pub enum Typed {
    /// Text, a choice or a URL.
    Text(String),
    /// A whole number, or how often a flag was repeated.
    Integer(i64),
    /// A number.
    Number(f64),
    /// A boolean or a flag.
    Boolean(bool),
    /// A date, or date and time.
    DateTime(DateTime),
    /// Where a path argument really leads.
    Path(PathBuf),
    /// Any JSON.
    Json(Value),
    /// Several values.
    List(Vec<Typed>),
}

impl Typed {
    /// Returns the value as JSON.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Text(text) => text.as_str().into(),
            Self::Integer(number) => (*number).into(),
            Self::Number(number) => (*number).into(),
            Self::Boolean(truth) => (*truth).into(),
            Self::DateTime(when) => when.as_str().into(),
            Self::Path(path) => path.to_string_lossy().into_owned().into(),
            Self::Json(value) => value.clone(),
            Self::List(items) => items.iter().map(Self::to_json).collect(),
        }
    }
}

/// Where a value came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The command line.
    Typed,
    /// An environment variable.
    Env,
    /// The declared default.
    Default,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub(crate) id: Arc<str>,
    pub(crate) value: Typed,
    pub(crate) origin: Origin,
}

/// The bound arguments of one call, by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Args(pub(crate) Vec<Entry>);

impl Args {
    /// Returns the argument called `name`.
    ///
    /// `Option<T>` and `Vec<T>` are empty and `bool` is false when it was not given; any other type
    /// wants an argument that is required or has a default.
    ///
    /// # Errors
    /// Names the argument when the command does not declare it so; that is a bug of the program, not of the caller.
    pub fn get<'a, T: FromValue<'a>>(&'a self, name: &str) -> Result<T, Error> {
        let value = self.entry(name).map(|entry| &entry.value);
        T::from_value(value).ok_or_else(|| {
            Error::execution(Undeclared {
                name,
                wanted: std::any::type_name::<T>(),
            })
        })
    }

    /// Returns the value called `name`, if there is one.
    pub fn value(&self, name: &str) -> Option<&Typed> {
        self.entry(name).map(|entry| &entry.value)
    }

    /// Returns where the value called `name` came from.
    pub fn origin(&self, name: &str) -> Option<Origin> {
        self.entry(name).map(|entry| entry.origin)
    }

    /// Returns all values as a JSON object.
    pub fn to_json(&self) -> Value {
        let mut object = Map::new();
        for entry in &self.0 {
            object
                .entry(entry.id.as_ref())
                .or_insert_with(|| entry.value.to_json());
        }
        Value::Object(object)
    }

    fn entry(&self, name: &str) -> Option<&Entry> {
        self.0.iter().find(|entry| &*entry.id == name)
    }
}

struct Undeclared<'a> {
    name: &'a str,
    wanted: &'static str,
}

impl fmt::Display for Undeclared<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the handler wants argument {} as {}, which its command does not declare",
            self.name, self.wanted
        )
    }
}

/// A type that [`Args::get`] can return.
pub trait FromValue<'a>: Sized {
    /// Converts the value, or its absence.
    fn from_value(value: Option<&'a Typed>) -> Option<Self>;
}

macro_rules! from_value {
    ($($type:ty: $pattern:pat => $value:expr;)*) => {$(
        impl<'a> FromValue<'a> for $type {
            fn from_value(value: Option<&'a Typed>) -> Option<Self> {
                match value? { $pattern => $value, _ => None }
            }
        }
    )*};
}

from_value! {
    &'a str: Typed::Text(text) => Some(text);
    String: Typed::Text(text) => Some(text.clone());
    i64: Typed::Integer(number) => Some(*number);
    u64: Typed::Integer(number) => u64::try_from(*number).ok();
    u32: Typed::Integer(number) => u32::try_from(*number).ok();
    usize: Typed::Integer(number) => usize::try_from(*number).ok();
    f64: Typed::Number(number) => Some(*number);
    &'a DateTime: Typed::DateTime(when) => Some(when);
    DateTime: Typed::DateTime(when) => Some(when.clone());
    &'a Path: Typed::Path(path) => Some(path);
    PathBuf: Typed::Path(path) => Some(path.clone());
    &'a Value: Typed::Json(value) => Some(value);
    Value: Typed::Json(value) => Some(value.clone());
}

impl<'a> FromValue<'a> for bool {
    fn from_value(value: Option<&'a Typed>) -> Option<Self> {
        match value {
            Some(Typed::Boolean(truth)) => Some(*truth),
            Some(_) => None,
            None => Some(false),
        }
    }
}

impl<'a, T: FromValue<'a>> FromValue<'a> for Option<T> {
    fn from_value(value: Option<&'a Typed>) -> Option<Self> {
        match value {
            Some(_) => T::from_value(value).map(Some),
            None => Some(None),
        }
    }
}

impl<'a, T: FromValue<'a>> FromValue<'a> for Vec<T> {
    fn from_value(value: Option<&'a Typed>) -> Option<Self> {
        match value {
            Some(Typed::List(items)) => items.iter().map(|item| T::from_value(Some(item))).collect(),
            Some(_) => None,
            None => Some(Vec::new()),
        }
    }
}
