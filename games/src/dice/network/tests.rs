use super::*;
use crate::dice::{Dice, FullLine, Position, Rules, bits};
use crate::network::{NetworkError, NetworkGame};
use proptest::prelude::*;
use rand_core::Rng;
use rand_pcg::Pcg32;
use starsplit::evaluator::{Before, Evaluator, mix64};
use starsplit::game::{Game, NodeKind, Player, Step};

fn boards() -> impl Iterator<Item = Dice> {
    let rules = (2..=8).flat_map(|size| (2..=size).map(move |run| Rules::new(size, run, FullLine::Reroll)));
    rules.map(|rules| Dice::new(rules.unwrap()))
}

fn board(text: &str) -> Dice {
    Dice::new(text.parse().unwrap())
}

/// Weights between `-size` and `size`, evenly spread.
fn random_weights(dice: &Dice, seed: u64, size: f32) -> Weights {
    let mut random = Pcg32::new(seed, 1);
    let mut next = || ((random.next_u32() >> 8) as f32 / (1 << 23) as f32 - 1.0) * size;
    let mut weights = Weights::zero(dice.shape());
    weights.parts_mut().into_iter().flatten().for_each(|weight| *weight = next());
    weights
}

/// Plays a game of random rolls and moves, and shows every position after a move with the move that led to
/// it.
fn random_game(dice: &Dice, seed: u64, mut show: impl FnMut(&Position, super::super::Move, &Position)) {
    let mut random = Pcg32::new(seed, 2);
    let mut position = dice.initial();
    while dice.kind(&position) != NodeKind::Terminal {
        let mut lines = Vec::new();
        dice.outcomes(&position, |line, _| lines.push(line));
        let rolled = dice.resolve(&position, lines[random.next_u32() as usize % lines.len()]);
        let mut moves = Vec::new();
        dice.moves(&rolled, |mv| moves.push(mv));
        let mv = moves[random.next_u32() as usize % moves.len()];
        position = dice.play(&rolled, mv);
        show(&rolled, mv, &position);
    }
}

fn unfinished(dice: &Dice, seed: u64) -> Vec<Position> {
    let mut positions = vec![dice.initial()];
    random_game(dice, seed, |_, _, after| positions.push(*after));
    positions.retain(|position| dice.kind(position) != NodeKind::Terminal);
    positions
}

fn evaluation(network: &Network, dice: &Dice, position: &Position) -> i32 {
    network.evaluate(dice, position, &network.state(dice, position, None))
}

#[test]
fn carried_sums_equal_recomputed_ones() {
    for dice in boards() {
        for seed in 0..10 {
            let network = Network::new(&dice, &random_weights(&dice, seed, 0.05)).unwrap();
            let mut state = network.state(&dice, &dice.initial(), None);
            random_game(&dice, seed, |before, mv, after| {
                let carried = Before { position: before, state: &state, step: Step::Move(mv) };
                state = network.state(&dice, after, Some(carried));
                assert_eq!(state, network.state(&dice, after, None), "{} {after:?}", dice.rules());
            });
        }
    }
}

#[test]
fn sums_past_16_bits_still_depend_on_the_position_alone() {
    // Finished positions may go beyond what the proof for unfinished ones covers; a full board of one colour
    // does.
    let dice = board("size=8,run=4");
    let mut weights = Weights::zero(dice.shape());
    for column in &mut weights.columns[128..130] {
        *column = [0.3; HIDDEN];
    }
    let network = Network::new(&dice, &weights).unwrap();
    let full = dice.position([u64::MAX, 0], Player::Max, None);
    let before = dice.position([u64::MAX - 1, 0], Player::Max, None);
    let state = network.state(&dice, &before, None);
    let step = Step::Move(super::super::Move::Place(0));
    let carried = network.state(&dice, &full, Some(Before { position: &before, state: &state, step }));
    assert_eq!(carried, network.state(&dice, &full, None));
}

