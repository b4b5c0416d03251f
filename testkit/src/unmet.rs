//! Which warnings follow from what a check has counted.

use super::report::Report;
use super::warning::Warning;
use starsplit::game::Player;

/// Fewer of a kind may be alike by chance.
const FEW: u64 = 10;

/// What plays never met. Where moves or outcomes have rewards, ends need not be worth different things.
pub(crate) fn of_plays(report: &Report, has_rewards: bool) -> Vec<Warning> {
    if report.games == 0 {
        return vec![Warning::NoPlay];
    }
    let warnings = [
        of_length(report),
        of_decisions(report),
        (report.moves.only() == Some(1)).then_some(Warning::OneMove { decisions: report.decisions }),
        of_chances(report),
        report
            .ends
            .only()
            .filter(|_| report.terminals >= FEW && !has_rewards)
            .map(|score| Warning::SameEnds { ends: report.terminals, score }),
        outweighs(report.lost_by_last, report.won_by_last)
            .then_some(Warning::LastLoses { lost: report.lost_by_last, won: report.won_by_last }),
        (report.merging > 0).then_some(Warning::Merging { merging: report.merging }),
        (report.back > 0).then_some(Warning::Back { steps: report.back }),
    ];
    warnings.into_iter().flatten().collect()
}

/// What was never compared.
pub(crate) fn of_comparisons(report: &Report) -> Vec<Warning> {
    let (checked, unchecked) = (report.bounds_checked, report.bounds_unchecked);
    let warnings = [
        (report.compared == 0).then_some(Warning::NothingCompared),
        (checked == 0 && unchecked > 0).then_some(Warning::BoundsUnchecked { unchecked }),
    ];
    warnings.into_iter().flatten().collect()
}

/// What an evaluator never said.
pub(crate) fn of_evaluations(report: &Report) -> Vec<Warning> {
    let (misjudged, foreseen) = (report.ends_misjudged, report.ends_foreseen);
    let evaluations = report.evaluations;
    let same = report.scores.only().filter(|_| evaluations >= FEW);
    let warnings = [
        (evaluations == 0).then_some(Warning::NoEvaluation),
        same.map(|score| Warning::SameEvaluations { evaluations, score }),
        outweighs(misjudged, foreseen).then_some(Warning::Misjudged { misjudged, foreseen }),
    ];
    warnings.into_iter().flatten().collect()
}

/// Whether nothing was searched.
pub(crate) fn of_searches(report: &Report) -> Vec<Warning> {
    if report.searches == 0 { vec![Warning::NothingSearched] } else { Vec::new() }
}

fn of_length(report: &Report) -> Option<Warning> {
    let Report { games, unfinished, .. } = *report;
    if report.terminals == 0 {
        Some(Warning::NoEnd { games })
    } else if 2 * unfinished > games {
        Some(Warning::Unfinished { unfinished, games })
    } else {
        None
    }
}

fn of_decisions(report: &Report) -> Option<Warning> {
    let Report { decisions, decisions_of_min, .. } = *report;
    match decisions_of_min {
        _ if decisions == 0 => Some(Warning::NoDecision),
        0 => Some(Warning::OnePlayer { player: Player::Max, decisions }),
        all if all == decisions => Some(Warning::OnePlayer { player: Player::Min, decisions }),
        _ => None,
    }
}

fn of_chances(report: &Report) -> Option<Warning> {
    let chances = report.chances;
    if chances == 0 {
        Some(Warning::NoChance)
    } else {
        (report.outcomes.only() == Some(1)).then_some(Warning::OneOutcome { chances })
    }
}

/// Whether there are many of the one, and few of the other.
fn outweighs(one: u64, other: u64) -> bool {
    one >= FEW && one > 2 * other
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_ends_or_evaluations_of_one_kind_are_no_warning() {
        let mut report =
            Report { games: 20, decisions: 9, decisions_of_min: 4, chances: 9, ..Report::default() };
        (report.terminals, report.lost_by_last, report.unfinished) = (9, 9, 10);
        (report.ends_misjudged, report.evaluations) = (9, 9);
        report.ends.add(5);
        report.scores.add(5);
        assert_eq!((of_plays(&report, false), of_evaluations(&report)), (Vec::new(), Vec::new()));
        (report.terminals, report.lost_by_last, report.unfinished) = (10, 10, 11);
        (report.ends_misjudged, report.evaluations) = (10, 10);
        let of_all = [
            Warning::Unfinished { unfinished: 11, games: 20 },
            Warning::SameEnds { ends: 10, score: 5 },
            Warning::LastLoses { lost: 10, won: 0 },
        ];
        assert_eq!((of_plays(&report, false), of_plays(&report, true).len()), (of_all.to_vec(), 2));
        let of_all = [
            Warning::SameEvaluations { evaluations: 10, score: 5 },
            Warning::Misjudged { misjudged: 10, foreseen: 0 },
        ];
        assert_eq!(of_evaluations(&report), of_all);
        (report.won_by_last, report.ends_foreseen) = (5, 5);
        assert!(of_plays(&report, true).len() == 1 && of_evaluations(&report).len() == 1);
    }

    #[test]
    fn bounds_none_of_which_was_compared_are_warned_of() {
        let report = |bounds_checked, bounds_unchecked| {
            of_comparisons(&Report { compared: 1, bounds_checked, bounds_unchecked, ..Report::default() })
        };
        assert_eq!((report(0, 0), report(1, 9)), (Vec::new(), Vec::new()));
        assert_eq!(report(0, 9), [Warning::BoundsUnchecked { unchecked: 9 }]);
    }

    #[test]
    fn all_moves_being_one_players_names_the_player() {
        let of =
            |decisions_of_min| of_decisions(&Report { decisions: 9, decisions_of_min, ..Report::default() });
        let all = |player| Some(Warning::OnePlayer { player, decisions: 9 });
        assert_eq!([of(0), of(1), of(9)], [all(Player::Max), None, all(Player::Min)]);
    }
}
