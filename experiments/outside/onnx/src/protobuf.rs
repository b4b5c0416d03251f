//! The two kinds of protobuf fields that a model takes, written by hand: that is less than what a compiler
//! of schemas needs.

/// A message under construction.
#[derive(Clone, Debug, Default)]
pub struct Message(Vec<u8>);

/// How a field's value is written.
const NUMBER: u64 = 0;
const BYTES: u64 = 2;

impl Message {
    /// A message without fields.
    pub fn new() -> Self {
        Message::default()
    }

    /// The same with a field that is a number.
    #[must_use]
    pub fn number(mut self, field: u64, value: u64) -> Self {
        self.varint(field << 3 | NUMBER);
        self.varint(value);
        self
    }

    /// The same with a field of bytes.
    #[must_use]
    pub fn bytes(mut self, field: u64, bytes: &[u8]) -> Self {
        self.varint(field << 3 | BYTES);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }

    /// The same with a field of text.
    #[must_use]
    pub fn text(self, field: u64, text: &str) -> Self {
        self.bytes(field, text.as_bytes())
    }

    /// The same with a field that is a message.
    #[must_use]
    pub fn message(self, field: u64, message: Message) -> Self {
        self.bytes(field, &message.0)
    }

    /// What is written to a file.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// Seven bits a byte, the lowest first; the top bit of a byte says that more follow.
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
}
