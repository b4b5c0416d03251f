//! What a page says of how the machine was watched while it was measured: the order of the contenders, the
//! ceilings, and the figures without the rounds in which it was disturbed.

use crate::analysis::conditions::words;
use crate::analysis::figure::Figure;
use crate::analysis::tables::{BEYOND, BEYOND_WORDS, Part, ratio, share_of_one};
use crate::report::curves::{Panel, Watched};
use crate::scaling::ScalingCeiling;

/// The sentences and tables; nothing where nobody watched.
pub(super) fn text(panel: &Panel) -> String {
    let Some(watched) = &panel.watched else { return String::new() };
    let disturbance = &watched.probed.disturbance;
    let sentences = words(&watched.order, Some(disturbance), None);
    let tables = ceilings(watched) + &undisturbed(watched);
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

/// The figures without disturbed rounds.
fn undisturbed(watched: &Watched) -> String {
    let row = |(method, ordering, threads): (&str, &str, usize), one: String, shares: [Option<Figure>; 2]| {
        let shares = shares.map(|share| of(Part::Large, share, share_of_one));
        format!("| {method} | {ordering} | {threads} | {one} | {} |\n", shares.join(" | "))
    };
    let probed = &watched.probed;
    let ceilings = probed.undisturbed_ceilings.iter();
    let ceilings = ceilings.map(|own| {
        let cells = ceiling_cells(Some(own.ceiling), own.threads);
        row((own.method, own.ordering, own.threads), cells, [None, None])
    });
    let searches = probed.undisturbed.iter().map(|own| {
        let speedup = [Part::Total, Part::Large].map(|part| of(part, Some(own.speedup), ratio)).join(" | ");
        row((own.method, own.ordering, own.threads), speedup, [own.ceiling_share, own.matched_share])
    });
    format!(
        "\nWithout those rounds (all other figures are of all rounds), at {} positions:\n\n\
         | method | ordering | processors | speedup or ceiling, total | large | share of the \
         ceiling, large | of the matched ceiling, large |\n| --- | --- | --- | --- | --- | --- | --- |\n{}",
        probed.undisturbed_positions,
        ceilings.chain(searches).collect::<String>()
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

/// The figure, where it is one.
fn of(part: Part, figure: Option<Figure>, show: fn(f64) -> String) -> String {
    match figure {
        Some(figure) if part != Part::Total || figure.total.is_finite() => part.of(&figure, show),
        _ => "-".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::conditions::Conditions;
    use crate::records::line::{ContenderName, Line};
    use crate::report::curves::tests::{figure, panel};
    use crate::scaling::{Probed, Undisturbed, UndisturbedCeiling};

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
        let probed = Probed {
            disturbance: conditions.disturbance().unwrap(),
            undisturbed_positions: 3,
            undisturbed_ceilings: vec![UndisturbedCeiling {
                method: "ceiling",
                ordering: "auto",
                threads: 2,
                ceiling: figure(0.75),
            }],
            undisturbed: vec![Undisturbed {
                method: "both",
                ordering: "auto",
                threads: 2,
                speedup: Figure { total: f64::NAN, ..figure(0.5) },
                ceiling_share: None,
                matched_share: Some(figure(0.25)),
            }],
        };
        let (ceilings, matched) = (vec![ceiling(1.0)], vec![ceiling(0.9)]);
        Watched { order: conditions.order(), probed, ceilings, matched }
    }

    #[test]
    fn both_ceilings_and_what_is_left_without_disturbed_rounds_are_told() {
        let mut panel = panel(&["both"], &[(2, 1.5)]);
        assert_eq!(text(&panel), "");
        panel.watched = Some(watched());
        let text = text(&panel);
        for words in [
            "Order balanced: no (1 rounds of a position",
            "3 serial probes between turns took 40.0 ms in the median and 60.0 at most",
            "those of 1 of 2 rounds",
            "| 2 | auto | 1.00 | 2.00 [2.00 .. 2.00] | 0.90 | 1.80 [1.80 .. 1.80] |",
            "at 3 positions",
            "| ceiling | auto | 2 | 0.75 | 1.50 [1.50 .. 1.50] | - | - |",
            "| both | auto | 2 | - | 1.00 [1.00 .. 1.00] | - | 0.500 [0.500 .. 0.500] |",
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
        own.probed.undisturbed_ceilings[0].ceiling.total = 2.5;
        panel.watched = Some(own);
        let text = text(&panel);
        assert!(text.contains("| 2 | auto | 2.86 (!) | 2.00 [2.00 .. 2.00] | 0.90 |"), "{text}");
        assert!(text.contains("| ceiling | auto | 2 | 2.50 (!) | 1.50 [1.50 .. 1.50] | - | - |"), "{text}");
        assert!(text.ends_with(&format!("{BEYOND_WORDS}\n")), "{text}");
    }
}
