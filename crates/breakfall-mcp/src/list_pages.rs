//! Lists that come in pages.

use serde_json::{Map, Value};

use crate::jsonrpc::{Frame, FrameLimits};
use crate::protocol::meta;

/// The requests for the pages of a list, one after the other.
///
/// ```
/// use breakfall_mcp::list_pages::ListPages;
///
/// let mut pages = ListPages::new("tools/list", None);
/// assert_eq!(pages.request().and_then(|request| request.body().map(str::to_owned)).as_deref(), Some("{}"));
/// assert!(pages.advance(Some("2".to_owned())));
/// assert!(pages.request().is_some_and(|request| request.body() == Some(r#"{"cursor":"2"}"#)));
/// assert!(!pages.advance(None) && pages.is_complete());
/// ```
#[derive(Debug)]
pub struct ListPages {
    method: &'static str,
    /// The `_meta` of each request, as JSON.
    meta: Option<String>,
    cursor: Option<String>,
    number: u32,
    is_complete: bool,
}

impl ListPages {
    /// The first page of the list of a method. The `_meta` of the requests is JSON.
    pub fn new(method: &'static str, meta: Option<String>) -> Self {
        Self {
            method,
            meta,
            cursor: None,
            number: 0,
            is_complete: false,
        }
    }

    /// The request for the current page; `None` if its `_meta` nests too deeply.
    pub fn request(&self) -> Option<Frame> {
        let meta = self.meta.iter().map(|meta| format!(r#""_meta":{meta}"#));
        let cursor = self.cursor.as_deref().map(Value::from);
        let cursor = cursor.map(|cursor| format!(r#""cursor":{cursor}"#));
        let params: Vec<String> = meta.chain(cursor).collect();
        let (method, params) = (self.method, params.join(","));
        let text =
            format!(r#"{{"jsonrpc":"2.0","id":0,"method":"{method}","params":{{{params}}}}}"#);
        Frame::parse(text.into_bytes(), &FrameLimits::RESPONSE).ok()
    }

    /// The number of the current page, from 0.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Goes on to the page of a cursor; false after the last page. A server whose cursor leads to the same page, or that has
    /// more than [`Self::MAX_PAGES`], is taken for endless. Some servers send an empty cursor at the end.
    pub fn advance(&mut self, next: Option<String>) -> bool {
        let next = next.filter(|cursor| !cursor.is_empty());
        self.is_complete = next.is_none();
        if next.is_none() || next == self.cursor || self.number + 1 >= Self::MAX_PAGES {
            return false;
        }
        self.cursor = next;
        self.number += 1;
        true
    }

    /// Whether the last page was the end of the list.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// How many pages of one list are read.
    pub const MAX_PAGES: u32 = 1000;
}

/// What a request says about its client: the members of its `_meta` that the protocol defines, for another request on behalf
/// of the same client.
pub fn client_meta(meta: &str) -> String {
    let meta: Map<String, Value> = serde_json::from_str(meta).unwrap_or_default();
    let is_about = |(key, _): &(String, Value)| key.starts_with(meta::PROTOCOL_PREFIX);
    Value::Object(meta.into_iter().filter(is_about).collect()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endless_list_is_read_for_a_while() {
        let mut same = ListPages::new("tools/list", None);
        assert!(same.advance(Some("a".to_owned())));
        assert!(!same.advance(Some("a".to_owned())) && !same.is_complete());
        let mut other = ListPages::new("tools/list", None);
        let mut count = 1;
        while other.advance(Some(count.to_string())) {
            count += 1;
        }
        assert_eq!((count, other.is_complete()), (ListPages::MAX_PAGES, false));
        let mut empty = ListPages::new("tools/list", None);
        assert!(!empty.advance(Some(String::new())) && empty.is_complete());
    }
}
