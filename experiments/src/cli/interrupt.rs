//! Ctrl-C as a wish to stop: the first asks the search to end and keeps what is done, the second ends the
//! process.

use starsplit::search::StopFlag;
use std::process;

/// The exit code of a run that Ctrl-C stopped: 128 + SIGINT, as shells have it.
pub const EXIT_CODE: u8 = 130;

/// A flag that Ctrl-C raises. A second Ctrl-C ends the process at once.
///
/// # Errors
/// When the system gives no handler; or when this was called before in the same process.
pub fn install() -> anyhow::Result<StopFlag> {
    let flag = StopFlag::new();
    let raised = flag.clone();
    ctrlc::set_handler(move || {
        if raised.is_raised() {
            process::exit(i32::from(EXIT_CODE));
        }
        raised.stop();
    })?;
    Ok(flag)
}
