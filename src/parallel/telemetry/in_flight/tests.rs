use super::*;

#[test]
fn a_node_is_in_flight_until_it_is_left() {
    let in_flight = InFlight::new(2);
    let node = NodeTag::new(PositionHash { high: 7 << 40, low: 9 }, 5);
    let other_depth = NodeTag::new(PositionHash { high: 7 << 40, low: 9 }, 4);
    assert!(!in_flight.contains(node));
    assert!(in_flight.begin(node));
    assert!(in_flight.contains(node) && !in_flight.contains(other_depth));
    assert!(!in_flight.begin(node), "entered twice");
    in_flight.end(other_depth);
    assert!(in_flight.contains(node), "another node's tag was removed");
    in_flight.end(node);
    assert!(!in_flight.contains(node));
}