#[test]
fn a_player_of_columns_evaluates_as_a_player_of_rows_would() {
    for dice in boards() {
        let size = dice.rules().size();
        let network = Network::new(&dice, &random_weights(&dice, 5, 0.1)).unwrap();
        for position in unfinished(&dice, 6) {
            let transpose = |stones| {
                bits(stones)
                    .map(|cell| 1 << weights::seen_cell(size, Player::Min, cell))
                    .fold(0, |a, b: u64| a | b)
            };
            let [first, second] = [Player::Max, Player::Min].map(|player| transpose(position.stones(player)));
            let mirrored = dice.position([second, first], position.to_act().opponent(), None);
            assert_eq!(evaluation(&network, &dice, &position), evaluation(&network, &dice, &mirrored));
        }
    }
}

#[test]
fn evaluations_tell_own_from_opponent() {
    let dice = board("size=5,run=4");
    let network = Network::new(&dice, &random_weights(&dice, 9, 0.3)).unwrap();
    let [one, other] =
        [[1 << 7, 1 << 12], [1 << 12, 1 << 7]].map(|stones| dice.position(stones, Player::Max, None));
    assert_ne!(evaluation(&network, &dice, &one), evaluation(&network, &dice, &other));
}

/// How far rounding may move the output: every weight by half a unit of the coarsest scale, the activations
/// by their steepest slope of 1.5 and by four units.
fn greatest_error(dice: &Dice, position: &Position, weights: &Weights) -> f64 {
    let mut inputs_seen = 1.0;
    dice.inputs(position, position.to_act(), |_, count| inputs_seen += f64::from(count));
    let hidden = inputs_seen * 1.5 / 512.0 + 4.0 / 16384.0;
    let output: f64 = weights.output[0].iter().map(|w| f64::from(w.abs()) * hidden + 1.0 / 512.0).sum();
    1.5 * (output + 1.0 / 512.0) + 1e-5
}

#[test]
fn integers_agree_with_floats() {
    for dice in boards() {
        for (seed, size) in [(1, 0.01), (2, 0.1), (3, 0.3)] {
            let weights = random_weights(&dice, seed, size);
            let network = Network::new(&dice, &weights).unwrap();
            for position in unfinished(&dice, seed) {
                let float = f64::from(weights.value(&dice, &position));
                let score = evaluation(&network, &dice, &position);
                let error = f64::from(score) / f64::from(dice.facts().grid.limit()) - float;
                assert!(
                    error.abs() <= greatest_error(&dice, &position, &weights),
                    "{} {error}",
                    dice.rules()
                );
                assert!(score.abs() < dice.facts().grid.limit());
            }
        }
    }
}

#[test]
fn small_weights_are_rounded_finely() {
    let dice = board("size=5,run=4");
    let weights = random_weights(&dice, 4, 0.1);
    let network = Network::new(&dice, &weights).unwrap();
    for position in unfinished(&dice, 4) {
        let float = f64::from(weights.value(&dice, &position));
        let integer = dice.facts().grid.value(evaluation(&network, &dice, &position));
        assert!((float - integer).abs() < 0.002, "{float} {integer}");
    }
}

#[test]
fn identities_differ_with_any_weight() {
    let dice = board("size=3,run=3");
    let weights = random_weights(&dice, 1, 0.1);
    let identity = |weights: &Weights| Network::new(&dice, weights).unwrap().facts(&dice).identity;
    let mut seen = vec![identity(&weights)];
    assert_eq!(identity(&weights.clone()), seen[0]);
    for input in 0..dice.shape().inputs() {
        let mut other = weights.clone();
        other.columns[input][3] += 0.01;
        seen.push(identity(&other));
    }
    let changes: [fn(&mut Weights); 3] =
        [|w| w.output_bias[0] += 0.01, |w| w.output[0][2] += 0.01, |w| w.hidden_bias[1] += 0.01];
    for change in changes {
        let mut other = weights.clone();
        change(&mut other);
        seen.push(identity(&other));
    }
    let count = seen.len();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), count);
}

