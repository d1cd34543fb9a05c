//! `docs/demo.md` tells the tour as it is.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::json;

use super::client::Client;
use super::toured::stops;

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
    }
    assert!(
        page == fresh || std::env::var_os("BREAKFALL_BLESS").is_some(),
        "docs/demo.md is stale; run ./check bless"
    );
}

async fn table(client: &mut Client) -> String {
    let listed = client.result("tools/list", json!({})).await;
    let tools = listed["tools"].as_array().expect("a list");
    let stops = stops(client).await;
    let mut page =
        String::from("\n| tool | arguments | ends with | what to see |\n|---|---|---|---|\n");
    for tool in tools {
        let words = tool["description"].as_str().expect("a description");
        let mut about = format!("**{}**: {words}", tool["name"].as_str().expect("a name"));
        for stop in stops.iter().filter(|stop| stop["tool"] == tool["name"]) {
            let word = |name: &str| stop[name].as_str().expect("a text");
            let (arguments, ends, see) = (&stop["arguments"], word("ends"), word("see"));
            let _ = writeln!(page, "| {about} | `{arguments}` | {ends} | {see} |");
            about.clear();
        }
    }
    page
}

const BEGIN: &str = "<!-- the tour, generated -->";
const END: &str = "<!-- end of the tour -->";
