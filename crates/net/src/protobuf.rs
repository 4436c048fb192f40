//! Messages of protocol buffers: the few kinds of fields that files for other programs take.

/// A message that grows, field by field, in the wire format of protocol buffers.
#[derive(Clone, Debug, Default)]
pub struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut number: u64) {
        while number >= 128 {
            self.0.push(number as u8 | 128);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// With a whole number: `int32`, `int64`, or an enumeration.
    #[must_use]
    pub fn number(mut self, field: u64, number: u64) -> Self {
        self.varint(field << 3);
        self.varint(number);
        self
    }

    /// With a `double`.
    #[must_use]
    pub fn double(mut self, field: u64, number: f64) -> Self {
        self.varint(field << 3 | 1);
        self.0.extend(number.to_le_bytes());
        self
    }

    /// With a `float`.
    #[must_use]
    pub fn float(mut self, field: u64, number: f32) -> Self {
        self.varint(field << 3 | 5);
        self.0.extend(number.to_le_bytes());
        self
    }

    /// With `bytes`.
    #[must_use]
    pub fn bytes(mut self, field: u64, bytes: &[u8]) -> Self {
        self.varint(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }

    /// With a `string`.
    #[must_use]
    pub fn text(self, field: u64, text: &str) -> Self {
        self.bytes(field, text.as_bytes())
    }

    /// With a message.
    #[must_use]
    pub fn message(self, field: u64, message: &Self) -> Self {
        self.bytes(field, &message.0)
    }

    /// The message as it is written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}