#[test]
fn files_hold_the_weights_exactly() {
    for dice in boards() {
        let weights = random_weights(&dice, 1, 0.1);
        let bytes = weights.to_bytes().unwrap();
        assert_eq!(bytes, weights.to_bytes().unwrap());
        assert_eq!(Weights::from_bytes(dice.shape(), &bytes).unwrap(), weights);
        assert!(Network::from_bytes(&dice, &bytes).is_ok());
    }
}

/// Scores of the trained network, noted before other games had networks.
#[test]
fn scores_of_the_trained_network_stay_what_they_are() {
    let dice = board("size=5,run=4");
    let network = Network::trained(&dice).unwrap();
    let mut positions = vec![dice.initial()];
    (1..4).for_each(|seed| random_game(&dice, seed, |_, _, after| positions.push(*after)));
    positions.retain(|position| dice.kind(position) != NodeKind::Terminal);
    let scores: Vec<_> = positions.iter().map(|position| evaluation(&network, &dice, position)).collect();
    assert_eq!(network.facts(&dice).identity, 3_353_180_853_601_746_573);
    assert_eq!(scores[..6], [1_214_433, -686_567, 1_196_530, -493_908, 354_150, 1_213_184]);
    let all = scores.iter().fold(0, |hash, &score| mix64(hash ^ score as u64));
    assert_eq!((scores.len(), all), (39, 5_604_383_359_982_645_670));
}

#[test]
fn trained_weights_are_there_for_the_paper_s_board_only() {
    assert!(Network::trained(&board("size=5,run=4")).is_ok());
    assert!(Network::trained(&board("size=5,run=4,full-line=pass")).is_ok());
    let error = Network::trained(&board("size=6,run=4")).unwrap_err();
    assert_eq!(error.to_string(), "no trained weights for size=6,run=4");
}

#[test]
fn weights_of_another_board_are_refused() {
    let weights = random_weights(&board("size=5,run=4"), 1, 0.1);
    let error = Network::new(&board("size=5,run=3"), &weights).unwrap_err();
    assert_eq!(error.to_string(), "weights for size=5,run=4: expected some for dice with size=5,run=3");
    let mut misshapen = weights.clone();
    misshapen.columns.pop();
    assert!(matches!(Network::new(&board("size=5"), &misshapen), Err(NetworkError::Shape { .. })));
    assert!(matches!(misshapen.to_bytes(), Err(NetworkError::Shape { .. })));
}

#[test]
fn weights_that_are_not_finite_are_refused() {
    let dice = board("size=3,run=3");
    let spoil: [fn(&mut Weights); 4] = [
        |w| w.columns[20][9] = f32::NAN,
        |w| w.hidden_bias[0] = f32::INFINITY,
        |w| w.output[0][9] = f32::NAN,
        |w| w.output_bias[0] = f32::NEG_INFINITY,
    ];
    for spoil in spoil {
        let mut weights = random_weights(&dice, 1, 0.1);
        spoil(&mut weights);
        assert!(matches!(Network::new(&dice, &weights), Err(NetworkError::NotFinite { .. })));
    }
}

#[test]
fn weights_that_could_overflow_are_refused_until_confined() {
    for dice in boards() {
        for size in [30.0, 1e6, f32::MAX / 1e4] {
            let mut weights = random_weights(&dice, 3, size);
            assert!(matches!(Network::new(&dice, &weights), Err(NetworkError::TooLarge { .. })));
            dice.confine(&mut weights);
            assert!(Network::new(&dice, &weights).is_ok(), "{} {size}", dice.rules());
        }
        let small = random_weights(&dice, 3, 0.1);
        let mut confined = small.clone();
        dice.confine(&mut confined);
        assert_eq!(confined, small);
    }
}

