//! What the page opens on, what it lists, and what its filters do.

use super::{EVERYTHING, Opened, QUESTION};
use crate::browser::await_some;
use serde_json::{Value, json};
use starsplit::search::Options;

const CONTROL_A: &str = "\u{e009}a\u{e000}";
const BACKSPACE: &str = "\u{e003}";
const ENTER: &str = "\u{e007}";

const NEWEST: &str = "many/there-2/real";

impl Opened {
    /// The experiments that are listed, those alone that are ticked where only they are asked for.
    fn listed(&self, are_ticked: bool) -> Vec<String> {
        let ticked = if are_ticked { ":checked" } else { "" };
        let script = format!(
            "return [...document.querySelectorAll('#experiments input{ticked}')].map((box) => box.value)"
        );
        let values = self.browser.script(&script);
        values.as_array().unwrap().iter().map(|value| value.as_str().unwrap().to_owned()).collect()
    }

    fn headline(&self) -> String {
        self.browser.text("#headline")
    }

    fn look_for(&self, words: &str) {
        self.browser.keys("#search", &[CONTROL_A, BACKSPACE, words].concat());
    }

    /// What the elements that are chosen by this say, one after another, whether one sees them or not.
    fn said(&self, css: &str) -> Value {
        self.browser.script(&format!(
            "return [...document.querySelectorAll('{css}')].map((one) => one.firstChild.textContent)"
        ))
    }
}

#[test]
#[ignore = "needs Chromium and its driver"]
fn the_page_opens_on_the_newest_records() {
    let opened = Opened::new();
    opened.show("");
    assert_eq!(opened.listed(true), [NEWEST, "many/here-2/unit"]);
    assert!(opened.browser.text("#legend").contains("there-2: real threads"));
}

#[test]
#[ignore = "needs Chromium and its driver"]
fn titles_are_questions_and_each_is_there_once_with_its_machines_below() {
    let opened = Opened::new();
    opened.show(EVERYTHING);
    let unknown = "Records of your own";
    let titles = json!([QUESTION, unknown]);
    assert_eq!(opened.said("#experiments summary"), titles);
    assert_eq!(opened.said("#folders h3"), titles);
    for shown in ["#legend .question", "#table [scope=rowgroup]"] {
        assert_eq!(opened.said(shown), json!([QUESTION]), "{shown}");
    }
    assert!(opened.browser.text("#legend").contains("greedy guarantee"));
    let machines = opened.said(&format!("[data-question=\"{QUESTION}\"] legend"));
    assert_eq!(machines, json!(["there-2", "here-2"]));
    let parts = opened.said(&format!("[data-question=\"{QUESTION}\"] label > span"));
    assert_eq!(parts, json!(["real threads ", "costs free ", "costs unit "]));
    // A record without a question is told by its folder.
    let parts = opened.said(&format!("[data-question=\"{unknown}\"] label > span"));
    assert_eq!(parts, json!(["oldest, real threads "]));
}

#[test]
#[ignore = "needs Chromium and its driver"]
fn none_all_and_search_choose_among_the_experiments() {
    let opened = Opened::new();
    opened.show(EVERYTHING);
    assert_eq!(opened.listed(false).len(), 4);
    // By the keyboard as by the mouse; the focus stays.
    opened.browser.keys("[name=none-panels]", ENTER);
    assert_eq!(opened.listed(true), Vec::<String>::new());
    assert_eq!(opened.browser.script("return document.activeElement.name"), "none-panels");
    assert_eq!(opened.headline(), "Nothing is shown: tick an experiment under “Experiments”.");
    opened.browser.click("[name=all-panels]");
    assert_eq!(opened.listed(true).len(), 4);

    // What is not listed stays as it is.
    opened.look_for("MANY real");
    assert_eq!(opened.listed(false), [NEWEST]);
    assert_eq!(opened.browser.script("return document.activeElement.id"), "search");
    assert_eq!(opened.browser.text("#listed"), "1 record listed, 4 ticked, 3 of them not listed");
    opened.browser.click("[name=none-panels]");
    opened.look_for("");
    assert_eq!(opened.listed(true), ["many/here-2/free", "many/here-2/unit", "oldest/real"]);
    opened.browser.click("[name=none-panels]");
    opened.look_for("real there-2");
    opened.browser.click("[name=all-panels]");
    let address = opened.browser.script("return decodeURIComponent(location.hash)");
    assert_eq!(address, format!("#show={NEWEST}"));

    opened.look_for("nowhere");
    assert_eq!(
        opened.browser.text("#experiments"),
        "No experiment has all the words “nowhere”: clear the search."
    );
    assert!(opened.browser.text("#legend").contains("there-2"));
}

#[test]
#[ignore = "needs Chromium and its driver"]
fn filters_have_names_for_those_who_do_not_see_them() {
    let opened = Opened::new();
    opened.show("show=many/here-2/unit&at=1: none");
    let names = opened.browser.script(
        "return [...document.querySelectorAll('#controls .every')].filter((one) => one.checkVisibility())\
         .map((one) => [...one.children].map((button) => button.ariaLabel))",
    );
    let both = |title: &str| json!([format!("none: {title}"), format!("all: {title}")]);
    let titles = ["experiments that are listed", "Methods", "single positions"];
    assert_eq!(names, json!(titles.map(both)));
    assert_eq!(
        opened.browser.script("return document.querySelector('#search').labels[0].innerText"),
        "Search"
    );
    assert_eq!(opened.browser.script("return document.querySelector('#listed').role"), "status");
}

/// For each filter that hides everything: what the page says to do, and what does it.
#[test]
#[ignore = "needs Chromium and its driver"]
fn where_nothing_is_shown_the_page_says_what_to_tick() {
    let opened = Opened::new();
    let ordering = Options::default().ordering.name();
    let orderings = format!("without-ordering={ordering}");
    for (hidden, hint, way) in [
        ("without-game=dice", "tick dice under “Games”", "[value=dice]".to_owned()),
        (
            "without=chance-split&without=both&without=abdada",
            "tick one of chance-split, both, abdada under “Methods”",
            "[value=abdada]".to_owned(),
        ),
        (
            &orderings[..],
            &format!("tick {ordering} under “Move orderings”"),
            format!("[name=orderings][value={ordering}]"),
        ),
        (
            "at=1: none",
            "tick a position under “Positions”, or choose “all” there",
            "[name=positions][value=all]".to_owned(),
        ),
    ] {
        opened.show(&format!("show=many/here-2/unit&{hidden}"));
        assert_eq!(opened.headline(), format!("Nothing is shown: {hint}."));
        if hidden == "without-game=dice" {
            assert_eq!(opened.browser.text("#experiments"), "No game is ticked: tick one under “Games”.");
        }
        opened.browser.click(&way);
        await_some("a curve", || opened.headline().starts_with("How many times").then_some(()));
    }
}
