//! The page over all folders, in a real browser: what it says is what the records show, and nothing is
//! loaded.

mod filters;

use crate::browser::{Browser, await_some};
use crate::common::{REPORT, SCALING, SIMULATE, Scratch, json_in, run_in};
use base64::Engine;
use serde_json::{Value, json};
use starsplit::search::Options;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Cursor;
use std::path::PathBuf;

/// Small searches; what is large among them is known by the same bound as in the report.
const SHORT: [&str; 11] = [
    "--depth",
    "7",
    "--table-mb",
    "1",
    "--split-depth",
    "2",
    "--split-size",
    "0",
    "--min-nodes",
    "1500",
    "--json",
];

const RIGHT: &str = "\u{e014}";
const DOWN: &str = "\u{e015}";
const ESCAPE: &str = "\u{e00c}";

/// The question of all records but one.
const QUESTION: &str = "How many times as fast is the search on many processors?";

/// Both cost models, and the newest real runs.
const EVERYTHING: &str = "show=many/here-2/unit&show=many/here-2/free&show=many/there-2/real";

/// A line of a table by column.
type Line = BTreeMap<String, String>;

/// Records, the page over them, and a browser. Two records are of one question on two machines. The oldest
/// has no question, and its folder is the last one.
struct Opened {
    browser: Browser,
    scratch: Scratch,
    /// What the simulation printed.
    printed: Value,
}

impl Opened {
    fn new() -> Self {
        let scratch = Scratch::new();
        let run = |binary, args: &[&str]| json_in(scratch.path(), binary, &[&SHORT[..], args].concat());
        let costs =
            ["--costs", "unit,free", "--method", "chance-split,both,abdada", "--processors", "1,2,16"];
        let real = |repeat, out| {
            let args = ["--threads", "1,2", "--baselines", "hybrid", "--repeat", repeat, "--out", out];
            run(SCALING, &args);
        };
        fs::create_dir_all(scratch.path().join("results/current")).unwrap();
        let manifest = format!("[[question]]\nname = \"many\"\nasks = \"{QUESTION}\"\n");
        fs::write(scratch.path().join("results/manifest.toml"), manifest).unwrap();
        real("1", "results/oldest");
        let out = ["--out", "results/current/many/here-2"];
        let printed = run(SIMULATE, &[&costs[..], &out].concat());
        real("2", "results/current/many/there-2");
        let made = run_in(scratch.path(), REPORT, &["--min-nodes", "1500"]);
        assert!(made.status.success(), "{made:?}");
        let browser = Browser::start(scratch.path());
        Opened { browser, scratch, printed }
    }

    /// Opens the page with this state in its address.
    fn show(&self, state: &str) {
        let page = self.scratch.path().join("results/index.html");
        self.browser.open("about:blank");
        self.browser.open(&format!("file://{}#{state}", page.display()));
    }

    /// What is said of the point that is pointed at in the picture of speedups; nothing where none is.
    fn tip(&self) -> Option<Line> {
        let parts = self.browser.script(
            "const tip = document.querySelector('#plot-speedup .tip');
             return tip.hidden ? null : [...tip.querySelectorAll('[data-part]')].map((part) => \
             [part.dataset.part, part.innerText])",
        );
        let part =
            |part: &Value| (part[0].as_str().unwrap().to_owned(), part[1].as_str().unwrap().to_owned());
        Some(parts.as_array()?.iter().map(part).collect())
    }

    /// Clicks what downloads the table behind a picture, and reads it.
    fn download(&self, figure: &str) -> Vec<Line> {
        self.browser.click(&format!("#csv-{figure}"));
        let text = self.kept(figure, "csv");
        csv::Reader::from_reader(&text[..]).deserialize().map(Result::unwrap).collect()
    }

    /// What has been downloaded of a picture, in a file of this kind, which is removed.
    fn kept(&self, figure: &str, kind: &str) -> Vec<u8> {
        let (path, bytes) = await_some("a download", || self.downloaded(figure, kind));
        fs::remove_file(path).unwrap();
        bytes
    }

