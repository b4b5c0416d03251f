//! Every algorithm with every table use that it takes.

use starsplit::search::{Algorithm, TableUse};

/// All of them: what the library takes, none left out.
pub(crate) fn forms() -> Vec<(Algorithm, TableUse)> {
    let takes = |algorithm: Algorithm, table_use| table_use == TableUse::All || !algorithm.needs_table();
    let with_uses = |&algorithm: &Algorithm| {
        TableUse::ALL
            .iter()
            .filter(move |&&table_use| takes(algorithm, table_use))
            .map(move |&t| (algorithm, t))
    };
    Algorithm::ALL.iter().flat_map(with_uses).collect()
}
