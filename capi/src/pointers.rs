//! What comes as a pointer: checked, read and written. Whatever the caller has to promise is said here once.
#![allow(unsafe_code, reason = "C has nothing but pointers")]

use crate::status::Failure;
use std::ffi::{CStr, CString, c_char};

/// Values that are plain bytes to whoever copies them, and have a `size` first.
///
/// # Safety
/// `repr(C)`, with a `usize` first; all zeros, and whatever a C program may write into the fields, are
/// values.
pub unsafe trait Sized_: Copy {}

/// What a handle leads to.
///
/// # Errors
/// When it is null.
///
/// # Safety
/// `pointer` is null, or leads to a `T` that lives through `'a`, and that nobody changes meanwhile.
pub unsafe fn reference<'a, T>(name: &str, pointer: *const T) -> Result<&'a T, Failure> {
    // SAFETY: the caller's promise.
    unsafe { pointer.as_ref() }.ok_or_else(|| missing(name))
}

/// Whether there is anything at all, where nothing is to be read yet.
///
/// # Errors
/// When it is null.
pub fn present<T>(name: &str, pointer: *const T) -> Result<(), Failure> {
    if pointer.is_null() { Err(missing(name)) } else { Ok(()) }
}

/// A text.
///
/// # Errors
/// When it is null, or not UTF-8.
///
/// # Safety
/// `pointer` is null, or leads to bytes that end with a zero, and that live through `'a` unchanged.
pub unsafe fn text<'a>(name: &str, pointer: *const c_char) -> Result<&'a str, Failure> {
    // SAFETY: the caller's promise.
    unsafe { optional_text(name, pointer) }?.ok_or_else(|| missing(name))
}

/// A text that may be left out, as null.
///
/// # Errors
/// When it is not UTF-8.
///
/// # Safety
/// As [`text`].
pub unsafe fn optional_text<'a>(name: &str, pointer: *const c_char) -> Result<Option<&'a str>, Failure> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: not null; the rest is the caller's promise.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str()
        .map(Some)
        .map_err(|error| Failure::argument(format_args!("{name}: expected UTF-8 ({error})")))
}

/// What the caller's structure says, as far as both sides know it: all zeros for null and for what the
/// caller's header did not have yet.
///
/// # Errors
/// When its size cannot be that of any such structure, or says of fields that the library does not have that
/// they are set.
///
/// # Safety
/// `pointer` is null, or leads to as many bytes as its first field says.
pub unsafe fn read_sized<T: Sized_>(name: &str, pointer: *const T) -> Result<T, Failure> {
    // SAFETY: zeros are a value, as the trait promises.
    let mut value: T = unsafe { std::mem::zeroed() };
    if pointer.is_null() {
        return Ok(value);
    }
    // SAFETY: not null, and a size comes first.
    let size = unsafe { pointer.cast::<usize>().read() };
    // No header ends a structure within a pointer, which would lead anywhere.
    if size < size_of::<usize>() || !size.is_multiple_of(align_of::<T>()) {
        let expected = size_of::<T>();
        return Err(Failure::argument(format_args!(
            "{name}.size {size}: expected sizeof, which is {expected}"
        )));
    }
    let known = size.min(size_of::<T>());
    // SAFETY: both have so many bytes, and do not overlap.
    unsafe { pointer.cast::<u8>().copy_to_nonoverlapping((&raw mut value).cast(), known) };
    for place in known..size {
        // SAFETY: within the size that the caller gave.
        if unsafe { pointer.cast::<u8>().add(place).read() } != 0 {
            let complaint = format_args!("{name}.size {size}: expected at most {known}, or zeros beyond");
            return Err(Failure::argument(complaint));
        }
    }
    Ok(value)
}

/// Writes as much of `value` as the caller's structure has room for; `size` stays the caller's. Nothing for
/// null, nor where the size is too small to be one.
///
/// # Safety
/// `pointer` is null, or leads to as many bytes, to be written, as its first field says.
pub unsafe fn write_sized<T: Copy>(pointer: *mut T, value: T) {
    let head = size_of::<usize>();
    if pointer.is_null() {
        return;
    }
    // SAFETY: not null, and a size comes first.
    let size = unsafe { pointer.cast::<usize>().read() }.min(size_of::<T>());
    if size > head {
        let (from, to) = ((&raw const value).cast::<u8>(), pointer.cast::<u8>());
        // SAFETY: both have so many bytes, and do not overlap.
        unsafe { from.add(head).copy_to_nonoverlapping(to.add(head), size - head) };
    }
}

/// Leaves a new handle for the caller.
///
/// # Errors
/// When there is nowhere to leave it; `value` is dropped.
///
/// # Safety
/// `place` is null, or leads to a pointer that may be written.
pub unsafe fn hand_over<T>(name: &str, place: *mut *mut T, value: T) -> Result<(), Failure> {
    if place.is_null() {
        return Err(missing(name));
    }
    // SAFETY: not null; the rest is the caller's promise.
    unsafe { place.write(Box::into_raw(Box::new(value))) };
    Ok(())
}

/// Writes a plain value, where there is a place for it.
///
/// # Safety
/// `place` is null, or leads to a `T` that may be written.
pub unsafe fn leave<T>(place: *mut T, value: T) {
    if !place.is_null() {
        // SAFETY: not null; the rest is the caller's promise.
        unsafe { place.write(value) };
    }
}

/// Takes a handle back and drops what it leads to; nothing for null.
///
/// # Safety
/// `handle` is null, or came from [`hand_over`], and is used by nobody any more.
pub unsafe fn free<T>(handle: *mut T) {
    if !handle.is_null() {
        // SAFETY: the caller's promise.
        drop(unsafe { Box::from_raw(handle) });
    }
}

/// The text as C has it, without the zeros that it may have in it.
pub fn c_text(text: &str) -> CString {
    let bytes: Vec<u8> = text.bytes().filter(|&byte| byte != 0).collect();
    CString::new(bytes).unwrap_or_default()
}

fn missing(name: &str) -> Failure {
    Failure::argument(format_args!("{name}: NULL, expected a pointer"))
}
