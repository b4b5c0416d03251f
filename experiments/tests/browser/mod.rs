//! A real browser without a window, driven over WebDriver.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Nothing that a test waits for takes longer, on a busy machine either.
const PATIENCE: Duration = Duration::from_secs(120);

/// Chromium: its own requests, updates and first-run pages would be noise among those of the page.
const ARGS: [&str; 9] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1500,1100",
];

/// The name under which WebDriver gives elements.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A browser, closed when this is dropped.
pub(crate) struct Browser {
    driver: Child,
    agent: ureq::Agent,
    session: String,
}

impl Browser {
    /// Starts one that keeps what it has to keep in `folder`, downloads among it.
    pub(crate) fn start(folder: &Path) -> Self {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver runs");
        let mut lines = BufReader::new(driver.stdout.take().expect("its output")).lines();
        let port = lines.find_map(|line| {
            let line = line.expect("text");
            let (_, port) = line.split_once("started successfully on port ")?;
            Some(port.trim_end_matches('.').to_owned())
        });
        // It would end if nobody read on.
        std::thread::spawn(move || lines.for_each(drop));
        let config = ureq::Agent::config_builder().timeout_global(Some(PATIENCE)).http_status_as_error(false);
        let session = format!("http://127.0.0.1:{}/session", port.expect("a port"));
        let mut browser = Browser { driver, agent: config.build().into(), session };
        let mut args: Vec<_> = ARGS.iter().map(|&arg| arg.to_owned()).collect();
        args.push(format!("--user-data-dir={}", folder.join("profile").display()));
        let options = json!({
            "args": args,
            "prefs": {"download.default_directory": folder, "download.prompt_for_download": false},
        });
        let wanted = json!({
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        });
        let made = browser.post("", &json!({"capabilities": {"alwaysMatch": wanted}}));
        browser.session += &format!("/{}", made["sessionId"].as_str().expect("a session"));
        // What the browser loads for its own first page is none of the tests' business.
        browser.open("about:blank");
        browser.log("performance");
        browser
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        let address = format!("{}{path}", self.session);
        let sent = self.agent.post(&address).content_type("application/json").send(body.to_string());
        Browser::answer(path, sent)
    }

    fn get(&self, path: &str) -> Value {
        Browser::answer(path, self.agent.get(format!("{}{path}", self.session)).call())
    }

    fn answer(path: &str, answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Value {
        let mut answer = answer.unwrap_or_else(|error| panic!("{path}: {error}"));
        let body = answer.body_mut().with_config().limit(100 << 20).read_to_string().expect("text");
        let mut body: Value = serde_json::from_str(&body).expect("JSON");
        assert!(answer.status().is_success(), "{path}: {body}");
        body["value"].take()
    }

    /// Opens a page.
    pub(crate) fn open(&self, address: &str) {
        self.post("/url", &json!({"url": address}));
    }

    /// What a function with this body gives in the page.
    pub(crate) fn script(&self, body: &str) -> Value {
        self.post("/execute/sync", &json!({"script": body, "args": []}))
    }

    /// A command of the browser's own protocol.
    pub(crate) fn command(&self, name: &str, params: &Value) {
        self.post("/goog/cdp/execute", &json!({"cmd": name, "params": params}));
    }

    fn element(&self, css: &str) -> String {
        let found = self.post("/element", &json!({"using": "css selector", "value": css}));
        found[ELEMENT].as_str().expect("an element").to_owned()
    }

    /// Clicks where a user would.
    pub(crate) fn click(&self, css: &str) {
        self.post(&format!("/element/{}/click", self.element(css)), &json!({}));
    }

    /// Types into an element.
    pub(crate) fn keys(&self, css: &str, keys: &str) {
        self.post(&format!("/element/{}/value", self.element(css)), &json!({"text": keys}));
    }

    /// The visible text of an element.
    pub(crate) fn text(&self, css: &str) -> String {
        let text = self.get(&format!("/element/{}/text", self.element(css)));
        text.as_str().expect("text").to_owned()
    }

    /// Moves the mouse to a place in the window.
    pub(crate) fn point_at(&self, (x, y): (f64, f64)) {
        let to = json!({"type": "pointerMove", "duration": 50, "x": x.round() as i64, "y": y.round() as i64});
        let mouse = json!({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"},
            "actions": [to]});
        self.post("/actions", &json!({"actions": [mouse]}));
    }

    /// What the window shows, as a PNG file in Base64.
    pub(crate) fn screenshot(&self) -> String {
        self.get("/screenshot").as_str().expect("a picture").to_owned()
    }

    /// What was logged since the last time: `browser` has the page's complaints, `performance` what was
    /// loaded.
    pub(crate) fn log(&self, kind: &str) -> Vec<Value> {
        let entries = self.post("/se/log", &json!({"type": kind}));
        entries.as_array().expect("a list").clone()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The browser ends with its session; whether that went well does not matter any more.
        let _ = self.agent.delete(&self.session).call();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// Waits until something is there.
pub(crate) fn await_some<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "{what} within {PATIENCE:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