    /// The file that the browser has put into the folder. It holds the name with an empty file until the
    /// whole one is moved there, and numbers a name that it has not done with.
    fn downloaded(&self, figure: &str, kind: &str) -> Option<(PathBuf, Vec<u8>)> {
        let is_named = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(&format!("starsplit-{figure}")) && name.ends_with(&format!(".{kind}"))
        };
        let files = fs::read_dir(self.scratch.path()).unwrap();
        let path = files.map(|file| file.unwrap().path()).find(is_named)?;
        let bytes = fs::read(&path).ok()?;
        (!bytes.is_empty()).then_some((path, bytes))
    }

    /// The lines of a folder's own table of figures.
    fn figures(&self, folder: &str) -> Vec<Line> {
        let table = self.scratch.path().join("results/current").join(folder).join("figures.csv");
        csv::Reader::from_path(table).unwrap().deserialize().map(Result::unwrap).collect()
    }

    /// The line of the folder's own table that is of the same point as `row`.
    fn same(&self, row: &Line) -> Line {
        let names = ["costs", "method", "ordering", "processors"];
        let is_same = |line: &Line| names.iter().all(|&name| line[name] == row[name]);
        self.figures(&row["folder"]).into_iter().find(is_same).unwrap_or_else(|| panic!("a line for {row:?}"))
    }

    /// The picture of speedups, point for point.
    fn drawn(&self) -> Value {
        self.browser.script("return document.querySelector('#plot-speedup canvas').toDataURL()")
    }

    /// How bright the window is on average, from 0 to 255, and how many colours there are in it.
    fn look(&self) -> (f64, usize) {
        let bytes = base64::prelude::BASE64_STANDARD.decode(self.browser.screenshot()).unwrap();
        let mut picture = png::Decoder::new(Cursor::new(bytes)).read_info().unwrap();
        let mut points = vec![0; picture.output_buffer_size().unwrap()];
        let frame = picture.next_frame(&mut points).unwrap();
        assert_eq!(frame.bit_depth, png::BitDepth::Eight);
        let of_point = points[..frame.buffer_size()].chunks(frame.color_type.samples());
        let colours: Vec<_> = of_point.map(|parts| [parts[0], parts[1], parts[2]]).collect();
        let sum: f64 = colours.iter().flatten().map(|&part| f64::from(part)).sum();
        (sum / (3 * colours.len()) as f64, colours.into_iter().collect::<BTreeSet<_>>().len())
    }
}

