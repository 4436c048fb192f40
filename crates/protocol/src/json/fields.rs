//! Takes the fields of an object one by one, so that an error can name the wrong one.

use serde_json::{Map, Value};

use super::{RefusalReply, Warning};
use crate::ProtocolError;

/// The longest `id`, in bytes. There is a limit because the `id` is repeated in every answer.
const MAX_ID: usize = 256;

/// The fields of an object that have not been taken yet.
pub(super) struct Fields {
    /// The query to which errors and warnings belong.
    pub id: String,
    left: Map<String, Value>,
}

impl Fields {
    /// Reads a line as an object with an `id`.
    pub fn read(line: &str) -> Result<Self, RefusalReply> {
        let alone = |field: Option<&str>, actual: &str, expected: &str| RefusalReply {
            id: None,
            field: field.map(str::to_owned),
            error: ProtocolError::new(actual, expected).to_string(),
        };
        let object = "an object of JSON on one line, as in {\"id\":\"1\",\"moves\":[\"@4\"]}";
        let Ok(Value::Object(mut left)) = serde_json::from_str(line) else {
            return Err(alone(None, line, object));
        };
        match left.remove("id") {
            Some(Value::String(id)) if id.len() <= MAX_ID => Ok(Self { id, left }),
            actual => {
                let actual = actual.map_or_else(String::new, |value| value.to_string());
                let expected = format!("a text of at most {MAX_ID} bytes");
                Err(alone(Some("id"), &actual, &expected))
            }
        }
    }

    /// The refusal of a field whose value is wrong.
    pub fn refusal(&self, field: &str, error: impl Into<String>) -> RefusalReply {
        let (id, field) = (self.id.clone(), field.to_owned());
        RefusalReply { id: Some(id), field: Some(field), error: error.into() }
    }

    /// Takes out a field; `None` where it is missing or `null`. `expected` completes "expected …".
    pub fn take<T>(
        &mut self,
        field: &str,
        expected: &str,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> Result<Option<T>, RefusalReply> {
        match self.left.remove(field) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => read(&value).map(Some).ok_or_else(|| {
                self.refusal(field, ProtocolError::new(&value.to_string(), expected).to_string())
            }),
        }
    }

    /// Takes out a whole number from `least` to `most`.
    pub fn number(
        &mut self,
        field: &str,
        least: i64,
        most: i64,
    ) -> Result<Option<i64>, RefusalReply> {
        let expected = format!("a whole number from {least} to {most}");
        let read = |value: &Value| value.as_i64().filter(|actual| (least..=most).contains(actual));
        self.take(field, &expected, read)
    }

    /// Takes out a text.
    pub fn text(&mut self, field: &str) -> Result<Option<String>, RefusalReply> {
        self.take(field, "a text", |value| value.as_str().map(str::to_owned))
    }

    /// Takes out `true` or `false`.
    pub fn flag(&mut self, field: &str) -> Result<Option<bool>, RefusalReply> {
        self.take(field, "true or false", Value::as_bool)
    }

    /// Takes out a list of numbers of turns, each from 0 to `most` and none twice.
    pub fn turns(&mut self, field: &str, most: usize) -> Result<Option<Vec<usize>>, RefusalReply> {
        let expected = format!("a list of different whole numbers from 0 to {most}");
        let number = |value: &Value| {
            let number = usize::try_from(value.as_u64()?).ok()?;
            (number <= most).then_some(number)
        };
        self.take(field, &expected, |value| {
            let turns: Vec<usize> = value.as_array()?.iter().map(number).collect::<Option<_>>()?;
            let mut sorted = turns.clone();
            sorted.sort_unstable();
            sorted.dedup();
            (sorted.len() == turns.len() && !turns.is_empty()).then_some(turns)
        })
    }

    /// A warning for each field that has not been taken.
    pub fn unknown(self) -> Vec<Warning> {
        let Self { id, left } = self;
        let warning = |field: String| Warning {
            id: id.clone(),
            warning: ProtocolError::new(&field, "a field of the protocol; it is not used")
                .to_string(),
            field,
        };
        left.into_iter().map(|(field, _)| warning(field)).collect()
    }
}
