//! `docs/demo.md` tells the tour as it is.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::json;

use super::classification::code_of;
use super::client::Client;
use super::tour::stops;

#[tokio::test(start_paused = true)]
async fn the_page_tells_the_tour_as_it_is() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/demo.md");
    let page = std::fs::read_to_string(&path).expect("the page is there");
    let (head, rest) = page.split_once(BEGIN).expect("the table begins");
    let (_, tail) = rest.split_once(END).expect("the table ends");
    let mut client = Client::legacy(json!({})).await;
    let fresh = format!("{head}{BEGIN}{}{END}{tail}", table(&mut client).await);
    if std::env::var_os("BREAKFALL_BLESS").is_some() {
        std::fs::write(&path, &fresh).expect("the page can be written");
        return;
    }
    assert!(page == fresh, "docs/demo.md is stale; run ./check bless");
}

async fn table(client: &mut Client) -> String {
    let listed = client.result("tools/list", json!({})).await;
    let stops = stops(client).await;
    let mut page = String::from(HEAD);
    for tool in listed["tools"].as_array().expect("a list") {
        let words = tool["description"].as_str().expect("a description");
        let name = tool["name"].as_str().expect("a name");
        let mut about = format!("**{name}**: {words}");
        for stop in stops.iter().filter(|stop| stop["tool"] == name) {
            let word = |name: &str| stop[name].as_str().expect("a text");
            let (arguments, ends, see) = (&stop["arguments"], word("ends"), word("see"));
            let code = code_of(stop).await.map(|code| link(code.name()));
            let code = code.unwrap_or_default();
            let _ = writeln!(
                page,
                "| {about} | `{arguments}` | {ends} | {see} | {code} |"
            );
            about.clear();
        }
    }
    page
}

fn link(code: &str) -> String {
    format!("[`{code}`](codes.md#{})", code.to_lowercase())
}

const BEGIN: &str = "<!-- the tour, generated -->";
const END: &str = "<!-- end of the tour -->";
const HEAD: &str = "
| tool | arguments | ends with | what to see | read as |
|---|---|---|---|---|
";
