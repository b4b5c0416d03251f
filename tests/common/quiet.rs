//! Panics that the tests themselves cause are not worth a line each.

use super::brittle::Explosive;
use std::panic;
use std::sync::Once;

/// Keeps to itself those panics whose message says that somebody "gave up at" something, and explosive ones.
pub(crate) fn quieten_planned_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let message = info.payload().downcast_ref::<String>();
            let is_planned = message.is_some_and(|message| message.contains("gave up at"));
            if !is_planned && !info.payload().is::<Explosive>() {
                usual(info);
            }
        }));
    });
}
