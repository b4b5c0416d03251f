//! Ctrl-C, and what a batch system or a terminal that closes sends, as a wish to stop: the first asks the
//! search to end and keeps what is done, the second ends the process. A file that may not grow is an error of
//! whoever writes to it, and no end of the process.

use starsplit::search::StopFlag;
use std::process;
#[cfg(unix)]
use std::sync::Arc;

/// The exit code of a run that was stopped, by Ctrl-C or SIGTERM or SIGHUP: 128 + SIGINT, as shells have it
/// for the first of them.
pub const EXIT_CODE: u8 = 130;

/// A flag that Ctrl-C, SIGTERM and SIGHUP raise. A second of them ends the process at once.
///
/// # Errors
/// When the system gives no handler; or when this was called before in the same process.
pub fn install() -> anyhow::Result<StopFlag> {
    let flag = StopFlag::new();
    let raised = flag.clone();
    without_file_signal()?;
    ctrlc::set_handler(move || {
        if raised.is_raised() {
            process::exit(i32::from(EXIT_CODE));
        }
        raised.stop();
    })?;
    Ok(flag)
}

/// What goes beyond the greatest size of a file, or fills a disk, is an error of the call that writes then:
/// the system's signal, which would end the process, is caught.
fn without_file_signal() -> anyhow::Result<()> {
    #[cfg(unix)]
    signal_hook::flag::register(libc::SIGXFSZ, Arc::default())?;
    Ok(())
}
