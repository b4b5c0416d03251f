//! What tells the states of a game written in Python apart: a hash of what the game says of each, and of its key.

use crate::arguments::shown;
use crate::ending::calling;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyBytes, PyFloat, PyFrozenSet, PyInt, PySet, PyString, PyTuple};
use siphasher::sip128::SipHasher13;
use starsplit::game::PositionHash;
use std::collections::HashSet;

/// What the game says of a state: its kind, its player, where it is the last its value for player 0, and how many
/// plies can follow at the most.
pub(crate) type Said = (u8, u8, f64, Option<u32>);

/// What tells a state from others.
#[derive(Clone, Copy)]
pub(crate) struct Key {
    pub(crate) hash: PositionHash,
    /// Whether it is more than a state of plain values, which tells all by itself.
    pub(crate) may_forget: bool,
}

impl Key {
    /// Adds what the game says of the state.
    pub(crate) fn add(&mut self, &(kind, player, value, full_depth): &Said) {
        let mut bytes = Vec::with_capacity(34);
        bytes.extend_from_slice(&self.hash.high.to_le_bytes());
        bytes.extend_from_slice(&self.hash.low.to_le_bytes());
        bytes.extend_from_slice(&[kind, player]);
        bytes.extend_from_slice(&value.to_bits().to_le_bytes());
        bytes.extend_from_slice(&full_depth.map_or(u64::MAX, u64::from).to_le_bytes());
        self.hash = hash_of(&bytes);
    }
}

fn hash_of(bytes: &[u8]) -> PositionHash {
    let found = SipHasher13::new().hash(bytes);
    PositionHash { high: found.h1, low: found.h2 }
}

/// Keys as bytes, no two of them the same: each part with a letter for its type, and its length.
#[derive(Default)]
pub(crate) struct KeyBytes<'py> {
    bytes: Vec<u8>,
    /// What is still to be done, the next last: so a key may be nested however deeply.
    open: Vec<Step<'py>>,
    /// The objects whose contents are being written, by their addresses.
    within: HashSet<usize>,
    /// Whether anything but plain values is in it.
    has_contents: bool,
}

