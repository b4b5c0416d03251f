//! Numbers and texts out of bytes.

/// Bytes that are taken one after another; zeros where there are no more.
#[derive(Clone, Debug)]
pub struct Bytes<'b>(&'b [u8]);

impl<'b> Bytes<'b> {
    /// All of them are left.
    pub fn new(bytes: &'b [u8]) -> Self {
        Bytes(bytes)
    }

    /// Whether there are no more.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        self.array::<1>()[0]
    }

    /// A number below `end`, from one byte.
    pub fn below(&mut self, end: usize) -> usize {
        usize::from(self.byte()) % end.max(1)
    }

    /// One of the numbers from `least` to `greatest`, from one byte.
    pub fn within(&mut self, least: u32, greatest: u32) -> u32 {
        least + u32::from(self.byte()) % (greatest - least + 1)
    }

    /// A number of two bytes.
    pub fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.array())
    }

    /// A number of four bytes.
    pub fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.array())
    }

    /// A number of eight bytes.
    pub fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.array())
    }

    /// The next so many bytes, or fewer where there are no more.
    pub fn take(&mut self, count: usize) -> &'b [u8] {
        let (taken, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        taken
    }

    /// What stands before the next `end`, which is passed over.
    pub fn until(&mut self, end: u8) -> &'b [u8] {
        let length = self.0.iter().position(|&byte| byte == end).unwrap_or(self.0.len());
        let taken = self.take(length);
        self.take(1);
        taken
    }

    fn array<const N: usize>(&mut self) -> [u8; N] {
        let mut array = [0; N];
        let taken = self.take(N);
        array[..taken.len()].copy_from_slice(taken);
        array
    }
}

/// The bytes as a text; what is none is replaced.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A text in which `\n` and `\0` stand for what cannot stand in a line of the corpus.
pub fn unescaped(text: &str) -> String {
    text.replace("\\n", "\n").replace("\\0", "\0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_taken_in_their_order_and_never_end() {
        let mut bytes = Bytes::new(&[1, 2, 3, b'a', b'b', b'\n', b'c']);
        assert_eq!((bytes.byte(), bytes.u16()), (1, 0x302));
        assert_eq!(
            (bytes.until(b'\n'), bytes.until(b'\n'), bytes.until(b'\n')),
            (&b"ab"[..], &b"c"[..], &b""[..])
        );
        assert!(bytes.is_empty());
        assert_eq!((bytes.byte(), bytes.u64(), bytes.below(0), bytes.within(3, 5)), (0, 0, 0, 3));
    }
}
