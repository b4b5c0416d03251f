//! What a page says of how the machine was watched while it was measured: the order of the contenders, when
//! it was disturbed, and the ceilings.

use crate::analysis::conditions::words;
use crate::analysis::figure::Figure;
use crate::analysis::tables::{BEYOND, BEYOND_WORDS, Part};
use crate::report::curves::{Panel, Watched};
use crate::scaling::ScalingCeiling;

/// The sentences and tables; nothing where nobody watched.
pub(super) fn text(panel: &Panel) -> String {
    let Some(watched) = &panel.watched else { return String::new() };
    let sentences = words(&watched.order, Some(&watched.disturbance), None);
    let tables = ceilings(watched);
    let beyond = if tables.contains(BEYOND) { format!("\n{BEYOND_WORDS}\n") } else { String::new() };
    format!("\n{sentences}\n{tables}{beyond}")
}

/// Both ceilings beside each other.
fn ceilings(watched: &Watched) -> String {
    if watched.ceilings.is_empty() && watched.matched.is_empty() {
        return String::new();
    }
    let row = |own: &ScalingCeiling| {
        let matched = watched
            .matched
            .iter()
            .find(|other| (other.threads, other.ordering) == (own.threads, own.ordering));
        let matched = matched.map(|other| other.ceiling);
        let cells = [Some(own.ceiling), matched].map(|ceiling| ceiling_cells(ceiling, own.threads));
        format!("| {} | {} | {} |\n", own.threads, own.ordering, cells.join(" | "))
    };
    format!(
        "\nThe machine's ceiling: of whole searches, each with a table as large as the parallel search's, \
         to their ends; and like for like, on the threads and with the memory of a parallel search, \
         until the first ends (matched).\n\n\
         | threads | ordering | ceiling, total | large | matched, total | large |\n\
         | --- | --- | --- | --- | --- | --- |\n{}",
        watched.ceilings.iter().map(row).collect::<String>()
    )
}

/// A ceiling of so many threads, in all and over the large positions.
fn ceiling_cells(ceiling: Option<Figure>, threads: usize) -> String {
    let cell = |part: Part| match ceiling {
        Some(ceiling) if part != Part::Total || ceiling.total.is_finite() => part.ceiling(&ceiling, threads),
        _ => "-".to_owned(),
    };
    [Part::Total, Part::Large].map(cell).join(" | ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::conditions::Conditions;
    use crate::records::line::{ContenderName, Line};
    use crate::report::curves::tests::{figure, panel};

    fn watched() -> Watched {
        let mut conditions = Conditions::default();
        for (method, repeat, probe_ns) in
            [("serial", 1, 40_000_000), ("both", 1, 40_000_001), ("serial", 2, 60_000_000)]
        {
            let contender = ContenderName { method: method.to_owned(), ..ContenderName::default() };
            conditions.note(&Line {
                index: 1,
                repeat,
                contender,
                probe_ns: Some(probe_ns),
                ..Line::default()
            });
        }
        let ceiling = |value| ScalingCeiling {
            ordering: "auto",
            threads: 2,
            ceiling: figure(value),
            beyond_threads: false,
        };
        let (ceilings, matched) = (vec![ceiling(1.0)], vec![ceiling(0.9)]);
        let disturbance = conditions.disturbance().unwrap();
        Watched { order: conditions.order(), disturbance, ceilings, matched }
    }

    #[test]
    fn both_ceilings_and_when_the_machine_was_disturbed_are_told() {
        let mut panel = panel(&["both"], &[(2, 1.5)]);
        assert_eq!(text(&panel), "");
        panel.watched = Some(watched());
        let text = text(&panel);
        for words in [
            "Order of turns: not balanced (2 contenders took turns 1 times",
            "made 3 times, took 40.0 ms in the median and 60.0 at most",
            "in 1 of 2 rounds over all positions",
            "| 2 | auto | 1.00 | 2.00 [2.00 .. 2.00] | 0.90 | 1.80 [1.80 .. 1.80] |",
        ] {
            assert!(text.contains(words), "{words} in {text}");
        }
        assert!(!text.contains(BEYOND), "{text}");
    }

    #[test]
    fn a_ceiling_above_what_its_threads_can_give_is_marked_where_it_stands() {
        let mut panel = panel(&["both"], &[(2, 1.5)]);
        let mut own = watched();
        own.ceilings[0].ceiling.total = 2.86;
        panel.watched = Some(own);
        let text = text(&panel);
        assert!(text.contains("| 2 | auto | 2.86 (!) | 2.00 [2.00 .. 2.00] | 0.90 |"), "{text}");
        assert!(text.ends_with(&format!("{BEYOND_WORDS}\n")), "{text}");
    }
}
