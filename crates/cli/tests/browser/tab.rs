//! A tab: goes to pages, looks at them, presses keys and buttons as a person does. Knows nothing of what pages mean.
//!
//! Nothing sleeps: what is waited for is looked for in the page until it is so, or [`WITHIN`] is over and the test fails with
//! what was wanted and what the page shows.

use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::Instant;

use serde_json::{Value, json};

use crate::chrome::{Chrome, WITHIN};

/// Somebody's browser: cookies of their own.
pub(crate) struct Person {
    chrome: Arc<Chrome>,
    context: String,
    server: String,
}

impl Person {
    pub(crate) fn new(chrome: &Arc<Chrome>, server: &str) -> Self {
        let made = chrome.call(None, "Target.createBrowserContext", json!({})).expect("a context");
        Self {
            chrome: Arc::clone(chrome),
            context: text(&made, "browserContextId"),
            server: server.to_owned(),
        }
    }

    /// A new tab at a path of the server's.
    #[track_caller]
    pub(crate) fn open(&self, path: &str) -> Tab {
        let tab = self.blank();
        tab.go(path);
        tab
    }

    fn blank(&self) -> Tab {
        let call = |method, params| self.chrome.call(None, method, params).expect("the browser does it");
        let params =
            json!({"url": "about:blank", "browserContextId": self.context, "width": 1200, "height": 900});
        let target = text(&call("Target.createTarget", params), "targetId");
        let session = call("Target.attachToTarget", json!({"targetId": target, "flatten": true}));
        let session = text(&session, "sessionId");
        let events = self.chrome.follow(&session);
        let tab = Tab {
            chrome: Arc::clone(&self.chrome),
            context: self.context.clone(),
            server: self.server.clone(),
            target,
            session,
            events,
            complaints: RefCell::default(),
        };
        for domain in ["Page", "Runtime", "Log"] {
            tab.call(&format!("{domain}.enable"), json!({}));
        }
        tab
    }
}

/// A tab.
pub(crate) struct Tab {
    chrome: Arc<Chrome>,
    context: String,
    server: String,
    target: String,
    session: String,
    events: Receiver<Value>,
    complaints: RefCell<Vec<String>>,
}

fn text(value: &Value, field: &str) -> String {
    value[field].as_str().unwrap_or_default().to_owned()
}

/// As it stands in a script.
fn quoted(words: &str) -> String {
    Value::from(words).to_string()
}

impl Tab {
    #[track_caller]
    pub(crate) fn call(&self, method: &str, params: Value) -> Value {
        self.chrome.call(Some(&self.session), method, params).expect("the browser does it")
    }

    /// Goes to a path, and waits until the page is there.
    #[track_caller]
    pub(crate) fn go(&self, path: &str) {
        let went = self.call("Page.navigate", json!({"url": format!("{}{path}", self.server)}));
        assert!(went["errorText"].is_null(), "{path}: {went}");
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'");
    }

    /// What an expression is worth, once its promises are kept.
    fn try_worth(&self, expression: &str) -> Result<Value, String> {
        let params = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let mut said = self.chrome.call(Some(&self.session), "Runtime.evaluate", params)?;
        if said["exceptionDetails"].is_null() {
            return Ok(said["result"]["value"].take());
        }
        Err(format!("{expression}: {}", said["exceptionDetails"]["exception"]["description"]))
    }

    #[track_caller]
    pub(crate) fn worth(&self, expression: &str) -> Value {
        self.try_worth(expression).expect("an expression that works")
    }

    /// Waits until an expression is true, through whatever pages come meanwhile; returns what it is worth.
    #[track_caller]
    pub(crate) fn wait(&self, expression: &str) -> Value {
        let until = Instant::now() + WITHIN;
        let look = format!(
            "new Promise((done) => {{ const end = Date.now() + 2000; (function look() {{ let it; \
             try {{ it = ({expression}); }} catch (error) {{ it = null; }} \
             if (it || Date.now() > end) done(it || null); else setTimeout(look, 20); }})(); }})"
        );
        while Instant::now() < until {
            // A page that goes away takes its promises along: the next one is looked at.
            match self.try_worth(&look) {
                Ok(it) if it != Value::Null && it != Value::Bool(false) => return it,
                Ok(_) | Err(_) => {}
            }
        }
        let shown = self.try_worth("location.pathname + '\\n' + document.body.innerText").unwrap_or_default();
        panic!("waited for {expression}; the page shows {}", shown.as_str().unwrap_or_default());
    }