/// A file with one tensor or the metadata replaced.
fn file_with(name: &str, dtype: safetensors::Dtype, shape: &[usize], metadata: &str) -> Vec<u8> {
    let weights = Weights::zero(board("size=3,run=3").shape()).to_bytes().unwrap();
    let file = safetensors::SafeTensors::deserialize(&weights).unwrap();
    let bytes = vec![0; shape.iter().product::<usize>() * dtype.bitsize() / 8];
    let mut views: Vec<_> = file.iter().filter(|(n, _)| *n != name).collect();
    if !shape.is_empty() {
        views.push((name, safetensors::tensor::TensorView::new(dtype, shape.to_vec(), &bytes).unwrap()));
    }
    let entry = ("dice-network".to_owned(), metadata.to_owned());
    safetensors::serialize(views, Some([entry].into())).unwrap()
}

#[test]
fn files_of_anything_else_are_refused() {
    use safetensors::Dtype::{F16, F32};
    let small = board("size=3,run=3");
    let read = |name, dtype, shape: &[usize], metadata| {
        Weights::from_bytes(small.shape(), &file_with(name, dtype, shape, metadata))
    };
    let board = "size=3,run=3";
    assert!(read("own", F32, &[3, 3, 10], board).is_ok());
    assert!(matches!(read("own", F32, &[], board), Err(NetworkError::Missing { name: "own" })));
    assert!(matches!(read("own", F32, &[9, 10], board), Err(NetworkError::Shape { name: "own", .. })));
    assert!(matches!(read("runs", F16, &[4, 10], board), Err(NetworkError::Numbers { name: "runs", .. })));
    assert!(matches!(read("spare", F32, &[1], board), Err(NetworkError::Tensors { found: 7, expected: 6 })));
    for metadata in ["", "size=3", "size=9,run=3", "size=3,run=4", "size=3,run=3,", "run=3,size=3"] {
        let refused = read("own", F32, &[3, 3, 10], metadata);
        assert!(matches!(refused, Err(NetworkError::Rules { found, .. }) if found == metadata), "{metadata}");
    }
    assert!(matches!(Weights::from_bytes(small.shape(), b""), Err(NetworkError::File { .. })));
    let kind = format!(
        "{{\"own\":{{\"dtype\":\"\\u001b{}\\n\",\"shape\":[],\"data_offsets\":[0,0]}}}}",
        "x".repeat(900)
    );
    let bytes = [&(kind.len() as u64).to_le_bytes(), kind.as_bytes()].concat();
    let complaint = Weights::from_bytes(small.shape(), &bytes).unwrap_err().to_string();
    assert!(!complaint.contains(char::is_control) && complaint.len() < 400, "{complaint:?}");
    assert!(matches!(Weights::from_bytes(small.shape(), &[0xff; 64]), Err(NetworkError::File { .. })));
}

proptest! {
    #[test]
    fn truncated_files_are_refused(length in 0usize..2000) {
        let dice = board("size=3,run=3");
        let bytes = random_weights(&dice, 1, 0.1).to_bytes().unwrap();
        prop_assert!(Weights::from_bytes(dice.shape(), &bytes[..length.min(bytes.len() - 1)]).is_err());
    }

    #[test]
    fn damaged_files_never_panic(damage in prop::collection::vec((0usize..2000, any::<u8>()), 1..8)) {
        let dice = board("size=3,run=3");
        let mut bytes = random_weights(&dice, 1, 0.1).to_bytes().unwrap();
        for (at, byte) in damage {
            let at = at % bytes.len();
            bytes[at] = byte;
        }
        // Whatever is accepted must then be a network whose evaluations stay inside the grid.
        if let Ok(network) = Network::from_bytes(&dice, &bytes) {
            for position in unfinished(&dice, 1) {
                prop_assert!(evaluation(&network, &dice, &position).abs() < dice.facts().grid.limit());
            }
        }
    }
}
