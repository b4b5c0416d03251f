//! Positions as other programs write them.

use starsplit::game::{Game, NodeKind, Player, Texts};
use starsplit_games::backgammon::{Backgammon, Scoring, Variant};
use starsplit_games::einstein::Einstein;
use starsplit_games::twenty48::Twenty48;
use starsplit_games::{KnownGame, einstein, twenty48};

/// The positions of a play by arbitrary moves.
fn play<G: KnownGame>(game: &G, seed: usize) -> Vec<G::Position> {
    let (mut position, mut positions) = (game.initial(), Vec::new());
    for ply in 0..300 {
        let number = (seed * 7919 + ply * 104_729) % 10_007;
        let (mut moves, mut outcomes) = (Vec::new(), Vec::new());
        position = match game.kind(&position) {
            NodeKind::Terminal => break,
            NodeKind::Decision => {
                game.moves(&position, |mv| moves.push(mv));
                game.play(&position, moves[number % moves.len()])
            }
            NodeKind::Chance => {
                game.outcomes(&position, |outcome, _| outcomes.push(outcome));
                game.resolve(&position, outcomes[number % outcomes.len()])
            }
        };
        positions.push(position.clone());
    }
    positions
}

/// What is written is read again, in every form.
fn check<G: KnownGame>(game: &G, names: &[&str]) {
    let mut read = 0;
    for seed in 0..30 {
        for position in play(game, seed) {
            if game.kind(&position) == NodeKind::Terminal {
                continue;
            }
            for (name, text) in game.formats(&position) {
                assert!(names.contains(&name), "{name}");
                let found = game.parse(&text).unwrap_or_else(|error| panic!("{name} {text}: {error}"));
                assert_eq!(game.notation(&found), game.notation(&position), "{name} {text}");
                read += 1;
            }
        }
    }
    assert!(read >= 500 * names.len(), "{read}");
}

#[test]
fn what_is_written_for_others_is_read_again() {
    for variant in [Variant::Backgammon, Variant::Hyper] {
        check(&Backgammon::new(variant, Scoring::Points), &["gnubg", "xgid"]);
    }
    check(&Twenty48::open(&twenty48::INFO, "end=none").unwrap(), &["number", "tiles"]);
    check(&Einstein::open(&einstein::INFO, "size=5,stones=6").unwrap(), &["numbers"]);
}

#[test]
fn backgammon_reads_xgids_and_match_ids() {
    let game = Backgammon::new(Variant::Backgammon, Scoring::Points);
    let text = |text: &str| game.parse(text).map(|position| game.notation(&position));
    let start = "-b----E-C---eE---c-e----B-";
    assert_eq!(text(&format!("XGID={start}:0:0:1:31:0:0:0:0:10")).as_deref(), Ok("4HPwATDgc/ABMA x 31"));
    assert_eq!(text(&format!("XGID={start}:1:1:-1:00:3:2:0:7:10")).as_deref(), Ok("4HPwATDgc/ABMA o -"));
    // A checker of either on its bar, each seen from x's side.
    let hit = game.parse("XGID=aa----E-C---eE---c-e----AA:0:0:1:62:0:0:0:0:10").unwrap();
    for player in [Player::Max, Player::Min] {
        assert_eq!((hit.checkers(player, 25), hit.checkers(player, 24)), (1, 1), "{player:?}");
    }
    // The example of GNU Backgammon's manual: a match to 9 points, player 1 to play 52.
    assert_eq!(text("4HPwATDgc/ABMA:QYkqASAAIAAA").as_deref(), Ok("4HPwATDgc/ABMA x 52"));
    for (wrong, words) in [
        (format!("XGID={start}:0:0:1:D:0:0:0:0:10"), "decisions about the cube are left out"),
        (format!("XGID={start}:0:0:2:31:0:0:0:0:10"), "1 or -1 as the fourth field"),
        (format!("XGID={start}"), "5 fields or more"),
        (format!("XGID={start}-:0:0:1:31"), "26 signs"),
        (format!("XGID=A{}:0:0:1:31", &start[1..]), "each bar with its player's own"),
        (format!("XGID={start}:0:0:1:71"), "two numbers from 1 to 6"),
        ("XGID=-O----E--------------------".to_owned(), "5 fields"),
        ("4HPwATDgc/ABMA:QYkq".to_owned(), "12 characters of base64"),
    ] {
        let complaint = game.parse(&wrong).unwrap_err().to_string();
        assert!(complaint.contains(words) && !complaint.contains('\n'), "{complaint}");
    }
}

/// What is told that the game does not use, without the words that always follow.
fn unused(text: &str) -> Option<String> {
    let game = Backgammon::new(Variant::Backgammon, Scoring::Points);
    game.parse(text).unwrap();
    let told = game.unused(text)?;
    Some(told.strip_suffix(" (values are of a game without cube and match)").expect(&told).to_owned())
}

#[test]
fn an_xgids_prefix_may_be_left_out_or_small() {
    let game = Backgammon::new(Variant::Backgammon, Scoring::Points);
    let fields = "-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10";
    for prefix in ["XGID=", "xgid=", "Xgid=", "", " XGID= "] {
        let position = game.parse(&format!("{prefix}{fields}")).unwrap();
        assert_eq!(game.notation(&position), "4HPwATDgc/ABMA x 31", "{prefix}");
    }
    for (wrong, words) in [
        (&fields[..26], "position ID"),
        (&fields[..28], "match ID 0: expected 12 characters"),
        ("a:b:c", "XGID a:b:c: expected 5 fields"),
        ("XGID=", "XGID \"\": expected 5 fields"),
        ("XGID", "position ID XGID: expected 14 characters"),
    ] {
        let told = game.parse(wrong).unwrap_err().to_string();
        assert!(told.contains(words), "{wrong}: {told}");
    }
}

