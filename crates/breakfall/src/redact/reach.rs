//! Hosts of any domain, where a sentence says that they were to be reached.

use std::sync::LazyLock;

use regex::bytes::Regex;

use super::address::port;
use super::bytes::{before, is_quote, line, one_of, run_back};
use super::finder::{MarkFinder, Rule};
use super::mark::Mark;

/// Looks through the line of a word about connections for names with dots.
pub(super) fn find(finder: &mut MarkFinder<'_>, at: usize, _: usize) {
    if !finder.wide || !finder.is_new(Rule::Reach, at) {
        return;
    }
    let text = finder.text;
    let (from, to) = line(text, at, REACH);
    let from = from.max(finder.read(Rule::Reach));
    finder.passed(Rule::Reach, to.max(at + 1));
    for found in NAME.find_iter(&text[from..to]) {
        let (start, end) = (from + found.start(), from + found.end());
        let name = found.as_bytes();
        let close = port(text, end);
        // A domain of no country is one of an inner network, where its first label is that of a machine.
        let first = name.split(|byte| *byte == b'.').next().unwrap_or_default();
        let top = name.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
        let is_inner = first.contains(&b'-')
            && top.len() >= 3
            && top.iter().all(u8::is_ascii_lowercase)
            && !one_of(top, FILES);
        if (is_domain(name) || is_inner)
            && !is_public(name)
            && stands_free(text, start, close)
            && is_machine(name, close > end, text[..start].ends_with(b"//"))
        {
            finder.found(start, close, Mark::Host);
        }
    }
}

/// Looks around the marker of a credential: the hosts beside it are where it is used, and no pages for people.
pub(super) fn beside(finder: &mut MarkFinder<'_>, at: usize, end: usize) {
    let text = finder.text;
    if !finder.wide || !finder.is_new(Rule::Beside, at) {
        return;
    }
    let from = at.saturating_sub(BESIDE).max(finder.read(Rule::Beside));
    let far = text.len().min(end + BESIDE);
    finder.passed(Rule::Beside, far);
    for found in NAME.find_iter(&text[from..far]) {
        let (start, end) = (from + found.start(), from + found.end());
        let name = found.as_bytes();
        let close = port(text, end);
        let is_whole = super::bytes::begins(text, start) && super::bytes::ends(text, end);
        if is_whole
            && is_domain(name)
            && !is_known(name)
            && stands_free(text, start, close)
            && is_machine(name, close > end, text[..start].ends_with(b"//"))
        {
            finder.found(start, close, Mark::Host);
        }
    }
}

/// A host of three labels of which the first is that of a machine or of a service: `ups-b2.raum014.uni-ilm.de`, wherever it stands.
pub(super) fn machine(finder: &mut MarkFinder<'_>, at: usize, end: usize) {
    let text = finder.text;
    let goes_on =
        text.get(end) == Some(&b'.') && text.get(end + 1).is_some_and(u8::is_ascii_alphanumeric);
    if !finder.wide
        || goes_on
        || text
            .get(end)
            .is_some_and(|byte| super::bytes::is_token(*byte))
    {
        return;
    }
    let part = |byte: u8| {
        byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'.')
    };
    let start = run_back(text, at, 128, part);
    let name = &text[start..end];
    let first = name.split(|byte| *byte == b'.').next().unwrap_or_default();
    let is_machine = first
        .iter()
        .any(|byte| byte.is_ascii_digit() || *byte == b'-')
        && first.first().is_some_and(u8::is_ascii_lowercase)
        || one_of(first, SERVICES);
    let close = port(text, end);
    if is_machine
        && name.split(|byte| *byte == b'.').count() >= 3
        && !name.windows(2).any(|two| two == b"..")
        && !is_public(name)
        && stands_free(text, start, close)
    {
        finder.found(start, close, Mark::Host);
    }
}

/// What the hosts of services inside begin with.
const SERVICES: &str = "harbor registry git gitlab jenkins nexus artifactory jira confluence vault consul grafana kibana prometheus db sql mysql \
    postgres pg redis mongo kafka mq rabbit ldap dc vpn ftp sftp smtp mx imap ntp proxy gw gateway lb cache nas san nfs smb backup ci build \
    staging stage stg prod qa uat int intranet internal erp crm sap hr bastion jump elastic";

