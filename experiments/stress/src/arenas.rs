//! How the C library's allocator is to keep what is freed, in `stress` alone.

use std::env;
use std::ffi::OsString;
use std::io;
use std::process::Command;

/// The number of arenas that the C library may have, as the GNU one reads it when a process begins.
const ARENAS: &str = "MALLOC_ARENA_MAX";

/// Begins this process anew with one arena, unless the environment has a number already; does nothing where
/// the C library is another.
///
/// Threads by the thousand that end and begin allocate in eight arenas a core, and what is freed in an arena
/// stays there: a process that leaks nothing has grown by a quarter in an hour so, and a process that does
/// leak cannot be told from it.
///
/// # Errors
/// What the system says where it does not begin anew.
pub(super) fn one() -> io::Result<()> {
    if cfg!(not(all(target_os = "linux", target_env = "gnu"))) || of_environment().is_some() {
        return Ok(());
    }
    begin_anew(Command::new(env::current_exe()?).args(env::args_os().skip(1)).env(ARENAS, "1"))
}

/// The number of arenas of the environment, where it has one.
pub(super) fn of_environment() -> Option<OsString> {
    env::var_os(ARENAS)
}

#[cfg(unix)]
fn begin_anew(command: &mut Command) -> io::Result<()> {
    use std::os::unix::process::CommandExt;
    // Comes back only with an error.
    Err(command.exec())
}

#[cfg(not(unix))]
fn begin_anew(_: &mut Command) -> io::Result<()> {
    Ok(())
}