    /// Waits until the page says something.
    #[track_caller]
    pub(crate) fn sees(&self, words: &str) {
        self.wait(&format!("document.body.innerText.includes({})", quoted(words)));
    }

    /// Presses a button, link or summary by what it says.
    #[track_caller]
    pub(crate) fn press(&self, label: &str) {
        let found = format!(
            "[...document.querySelectorAll('button, a, summary, input[type=submit]')].find((it) => \
             it.innerText.trim() === {} && it.getClientRects().length > 0)",
            quoted(label)
        );
        self.click(&found);
    }

    /// Presses what a selector finds.
    #[track_caller]
    pub(crate) fn press_on(&self, selector: &str) {
        self.click(&format!("document.querySelector({})", quoted(selector)));
    }

    /// Clicks with the mouse into the middle of an element, once it lies still.
    #[track_caller]
    fn click(&self, element: &str) {
        let place = format!(
            "(() => {{ const it = {element}; if (!it) return null; it.scrollIntoView({{block: 'center', behavior: 'instant'}}); \
             const box = it.getBoundingClientRect(); return box.width > 0 && [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        );
        let place = self.wait(&place);
        for kind in ["mousePressed", "mouseReleased"] {
            let params = json!({"type": kind, "x": place[0], "y": place[1], "button": "left", "buttons": 1, "clickCount": 1});
            self.call("Input.dispatchMouseEvent", params);
        }
    }

    /// Puts the cursor into a field, by its selector, and replaces what is there.
    #[track_caller]
    pub(crate) fn fill(&self, selector: &str, words: &str) {
        let field = format!("document.querySelector({})", quoted(selector));
        self.wait(&format!(
            "(() => {{ const it = {field}; if (!it) return false; it.focus(); if (it.select) it.select(); return document.activeElement === it; }})()"
        ));
        self.write(words);
    }

    /// Writes at the cursor.
    pub(crate) fn write(&self, words: &str) {
        self.call("Input.insertText", json!({"text": words}));
    }

    /// Chooses from a list, by the option's value.
    #[track_caller]
    pub(crate) fn choose(&self, selector: &str, value: &str) {
        let list = format!("document.querySelector({})", quoted(selector));
        self.wait(&format!(
            "(() => {{ const it = {list}; if (!it) return false; it.value = {}; \
             it.dispatchEvent(new Event('input', {{bubbles: true}})); it.dispatchEvent(new Event('change', {{bubbles: true}})); return it.value === {}; }})()",
            quoted(value),
            quoted(value)
        ));
    }

    /// Presses a key: a letter or digit, or Tab, Enter, Space; with Ctrl if said.
    pub(crate) fn key(&self, key: &str, ctrl: bool) {
        let (name, code, number, words) = match key {
            "Tab" => ("Tab", "Tab".to_owned(), 9, ""),
            "Enter" => ("Enter", "Enter".to_owned(), 13, "\r"),
            "Space" => (" ", "Space".to_owned(), 32, " "),
            digit if digit.chars().all(|it| it.is_ascii_digit()) => {
                (digit, format!("Digit{digit}"), i64::from(digit.as_bytes()[0]), digit)
            }
            letter => (
                letter,
                format!("Key{}", letter.to_uppercase()),
                i64::from(letter.to_uppercase().as_bytes()[0]),
                letter,
            ),
        };
        let modifiers = if ctrl { 2 } else { 0 };
        let words = if ctrl { "" } else { words };
        let base =
            json!({"key": name, "code": code, "windowsVirtualKeyCode": number, "modifiers": modifiers});
        let mut down = base.clone();
        down["type"] = if words.is_empty() { "rawKeyDown".into() } else { "keyDown".into() };
        down["text"] = words.into();
        self.call("Input.dispatchKeyEvent", down);
        let mut up = base;
        up["type"] = "keyUp".into();
        self.call("Input.dispatchKeyEvent", up);
    }

    /// Puts files into a field.
    pub(crate) fn attach(&self, selector: &str, file: &Path) {
        self.wait(&format!("document.querySelector({}) !== null", quoted(selector)));
        let params = json!({"expression": format!("document.querySelector({})", quoted(selector))});
        let found = self.call("Runtime.evaluate", params);
        let params = json!({"files": [file], "objectId": found["result"]["objectId"]});
        self.call("DOM.setFileInputFiles", params);
    }

    /// Does something that downloads a file into a folder, and waits for it; returns its text.
    #[track_caller]
    pub(crate) fn download(&self, folder: &Path, act: impl FnOnce(&Self)) -> String {
        let events = self.chrome.follow("");
        let params = json!({"behavior": "allowAndName", "browserContextId": self.context, "downloadPath": folder, "eventsEnabled": true});
        self.chrome.call(None, "Browser.setDownloadBehavior", params).expect("a folder for downloads");
        act(self);
        loop {
            let event = events.recv_timeout(WITHIN).expect("a download");
            if event["method"] == "Browser.downloadProgress" && event["params"]["state"] == "completed" {
                let name = text(&event["params"], "guid");
                return std::fs::read_to_string(folder.join(name)).expect("a file");
            }
        }
    }

    /// As wide and high as this; a phone is 390 by 844.
    pub(crate) fn size(&self, width: u32, height: u32) {
        let params = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500});
        self.call("Emulation.setDeviceMetricsOverride", params);
    }

    /// As on a system that is set to dark, or to light.
    pub(crate) fn dark(&self, dark: bool) {
        let value = if dark { "dark" } else { "light" };
        let features = json!([{"name": "prefers-color-scheme", "value": value}]);
        self.call("Emulation.setEmulatedMedia", json!({"features": features}));
    }

    /// A picture of the whole page, as PNG.
    pub(crate) fn picture(&self) -> Vec<u8> {
        let shot =
            self.call("Page.captureScreenshot", json!({"format": "png", "captureBeyondViewport": true}));
        decoded(shot["data"].as_str().unwrap_or_default())
    }

    /// Whether something is wider than the page.
    pub(crate) fn overflows(&self) -> bool {
        self.worth("document.documentElement.scrollWidth > document.documentElement.clientWidth + 1") == true
    }

    /// Closes the tab, as with the mouse: pages hear of it.
    pub(crate) fn close(self) {
        self.call("Page.close", json!({}));
        let until = Instant::now() + WITHIN;
        while Instant::now() < until {
            let all = self.chrome.call(None, "Target.getTargets", json!({})).expect("the tabs");
            let all = all["targetInfos"].as_array().cloned().unwrap_or_default();
            if all.iter().all(|it| text(it, "targetId") != self.target) {
                return;
            }
        }
        panic!("the tab does not close");
    }

    /// What went wrong so far, as the console has it: scripts that failed or were kept from running, and dialogs.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let mut complaints = self.complaints.borrow_mut();
        while let Ok(event) = self.events.try_recv() {
            let params = &event["params"];
            match event["method"].as_str().unwrap_or_default() {
                "Runtime.exceptionThrown" => complaints.push(params["exceptionDetails"].to_string()),
                "Log.entryAdded" if params["entry"]["level"] == "error" => {
                    complaints.push(text(&params["entry"], "text"));
                }
                "Page.javascriptDialogOpening" => {
                    complaints.push(format!("dialog: {}", text(params, "message")));
                }
                _ => {}
            }
        }
        complaints.clone()
    }
}

/// Base64, as the browser sends pictures.
fn decoded(text: &str) -> Vec<u8> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => u32::from(letter - b'A'),
        b'a'..=b'z' => u32::from(letter - b'a') + 26,
        b'0'..=b'9' => u32::from(letter - b'0') + 52,
        b'+' => 62,
        _ => 63,
    };
    let letters: Vec<u8> = text.bytes().filter(|letter| *letter != b'=').collect();
    let group = |four: &[u8]| {
        let bits = four.iter().fold(0, |bits, letter| bits << 6 | value(*letter)) << (6 * (4 - four.len()));
        bits.to_be_bytes()[1..four.len()].to_vec()
    };
    letters.chunks(4).flat_map(group).collect()
}

#[test]
fn pictures_are_read_as_they_are_sent() {
    assert_eq!(decoded("TXVzdGVy"), b"Muster");
    assert_eq!(decoded("TXVzdGU="), b"Muste");
    assert_eq!(decoded("TXVzdA=="), b"Must");
}