/// The ends of domains that it looks at.
pub(super) const DOMAINS: &str = ".com|.net|.org|.de|.io|.ch|.at|.fr|.nl|.eu|.uk|.pl|.cz|.se|.no|.fi|.dk|.it|.es|.pt|.be|.lu|.ie|.us|.ca|.au|.nz|.jp|\
    .kr|.in|.br|.ru|.ua|.tr|.gr|.hu|.ro|.bg|.hr|.si|.sk|.lt|.lv|.ee|.cloud|.dev|.app|.zone|.box|.grid|.tech|.mx|.ar|.cl|.za|.il|.cn|.sg|.hk|.tw";

/// How far from a credential.
const BESIDE: usize = 400;

/// Names with dots, in small letters.
static NAME: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?-u)\b[a-z0-9][a-z0-9-]*(?:\.[a-z0-9][a-z0-9-]*)+").expect("the pattern is one")
});

/// The value of a name that says it is a host: `"login_host": "pg2.acme.net"`.
pub(super) fn named(finder: &mut MarkFinder<'_>, _: usize, end: usize) {
    static VALUE: LazyLock<Regex> = LazyLock::new(|| {
        let value = r"[A-Za-z0-9][\w-]*(?:\.[\w-]+)+|[a-z][a-z0-9]*(?:-[a-z0-9]+)*-?\d+|[a-z][a-z0-9]+(?:-[a-z0-9]+)+";
        Regex::new(&format!(
            r#"(?-u)\A\\?["'`]?[:=]?>? ?\\?["'`\[]?(?:[a-z]+://)?({value})(?::\d+)?"#
        ))
        .expect("the pattern is one")
    });
    let text = finder.text;
    if !finder.wide {
        return;
    }
    let Some(value) = VALUE
        .captures(&text[end..text.len().min(end + 256)])
        .and_then(|found| found.get(1))
    else {
        return;
    };
    let (start, name) = (end + value.start(), value.as_bytes());
    let close = end + value.end();
    let has_letter = name.iter().any(u8::is_ascii_alphabetic);
    let is_file = name.contains(&b'.') && !is_domain(name);
    let is_told = name.contains(&b'.')
        || port(text, close) > close
        || text[end..start]
            .iter()
            .any(|byte| *byte == b':' || is_quote(*byte));
    if has_letter
        && is_told
        && !is_file
        && !is_public(name)
        && stands_free(text, start, port(text, close))
    {
        finder.found(start, port(text, close), Mark::Host);
    }
}

/// `http://customer-profile:8080/…`: a host of one word, which only an inner network resolves.
pub(super) fn single(finder: &mut MarkFinder<'_>, _: usize, end: usize) {
    let text = finder.text;
    let part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let close = super::bytes::run(text, end, 64, part);
    let name = &text[end..close];
    let served = port(text, close);
    let is_told = name.contains(&b'-') || served > close;
    if is_told
        && name.first().is_some_and(u8::is_ascii_alphabetic)
        && name.len() >= 3
        && text.get(close) != Some(&b'.')
        && text.get(served) != Some(&b'@')
        && !one_of(name, PLACEHOLDERS)
    {
        finder.found(end, served, Mark::Host);
    }
}

/// How far a word about connections counts.
const REACH: usize = 240;

/// Whether the last label is one of a domain, and not the ending of a file.
fn is_domain(name: &[u8]) -> bool {
    let top = name.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    let is_top = top.len() == 2 || one_of(top, TOPS);
    let labels = name.split(|byte| *byte == b'.').count();
    // Endings of files that are domains of countries too.
    if labels >= 3 && one_of(top, "pl") {
        return true;
    }
    is_top && top.iter().all(u8::is_ascii_lowercase) && !one_of(top, FILES)
}

/// Whether a name in small letters is that of a host of a tenant: three labels, a domain, and not one that everybody knows.
pub(super) fn is_tenant(name: &[u8]) -> bool {
    let first = name.split(|byte| *byte == b'.').next().unwrap_or_default();
    let labels = name.split(|byte| *byte == b'.').count();
    is_domain(name) && !is_known(name) && !one_of(first, PACKAGES) && labels >= 3
}

/// What the names of packages and members of objects begin with.
const PACKAGES: &str = "com org net io dev java javax self this app std core module sys os de";

