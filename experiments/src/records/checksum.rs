//! The checksum that ends a line: the last key of its object, the CRC-32 of all that stands before it. In an
//! archive it is empty: digits at random would be a tenth of it, and it has a checksum of its own.

use std::fmt::Write;

/// What stands between a line's own keys and its checksum.
const KEY: &str = ",\"crc32\":\"";

/// How many digits the checksum has.
const DIGITS: usize = 8;

/// What stands after it.
const END: &str = "\"}";

/// The line with its checksum; it has to be a JSON object with keys, without spaces around it.
#[must_use]
pub fn add(mut line: String) -> String {
    line.pop();
    let sum = sum(&line);
    // Writing to a String does not fail.
    let _ = write!(line, "{KEY}{sum}{END}");
    line
}

/// The line with its checksum left empty.
pub(super) fn emptied(line: &str) -> String {
    match parts(line) {
        Some((own, _)) => format!("{own}{KEY}{END}"),
        None => line.to_owned(),
    }
}

/// A line's own keys and the digits of its checksum, if it has one.
fn parts(line: &str) -> Option<(&str, &str)> {
    let text = line.strip_suffix(END)?;
    let place = text.len().checked_sub(DIGITS).filter(|&place| text.is_char_boundary(place));
    let (own, found) = place.map_or((text, ""), |place| text.split_at(place));
    match own.strip_suffix(KEY) {
        Some(own) => Some((own, found)),
        None => Some((text.strip_suffix(KEY)?, "")),
    }
}

/// Whether a line's checksum is left empty.
pub fn is_emptied(line: &str) -> bool {
    parts(line).is_some_and(|(_, found)| found.is_empty())
}

/// The line without its checksum, which has to be right or left empty; none where it has no checksum.
///
/// # Errors
/// When its checksum is another.
pub fn take(line: &str) -> Result<Option<String>, String> {
    let Some((own, found)) = parts(line) else { return Ok(None) };
    let sum = sum(own);
    if found == sum || found.is_empty() {
        Ok(Some(format!("{own}}}")))
    } else {
        Err(format!("its checksum is {found}, not {sum}: it was changed after it was written"))
    }
}

/// The CRC-32 of a text, as records have it: eight hexadecimal digits.
pub(super) fn sum(text: &str) -> String {
    format!("{:08x}", crc32fast::hash(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checksum_is_taken_off_again() {
        let line = r#"{"a":1,"b":"ö"}"#;
        let with = add(line.to_owned());
        assert_eq!(
            with,
            r#"{"a":1,"b":"ö","crc32":"0a5e2b6e"}"#
                .replace("0a5e2b6e", &with[with.len() - 10..with.len() - 2])
        );
        assert_eq!(take(&with).unwrap().as_deref(), Some(line));
        let empty = emptied(&with);
        assert_eq!(empty, r#"{"a":1,"b":"ö","crc32":""}"#);
        assert_eq!((take(&empty).unwrap().as_deref(), emptied(&empty)), (Some(line), empty.clone()));
        assert_eq!([line, &with, &empty].map(is_emptied), [false, false, true]);
        assert_eq!(emptied(line), line);
        for none in [line, "", "{}", "ö".repeat(20).as_str()] {
            assert_eq!(take(none).unwrap(), None);
        }
        // The check value of CRC-32, of the digits 1 to 9.
        assert_eq!(sum("123456789"), "cbf43926");
        assert!(take(&with.replace("\"a\":1", "\"a\":2")).unwrap_err().contains("checksum"));
    }
}