#[test]
fn what_of_cube_and_match_is_not_used_is_told() {
    let xgid = |rest: &str| {
        let (cube, others) = rest.split_at(rest.find(' ').unwrap());
        unused(&format!("-b----E-C---eE---c-e----B-:{cube}:1:31{}", &others[1..]))
    };
    for neutral in ["0:0 ", "0:0 :0", "0:0 :0:0:0:0", "0:0 :0:0:0:0:10"] {
        assert_eq!(xgid(neutral), None, "{neutral}");
    }
    for (fields, told) in [
        ("1:1 :0:0:0:0:10", "cube 2 of x"),
        ("2:-1 :0:0:0:0:10", "cube 4 of o"),
        ("3:0 :0:0:0:0:10", "cube 8 in the middle"),
        ("0:0 :3:2:0:7:10", "score 3-2 of x and o, match to 7"),
        ("0:0 :6:2:1:7:10", "score 6-2 of x and o, match to 7, Crawford"),
        ("0:0 :0:0:0:5:10", "match to 5"),
        ("0:0 :0:0:1:0:10", "Jacoby"),
        ("0:0 :0:0:2:0:10", "beavers"),
        ("0:0 :0:0:3:0:10", "Jacoby, beavers"),
        ("0:0 :0:0:0:0:3", "cube to 8 at most"),
    ] {
        assert_eq!(xgid(fields).as_deref(), Some(told), "{fields}");
    }
    // The example of GNU Backgammon's manual: player 0 has a cube of 2 and 2 points, player 1 has 4.
    assert_eq!(
        unused("4HPwATDgc/ABMA:QYkqASAAIAAA").as_deref(),
        Some("cube 2 of o, score 4-2 of x and o, match to 9")
    );
    let game = Backgammon::new(Variant::Backgammon, Scoring::Points);
    for text in ["start", "4HPwATDgc/ABMA x 31", "XGID=nonsense", "a:b:c", "4HPwATDgc/ABMA:Q", ""] {
        assert_eq!(game.unused(text), None, "{text}");
    }
    for position in play(&game, 5) {
        for (name, text) in game.formats(&position) {
            assert_eq!(game.unused(&text), None, "{name} {text}");
        }
    }
}

#[test]
fn what_is_no_cube_and_no_match_is_refused() {
    let game = Backgammon::new(Variant::Backgammon, Scoring::Points);
    for (fields, words) in [
        ("x:0:1:31", "XGID's cube x: expected a number from 0 to 30"),
        ("31:0:1:31", "XGID's cube 31: expected a number from 0 to 30"),
        ("1:2:1:31", "XGID's owner of the cube 2: expected 1, 0 or -1"),
        ("0:0:1:31:-1", "XGID's score of x -1: expected a number"),
        ("0:0:1:31:0:99999999999", "XGID's score of o 99999999999: expected a number"),
        ("0:0:1:31:0:0:4", "XGID's field of Crawford and Jacoby 4: expected a number from 0 to 3"),
        ("0:0:1:31:0:0:2:7", "XGID's field of Crawford and Jacoby 2: expected a number from 0 to 1"),
        ("0:0:1:31:0:0:0:x", "XGID's match length x: expected a number"),
        ("0:0:1:31:0:0:0:0:", "XGID's maximum of the cube \"\": expected a number from 0 to 30"),
    ] {
        let told = game.parse(&format!("-b----E-C---eE---c-e----B-:{fields}")).unwrap_err().to_string();
        assert!(told.starts_with(words), "{fields}: {told}");
    }
}

#[test]
fn boards_are_read_as_numbers() {
    let game = Twenty48::open(&twenty48::INFO, "end=none").unwrap();
    let own = |text: &str| game.parse(text).map(|position| game.notation(&position));
    let expected = own("1234000000000001 tile").unwrap();
    assert_eq!(own("2 4 8 16 0 0 0 0 0 0 0 0 0 0 0 2 tile").as_deref(), Ok(&*expected));
    assert_eq!(own("2,4,8,16, 0,0,0,0, 0,0,0,0, 0,0,0,2 tile").as_deref(), Ok(&*expected));
    assert_eq!(own("0x1000000000004321 tile").as_deref(), Ok(&*expected));
    assert!(own("2 4 8 15 0 0 0 0 0 0 0 0 0 0 0 2").is_err() && own("0x1").is_err());
    let game = Einstein::open(&einstein::INFO, "size=5,stones=6").unwrap();
    let text = "x1x2x3..../x4x5....../x6......o6/......o5o4/....o3o2o1 x 3";
    let numbers = "1 2 3 0 0  4 5 0 0 0  6 0 0 0 -6  0 0 0 -5 -4  0 0 -3 -2 -1  x 3";
    let position = game.parse(numbers).unwrap();
    assert_eq!(game.notation(&position), text);
    assert_eq!(
        game.formats(&position),
        [("numbers", numbers.split_whitespace().collect::<Vec<_>>().join(" "))]
    );
    let mut moves = Vec::new();
    game.moves(&position, |mv| moves.push(game.move_text(&position, mv)));
    assert!(!moves.is_empty() && game.parse("1 2 3 x 3").is_err());
}