/// Domains of more than two letters.
const TOPS: &str = "com net org info biz app dev cloud tech online site store shop xyz pro systems network digital agency company services solutions \
    software studio email media group team work school health finance bank energy global earth internal intern local lan corp intranet private \
    ads int gov edu mil coop museum aero bio eco farm house live one life world zone space host hosting name mobi example";

/// Whether a host has three labels, or two and the port of a service.
fn is_machine(name: &[u8], has_port: bool, is_address: bool) -> bool {
    let mut labels = name.split(|byte| *byte == b'.');
    let first = labels.clone().next().unwrap_or_default();
    let count = labels.clone().count();
    let is_code = one_of(first, PACKAGES);
    (!is_code || is_address)
        && (count >= 3
            || has_port
            || count == 2 && labels.any(|label| label.contains(&b'-') && label.len() > 5))
}

/// Whether a host is one that everybody knows, or a page for people.
fn is_public(name: &[u8]) -> bool {
    let first = name.split(|byte| *byte == b'.').next().unwrap_or_default();
    one_of(first, PAGES) || is_known(name)
}

/// Whether a host is one that everybody knows, or of an example.
fn is_known(name: &[u8]) -> bool {
    let mut labels = name.rsplit(|byte| *byte == b'.');
    let top = labels.next().unwrap_or_default();
    let second = labels.next().unwrap_or_default();
    one_of(top, "invalid test localhost example")
        || one_of(second, VENDORS)
        || one_of(second, "example")
        || one_of(name, PLACEHOLDERS)
}

/// Whether neither a login stands before a name nor a call or a path behind it.
fn stands_free(text: &[u8], start: usize, end: usize) -> bool {
    let opens = before(text, start).is_none_or(|byte| {
        byte.is_ascii_whitespace()
            || is_quote(byte)
            || matches!(
                byte,
                b'(' | b'[' | b'{' | b'=' | b':' | b',' | b'<' | b'>' | b'|' | b';' | b'@'
            )
    });
    let closes = text.get(end).is_none_or(|byte| {
        byte.is_ascii_whitespace()
            || is_quote(*byte)
            || matches!(
                byte,
                b')' | b']'
                    | b'}'
                    | b','
                    | b';'
                    | b':'
                    | b'.'
                    | b'<'
                    | b'>'
                    | b'|'
                    | b'\\'
                    | b'/'
                    | b'!'
                    | b'?'
                    | b'('
                    | b'['
            )
    });
    let goes_on =
        text.get(end) == Some(&b'.') && text.get(end + 1).is_some_and(u8::is_ascii_alphanumeric);
    let is_address = text[..start].ends_with(b"//");
    let is_call = text.get(end) == Some(&b'(');
    (opens || is_address) && closes && !is_call && !goes_on
}

/// What the hosts of pages for people begin with, and of interfaces that everybody may call.
const PAGES: &str = "www docs doc api app apps login console portal dashboard account accounts my auth sso help support status developer developers \
    learn blog wiki errors go get shop store pay checkout id bugs issues forum community news";

/// Words that stand for a host.
const PLACEHOLDERS: &str = "localhost host hostname server example your-host your-server user-agent hostname:port db-host my-host \
    not-found end-of-file non-existent read-only built-in well-known same-origin";

/// Whose hosts everybody reaches.
const VENDORS: &str = "github githubusercontent gitlab bitbucket npmjs pypi pythonhosted crates docker google googleapis gstatic microsoft \
    microsoftonline apple mozilla w3 ietf rfc-editor schema json-schema openai anthropic stripe slack discord telegram twilio sendgrid \
    mailgun cloudflare apache mysql postgresql oracle redhat ubuntu debian kernel gnu python nodejs golang rust-lang rubygems maven \
    yarnpkg nixos terraform hashicorp k8s kubernetes wikipedia stackoverflow atlassian heroku vercel netlify datadoghq sentry amazon amazonaws paypal gmail \
    outlook office365 office yahoo facebook graph twitter linkedin letsencrypt quay gcr";

/// Endings of files that a host does not have.
const FILES: &str = "py rb go rs java php cs ts js mjs cjs jsx tsx c cc cpp h kt scala swift ex exs sh sql yml yaml toml json xml html htm css \
    md txt log conf cfg ini env lock pem key crt csv xlsx pdf png jpg svg zip gz tar exe dll whl gem deb rpm apk tgz nupkg so jar war class db sqlite bak tmp vue \
    properties proto gradle tf tfstate ipynb hpp erl lua pl dart svelte wasm map snap local";
