use super::*;

#[test]
fn deques_are_named_once_each_from_the_first_one_on() {
    for workers in [1, 2, 63, 64, 65, 130, 1024] {
        let hints = StealHints::new(workers);
        let chosen: Vec<usize> = (0..workers).filter(|worker| worker % 7 < 3).collect();
        chosen.iter().for_each(|&worker| hints.announce(worker));
        for first in [0, 1, workers / 2, workers - 1] {
            let named: Vec<usize> = hints.from(first).collect();
            let (before, after): (Vec<usize>, Vec<usize>) =
                chosen.iter().partition(|&&worker| worker < first);
            assert_eq!(named, [after, before].concat(), "{workers} workers from {first}");
        }
    }
}

#[test]
fn thieves_go_to_the_deque_whose_oldest_ticket_is_closest_to_the_root() {
    let hints = StealHints::new(130);
    let place = |worker, ply| {
        hints.announce(worker);
        hints.hint(worker, ply);
    };
    assert_eq!(hints.shallowest(0, &(0..0)), None);
    place(7, 5);
    place(100, 3);
    place(129, 3);
    assert_eq!(hints.shallowest(0, &(0..0)), Some(100));
    assert_eq!(hints.shallowest(100, &(0..0)), Some(129), "a thief does not rob itself");
    assert_eq!(hints.shallowest(110, &(0..0)), Some(129), "the first after the thief");
    assert_eq!(hints.shallowest(110, &(96..112)), Some(100), "the near one of two as close to the root");
    assert_eq!(hints.shallowest(2, &(0..8)), Some(100), "not a near one that is further down");
    hints.hint(7, 1);
    assert_eq!(hints.shallowest(0, &(0..0)), Some(7));
    hints.retract(7);
    assert_eq!(hints.shallowest(129, &(0..0)), Some(100));
}

#[test]
fn what_is_retracted_or_rightly_doubted_is_gone() {
    let hints = StealHints::new(3);
    (0..3).for_each(|worker| hints.announce(worker));
    hints.retract(0);
    assert!(!hints.doubt(1, || false));
    assert!(hints.doubt(2, || true));
    assert_eq!(hints.from(0).collect::<Vec<_>>(), [2]);
    assert!(hints.is_any_but(0) && !hints.is_any_but(2));
    hints.retract(2);
    assert!(!hints.is_any_but(0));
}