/// A number as the page shows it.
fn number(text: &str) -> f64 {
    text.replace(',', "").parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Checks numbers that were written with so many digits.
fn is_close(one: &str, other: &str, digits: i32, what: &str) {
    let (one, other) = (number(one), number(other));
    assert!((one - other).abs() <= 10_f64.powi(1 - digits) * other.abs() + 2e-9, "{what}: {one}, {other}");
}

/// Checks what is said of a point against the folder's own figures.
fn is_tip_true(opened: &Opened, tip: &Line) {
    assert_eq!(tip["question"], QUESTION);
    let (machine, part) = tip["record"].split_once(": ").expect("a machine");
    let costs = part.strip_prefix("costs ").unwrap_or("real");
    assert_eq!(tip["kind"], if costs == "real" { "real" } else { "SIMULATED" });
    let folder = format!("many/{machine}");
    let row = [
        ("folder", &folder[..]),
        ("costs", costs),
        ("method", &tip["curve"]),
        ("ordering", Options::default().ordering.name()),
        ("processors", &tip["processors"]),
    ];
    let line = opened.same(&row.map(|(name, value)| (name.to_owned(), value.to_owned())).into());
    is_close(&tip["value"], &line["speedup_large_median"], 4, "median");
    let (low, high) = tip["interval"].split_once(" .. ").unwrap_or_else(|| panic!("an interval in {tip:?}"));
    is_close(low, &line["drawn_median_low"], 4, "low");
    is_close(high, &line["drawn_median_high"], 4, "high");
    assert_eq!(tip["positions"], line["large_positions"]);
    match tip.get("bound") {
        Some(guarantee) => is_close(guarantee, &line["bound_large_median"], 4, "greedy guarantee"),
        None => assert_eq!(line["bound_large_median"], ""),
    }
}

#[test]
#[ignore = "needs Chromium and its driver"]
fn a_point_says_what_the_records_show_to_the_mouse_and_to_the_keyboard() {
    let opened = Opened::new();
    // The first key goes to the first point.
    let views = [
        ("show=many/here-2/unit", [RIGHT, RIGHT, RIGHT, DOWN], "16"),
        ("show=many/there-2/real", [RIGHT; 4], "2"),
    ];
    for (state, steps, processors) in views {
        opened.show(state);
        assert_eq!(opened.tip(), None);
        steps.iter().for_each(|step| opened.browser.keys("#plot-speedup", step));
        let tip = opened.tip().expect("a point");
        assert_eq!(tip["processors"], processors);
        is_tip_true(&opened, &tip);
        let spot = opened.browser.script(
            "const ring = document.querySelector('#plot-speedup .ring').getBoundingClientRect();
             return [ring.x + ring.width / 2, ring.y + ring.height / 2]",
        );
        let (x, y) = (spot[0].as_f64().unwrap(), spot[1].as_f64().unwrap());
        opened.browser.keys("#plot-speedup", ESCAPE);
        assert_eq!(opened.tip(), None);
        opened.browser.click("h1");
        opened.browser.point_at((x, y));
        await_some("the same point", || opened.tip().filter(|pointed| *pointed == tip));
        opened.browser.point_at((x, 5.0));
        await_some("no point", || opened.tip().is_none().then_some(()));
    }
}

#[test]
#[ignore = "needs Chromium and its driver"]
fn tables_behind_the_pictures_are_those_of_the_folders() {
    let opened = Opened::new();
    opened.show(EVERYTHING);
    for (figure, name) in [("speedup", "speedup"), ("overhead", "search_overhead"), ("idle", "idle")] {
        let rows = opened.download(figure);
        assert_eq!(rows.len(), 2 * 3 * 3 + 2, "{figure}");
        for row in &rows {
            let line = opened.same(row);
            is_close(&row[&format!("{figure}_median")], &line[&format!("{name}_large_median")], 6, figure);
            assert_eq!(
                (&row["positions"], &row["chosen_positions"][..]),
                (&line["large_positions"], "large")
            );
            assert_eq!(row["kind"], if line["costs"] == "real" { "real" } else { "SIMULATED" });
            if figure == "speedup" {
                // The page's own draws are those of the report.
                is_close(&row["speedup_interval_low"], &line["drawn_median_low"], 6, "low");
                is_close(&row["speedup_interval_high"], &line["drawn_median_high"], 6, "high");
                assert_eq!(row["speedup_limit"], row["processors"]);
            }
        }
    }
    for row in opened.download("efficiency") {
        let median = number(&opened.same(&row)["speedup_large_median"]) / number(&row["processors"]);
        is_close(&row["efficiency_median"], &median.to_string(), 6, "efficiency");
    }
}

/// A picture that is kept has a line a curve, all of its points and who is who; PNG is the same, larger.
#[test]
#[ignore = "needs Chromium and its driver"]
fn pictures_are_kept_as_they_are_drawn() {
    let opened = Opened::new();
    opened.show(EVERYTHING);
    let rows = opened.download("speedup");
    let curve = |row: &Line| ["folder", "costs", "method"].map(|name| row[name].clone());
    let curves: BTreeSet<_> = rows.iter().map(curve).collect();
    opened.browser.click("#svg-speedup");
    let svg = String::from_utf8(opened.kept("speedup", "svg")).unwrap();
    assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"), "{svg:.200}");
    assert!(!svg.contains("NaN") && !svg.contains("undefined"), "{svg}");
    let marks = svg.matches("scale(4.6)").count();
    assert_eq!(marks, rows.len() + curves.len(), "a mark a point, and one a curve in the legend");
    let words = svg.split('<').filter_map(|part| part.strip_prefix("text ")?.split_once('>'));
    let words: Vec<_> = words.map(|(_, words)| words).collect();
    assert!(words.join(" ").matches(QUESTION).count() == 1, "once for all curves: {words:?}");
    assert!(svg.contains(">P: threads, or virtual processors<") && svg.contains("SIMULATED"), "{svg}");
    opened.browser.click("#png-speedup");
    let picture = png::Decoder::new(Cursor::new(opened.kept("speedup", "png"))).read_info().unwrap();
    let width = svg.split_once(" width=\"").and_then(|(_, rest)| rest.split_once('"')).unwrap().0;
    assert_eq!(picture.info().width, 2 * width.parse::<u32>().unwrap());
}

#[test]
#[ignore = "needs Chromium and its driver"]
fn choices_change_the_curves_and_the_address() {
    let opened = Opened::new();
    opened.show("show=many/here-2/unit");
    let all = opened.drawn();
    opened.browser.click("input[name=methods][value=abdada]");
    let without = opened.drawn();
    assert_ne!(all, without);
    assert_eq!(opened.browser.script("return document.activeElement.value"), "abdada", "keeps the focus");
    let methods: BTreeSet<_> = opened.download("speedup").iter().map(|row| row["method"].clone()).collect();
    assert_eq!(methods, ["both", "chance-split"].map(str::to_owned).into());
    assert!(!opened.browser.text("#legend").contains("abdada"));

    opened.browser.click("input[name=positions][value=some]");
    assert_ne!(opened.drawn(), without);
    let model = &opened.printed["models"][0];
    let row = |method: &Value, processors: &Value| {
        let (rows, processors) = (opened.download("speedup"), processors.to_string());
        let is_own = |row: &&Line| row["method"] == *method && row["processors"] == processors;
        rows.iter().find(is_own).expect("a row").clone()
    };
    let largest =
        model["by_position"].as_array().unwrap().iter().max_by_key(|position| position["nodes"].as_u64());
    let largest = largest.expect("positions");
    for (place, parallel) in model["parallel"].as_array().unwrap().iter().enumerate() {
        if parallel["method"] == "abdada" {
            continue;
        }
        let row = row(&parallel["method"], &parallel["processors"]);
        let position = format!("{}: {}", largest["index"], largest["position"].as_str().unwrap());
        assert_eq!((&row["positions"][..], &row["chosen_positions"]), ("1", &position));
        assert_eq!(row["speedup_interval_low"], "");
        is_close(&row["speedup_median"], &largest["speedups"][place].to_string(), 6, "a single position");
    }

    // The address gives the same view again.
    let (view, address) = (opened.drawn(), opened.browser.script("return location.hash"));
    opened.show(address.as_str().unwrap().trim_start_matches('#'));
    assert_eq!(opened.drawn(), view);
    opened.browser.click("input[name=panels][value='many/here-2/unit']");
    assert!(opened.browser.text("#headline").contains("Nothing is shown"));
}

#[test]
#[ignore = "needs Chromium and its driver"]
fn the_page_is_drawn_in_light_and_dark_without_a_network_or_a_complaint() {
    let opened = Opened::new();
    let system = |scheme: &str| {
        let feature = json!({"name": "prefers-color-scheme", "value": scheme});
        opened.browser.command("Emulation.setEmulatedMedia", &json!({"features": [feature]}));
    };
    system("light");
    opened.show(EVERYTHING);
    let (light, colours) = opened.look();
    assert!(light > 200.0 && colours > 100, "{light} {colours}");
    system("dark");
    let dark = await_some("the dark", || Some(opened.look()).filter(|(bright, _)| *bright < 80.0));
    assert!(dark.1 > 100, "{dark:?}");
    opened.show(&format!("{EVERYTHING}&theme=light"));
    assert!(opened.look().0 > 200.0, "the switch goes before the system");
    // Narrow windows scroll in one direction only.
    let narrow = json!({"width": 380, "height": 800, "deviceScaleFactor": 1, "mobile": false});
    opened.browser.command("Emulation.setDeviceMetricsOverride", &narrow);
    opened.show(EVERYTHING);
    assert_eq!(opened.browser.script("return document.documentElement.scrollWidth <= innerWidth"), true);

    let complaints = opened.browser.log("browser");
    assert!(complaints.is_empty(), "{complaints:?}");
    let loaded: BTreeSet<String> = opened.browser.log("performance").iter().filter_map(requested).collect();
    assert!(loaded.iter().any(|address| address.starts_with("file://")), "{loaded:?}");
    let is_own = |address: &String| address.contains("/results/index.html") || address.starts_with("data:");
    assert!(loaded.iter().all(|address| is_own(address) || address == "about:blank"), "{loaded:?}");
}

/// The address that an entry of the log says was asked for.
fn requested(entry: &Value) -> Option<String> {
    let message: Value = serde_json::from_str(entry["message"].as_str()?).ok()?;
    let message = &message["message"];
    let is_request = message["method"] == "Network.requestWillBeSent";
    is_request.then(|| message["params"]["request"]["url"].as_str().map(str::to_owned))?
}