enum Step<'py> {
    Write(Bound<'py, PyAny>),
    /// The contents of this have been written. It is kept until then, so that nothing else has its address.
    Leave(Bound<'py, PyAny>),
}

impl<'py> KeyBytes<'py> {
    /// How deeply sets may lie in one another.
    const MOST_SETS: usize = 64;

    /// The key of a state: what the game has made, or the state itself where that is None or nothing.
    ///
    /// # Errors
    /// A `TypeError` that names a part of which nothing tells all.
    pub(crate) fn key_of(
        &mut self,
        state: &Bound<'py, PyAny>,
        made: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Key> {
        let made = made.filter(|made| !made.is_none());
        self.bytes.clear();
        self.has_contents = false;
        self.bytes.push(if made.is_some() { b'K' } else { b'S' });
        self.write(made.unwrap_or(state), 0)?;
        Ok(Key { hash: hash_of(&self.bytes), may_forget: made.is_some() || self.has_contents })
    }

    /// Writes a key and all of its parts; it lies in so many sets.
    fn write(&mut self, key: &Bound<'py, PyAny>, sets: usize) -> PyResult<()> {
        self.open.clear();
        self.within.clear();
        self.open.push(Step::Write(key.clone()));
        while let Some(step) = self.open.pop() {
            match step {
                Step::Write(part) => self.write_part(&part, sets)?,
                Step::Leave(part) => drop(self.within.remove(&part.as_ptr().addr())),
            }
        }
        Ok(())
    }

    /// Writes a part. What lies within is written here or later, in an order that follows from what is written.
    fn write_part(&mut self, part: &Bound<'py, PyAny>, sets: usize) -> PyResult<()> {
        if let Ok(tuple) = part.cast_exact::<PyTuple>() {
            self.bytes.push(b't');
            self.bytes.extend_from_slice(&tuple.len().to_le_bytes());
            for part in tuple.iter_borrowed() {
                if !self.has_written(&part) {
                    self.bytes.push(b'l');
                    self.open.push(Step::Write(part.to_owned()));
                }
            }
            Ok(())
        } else if self.has_written(part) {
            Ok(())
        } else if part.is_exact_instance_of::<PySet>() || part.is_exact_instance_of::<PyFrozenSet>() {
            self.write_set(part, sets)
        } else {
            self.write_contents(part)
        }
    }

    /// Writes a part if nothing lies within.
    fn has_written(&mut self, part: &Bound<'py, PyAny>) -> bool {
        if let Ok(number) = part.cast_exact::<PyInt>()
            && let Ok(number) = number.extract::<i64>()
        {
            self.put(b'i', &number.to_le_bytes());
        } else if let Ok(string) = part.cast_exact::<PyString>()
            && let Ok(string) = string.to_cow()
        {
            self.put(b's', string.as_bytes());
        } else if let Ok(truth) = part.cast_exact::<PyBool>() {
            self.put(b'b', &[truth.is_true().into()]);
        } else if part.is_none() {
            self.put(b'n', &[]);
        } else if let Ok(number) = part.cast_exact::<PyFloat>() {
            self.put(b'f', &number.value().to_bits().to_le_bytes());
        } else if let Ok(bytes) = part.cast_exact::<PyBytes>() {
            self.put(b'y', bytes.as_bytes());
        } else {
            return false;
        }
        true
    }

    fn put(&mut self, letter: u8, text: &[u8]) {
        self.bytes.push(letter);
        self.bytes.extend_from_slice(&text.len().to_le_bytes());
        self.bytes.extend_from_slice(text);
    }

    /// Writes a set, whose own order says nothing.
    fn write_set(&mut self, set: &Bound<'py, PyAny>, sets: usize) -> PyResult<()> {
        if sets == Self::MOST_SETS {
            return Err(refused(set, "expected at most 64 sets in one another"));
        }
        let mut elements = Vec::new();
        for element in set.try_iter()? {
            let mut own = KeyBytes::default();
            own.write(&element?, sets + 1)?;
            self.has_contents |= own.has_contents;
            elements.push(own.bytes);
        }
        elements.sort_unstable();
        let letter = if set.is_instance_of::<PySet>() { b'e' } else { b'E' };
        self.put(letter, &elements.len().to_le_bytes());
        elements.iter().for_each(|element| self.put(b'e', element));
        Ok(())
    }

    /// Writes the type of what is none of the above, and has its contents written.
    fn write_contents(&mut self, part: &Bound<'py, PyAny>) -> PyResult<()> {
        static CONTENTS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let py = part.py();
        self.has_contents = true;
        if !self.within.insert(part.as_ptr().addr()) {
            return Err(refused(part, "expected one that does not contain itself"));
        }
        let contents_of = CONTENTS.import(py, "starsplit.keys", "contents_of")?;
        let contents = contents_of.call1((part,))?;
        let own = part.get_type();
        self.put(b'o', own.module()?.to_cow()?.as_bytes());
        self.put(b'o', own.qualname()?.to_cow()?.as_bytes());
        self.open.extend([Step::Leave(part.clone()), Step::Write(contents)]);
        Ok(())
    }
}

fn refused(key: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    PyTypeError::new_err(format!("key {}: {expected}; define key", shown(key)))
}

/// The hash of a key of a state by itself, in hexadecimal.
#[pyfunction]
pub(crate) fn key_hash(state: &Bound<'_, PyAny>, key: &Bound<'_, PyAny>) -> PyResult<String> {
    let key = calling(state.py(), || KeyBytes::default().key_of(state, Some(key)))?;
    Ok(in_words(key.hash))
}

/// A hash in hexadecimal.
pub(crate) fn in_words(PositionHash { high, low }: PositionHash) -> String {
    format!("{high:016x}{low:016x}")
}
