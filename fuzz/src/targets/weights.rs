//! Files of networks' weights.

use crate::Target;
use crate::refusals::{SHORT, one_line};
use crate::target::words;
use starsplit::evaluator::Evaluator;
use starsplit_games::backgammon::{self, Backgammon, Mlp, mlp};
use starsplit_games::network::{self, NetworkGame, NetworkVisitor, Weights};
use starsplit_games::{GameInfo, KnownGame};
use std::fmt::{Debug, Display};

pub(super) const TARGET: Target = Target {
    name: "weights",
    about: "a file of weights in safetensors' format; where it ends after its header, zeros follow",
    run,
    seeds,
    words: || {
        let own = [
            "__metadata__",
            "-network",
            "-mlp",
            "dtype",
            "\"F32\"",
            "\"F64\"",
            "\"I8\"",
            "\"BF16\"",
            "shape",
            "data_offsets",
            "hidden_bias",
            "output",
            "output_bias",
            "own",
            "opponent",
            "runs",
            "columns",
            "size=3,run=3",
            "size=5,run=4",
            "[0,0]",
            "[18446744073709551615,1]",
            "{}",
            ",",
            ":",
            "\u{e9}",
        ];
        words(own)
            .into_iter()
            .chain([
                f32::NAN.to_le_bytes().to_vec(),
                f32::MAX.to_le_bytes().to_vec(),
                1e-40_f32.to_le_bytes().to_vec(),
                vec![255; 8],
                u64::MAX.to_le_bytes().to_vec(),
            ])
            .collect()
    },
    mutations: 10_000,
    longest: 1_800,
};

/// The rules under which each game has a network; small ones where there are.
const RULES: [(&str, &str); 5] = [
    ("dice", "size=3,run=3"),
    ("dice", "size=5,run=4"),
    ("backgammon", ""),
    ("hyper-backgammon", ""),
    ("einstein", "size=3,stones=3"),
];

/// The most zeros that follow a header.
const ZEROS: usize = 1 << 20;

fn run(bytes: &[u8]) {
    let whole = filled(bytes);
    for (name, rules) in RULES {
        network::open(name, Some(rules), Reading(&whole)).expect("rules with a network");
    }
    let game = Backgammon::open(&backgammon::INFO, "").expect("its default rules");
    match mlp::Weights::from_bytes(&game, &whole) {
        Err(error) => refused(&error),
        Ok(weights) => {
            let written = weights.to_bytes(&game).expect("what was read can be written");
            assert_eq!(mlp::Weights::from_bytes(&game, &written), Ok(weights.clone()));
            evaluate(&game, Mlp::new(&game, &weights));
        }
    }
}

/// A short line. What was expected says whoever reads the file for somebody.
fn refused(error: &impl Display) {
    let line = one_line(error);
    assert!(line.len() <= SHORT, "a refusal of {} bytes: {line}", line.len());
}

/// The bytes, with as many zeros after them as their header asks for.
fn filled(bytes: &[u8]) -> Vec<u8> {
    let mut whole = bytes.to_vec();
    let length = bytes.first_chunk().map(|&length| u64::from_le_bytes(length));
    let header = length.and_then(|length| Some(8..usize::try_from(length).ok()?.checked_add(8)?));
    let text = header.clone().and_then(|header| bytes.get(header));
    let Some((header, Some(tensors))) = header.zip(text.map(ends)) else { return whole };
    let end = header.end.saturating_add(tensors);
    if whole.len() < end && tensors <= ZEROS {
        whole.resize(end, 0);
    }
    whole
}

/// Where the last tensor ends, as a header says.
fn ends(header: &[u8]) -> Option<usize> {
    let header: serde_json::Value = serde_json::from_slice(header).ok()?;
    let ends = header.as_object()?.values().filter_map(|tensor| tensor.get("data_offsets")?.get(1)?.as_u64());
    ends.max().and_then(|end| usize::try_from(end).ok())
}

struct Reading<'b>(&'b [u8]);

impl NetworkVisitor for Reading<'_> {
    type Output = ();

    fn visit<G: NetworkGame<H, O>, const H: usize, const O: usize>(self, _: &'static GameInfo, game: G) {
        match Weights::<H, O>::from_bytes(game.shape(), self.0) {
            Err(error) => refused(&error),
            Ok(mut weights) => {
                let written = weights.to_bytes().expect("what was read can be written");
                assert_eq!(Weights::from_bytes(game.shape(), &written), Ok(weights.clone()));
                evaluate(&game, game.network(&weights));
                // What training confines, searches take.
                game.confine(&mut weights);
                game.network(&weights).unwrap_or_else(|error| panic!("after they were confined: {error}"));
            }
        }
    }
}

/// A network gives a value of the grid to the position at the start, or there is none.
fn evaluate<G: KnownGame, E: Evaluator<G>, R: Display + Debug>(game: &G, network: Result<E, R>) {
    match network {
        Err(error) => refused(&error),
        Ok(network) => {
            let position = game.initial();
            let score = network.evaluate(game, &position, &network.state(game, &position, None));
            let limit = game.facts().grid.limit();
            assert!((-limit..=limit).contains(&score), "{score}");
        }
    }
}

/// A whole small network, and the headers of the others.
fn seeds() -> Vec<(String, Vec<u8>)> {
    struct Zero;
    impl NetworkVisitor for Zero {
        type Output = Vec<u8>;

        fn visit<G: NetworkGame<H, O>, const H: usize, const O: usize>(
            self,
            _: &'static GameInfo,
            game: G,
        ) -> Vec<u8> {
            let mut weights = Weights::<H, O>::zero(game.shape());
            weights.columns[0][0] = 0.5;
            weights.output[0][0] = -0.25;
            weights.to_bytes().expect("finite weights")
        }
    }
    let whole = |(name, rules): &(&str, &str)| network::open(name, Some(rules), Zero).expect("a network");
    let games = RULES.iter().zip(["small", "dice", "backgammon", "hyper-backgammon", "einstein"]);
    let mut found: Vec<_> = games.map(|(rules, name)| (name.to_owned(), whole(rules))).collect();
    let game = Backgammon::open(&backgammon::INFO, "").expect("its default rules");
    found.push(("mlp".to_owned(), mlp::Weights::zero(&game).to_bytes(&game).expect("finite weights")));
    for (name, bytes) in &mut found {
        if bytes.len() > TARGET.longest {
            let header = u64::from_le_bytes(*bytes.first_chunk().expect("a header")) as usize;
            bytes.truncate(8 + header);
        }
        assert!(bytes.len() <= TARGET.longest, "{name}: {} bytes", bytes.len());
    }
    found
}
