//! Texts that people have written, in whatever editor: in UTF-8, with a byte-order mark before it or without.

use crate::cli::files;
use std::io;
use std::path::Path;

/// What some editors put before a text in UTF-8. It says nothing of it.
pub const BYTE_ORDER_MARK: char = '\u{feff}';

/// What a file that cannot be read had to be: one of `others`, which stand for more, where there is none of
/// the name, and readable else.
pub fn expected(others: &str, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => format!("{others}, or a readable file ({error})"),
        _ => format!("a readable file ({error})"),
    }
}

/// The text of a regular file, of at most so many bytes, without a byte-order mark.
///
/// # Errors
/// As those of [`files::read`], and when it is no UTF-8; the error names UTF-16 where it is that.
pub fn read(path: &Path, most: u64) -> io::Result<String> {
    of(files::read(path, most)?)
}

/// The text that these bytes are, without a byte-order mark.
///
/// # Errors
/// When they are no UTF-8.
pub fn of(bytes: Vec<u8>) -> io::Result<String> {
    let refused = |words: String| io::Error::new(io::ErrorKind::InvalidData, words);
    if is_utf16(&bytes) {
        return Err(refused("UTF-16: expected UTF-8".to_owned()));
    }
    let text =
        String::from_utf8(bytes).map_err(|error| refused(format!("no text: {}", error.utf8_error())))?;
    Ok(match text.strip_prefix(BYTE_ORDER_MARK) {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

/// Whether the bytes begin as UTF-16 does: with its mark, or with a letter of ASCII in either order of bytes.
pub fn is_utf16(bytes: &[u8]) -> bool {
    matches!(bytes, [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, 1..=0x7f, ..] | [1..=0x7f, 0, ..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_text() {
        let read = |text: &str| of(text.as_bytes().to_vec()).unwrap();
        assert_eq!(read("\u{feff}game pig\n"), "game pig\n");
        assert_eq!((read("game pig"), read("")), ("game pig".to_owned(), String::new()));
        assert_eq!(read("\u{feff}\u{feff}x"), "\u{feff}x", "there is one");
    }

    #[test]
    fn utf_16_is_named() {
        let units = |text: &str, bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect();
        for bytes in [
            units("\u{feff}game", u16::to_le_bytes),
            units("\u{feff}game", u16::to_be_bytes),
            units("game", u16::to_le_bytes),
            units("game", u16::to_be_bytes),
        ] {
            let error = of(bytes).unwrap_err();
            assert!(error.to_string().starts_with("UTF-16: expected UTF-8"), "{error}");
        }
        assert!(of(b"caf\xe9".to_vec()).unwrap_err().to_string().starts_with("no text: "));
    }
}
