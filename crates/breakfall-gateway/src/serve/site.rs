//! One configuration at work: its endpoints by path, its keys, its certificate.

use std::collections::BTreeMap;
use std::sync::Arc;

use http::HeaderMap;
use http::header::AUTHORIZATION;

use super::api_keys::ApiKeys;
use super::assembly;
use super::endpoint::McpEndpoint;
use super::supervisor::Supervisor;
use super::{ServeOptions, StartError};
use crate::config::{self, Config, UpstreamSource};
use crate::resilience::registry::ResilienceRegistry;
use crate::upstream::{Upstream, UsageWriter};
use breakfall_mcp::access::Principal;
use breakfall_mcp::http_server::{HttpRefusal, Settings, TlsCertificate, TlsError};

/// One configuration at work. A reload replaces it by another.
#[derive(Debug)]
pub(super) struct Site {
    pub(super) config: Config,
    pub(super) keys: ApiKeys,
    pub(super) tls: Option<Arc<TlsCertificate>>,
    /// The state of breakers and limits, which outlives this configuration.
    resilience: Arc<ResilienceRegistry>,
    /// What quotas count, and where it is stored.
    pub(super) usage: UsageWriter,
    servers: BTreeMap<Box<str>, SiteServer>,
    /// All servers as one.
    all: Arc<McpEndpoint>,
}

/// A server, and the endpoint at its path.
#[derive(Debug, Clone)]
struct SiteServer {
    upstream: Arc<Upstream>,
    endpoint: Arc<McpEndpoint>,
}

impl Site {
    /// The site of a configuration. Servers that have not changed since the site before are kept, with their clients.
    ///
    /// # Errors
    /// When the configuration cannot be served. No server was started; the certificate may have been renewed.
    pub(super) fn new(
        config: Config,
        before: Option<&Self>,
        supervisor: &Arc<Supervisor>,
        options: &ServeOptions,
    ) -> Result<Self, StartError> {
        let tls = tls(&config, before)?;
        let resilience = before.map_or_else(Arc::default, |before| Arc::clone(&before.resilience));
        let usage = before.map_or_else(
            || {
                let store = options.recorder.store().cloned();
                UsageWriter::new(Arc::clone(resilience.quotas()), store)
            },
            |before| before.usage.clone(),
        );
        let same_limits = before.filter(|before| before.config.limits == config.limits);
        let limits = config.limits.of_requests();
        let mut servers = BTreeMap::new();
        for upstream in &config.upstreams {
            let name = upstream.name.as_str();
            let same = same_limits.and_then(|before| before.same(upstream));
            let server = if let Some(server) = same {
                server.clone()
            } else {
                let upstream = Upstream::from_config(upstream, options.in_process);
                let mut upstream = upstream.map_err(|error| error.of(name))?;
                upstream.context.recorder = options.recorder.clone();
                upstream.context.usage = usage.clone();
                upstream.resilience = resilience.upstream(name);
                let upstream = Arc::new(upstream);
                let endpoint = assembly::endpoint(&upstream, limits, supervisor);
                SiteServer { upstream, endpoint }
            };
            servers.insert(upstream.name.as_str().into(), server);
        }
        let same_names = same_limits.filter(|before| {
            (&before.config.separator, before.config.lost_upstream)
                == (&config.separator, config.lost_upstream)
                && before.config.replies == config.replies
                && before.config.upstreams == config.upstreams
        });
        let all = match same_names {
            Some(before) => Arc::clone(&before.all),
            None => all(&config, &servers, supervisor)?,
        };
        resilience.retain(|name| config.upstream(name).is_some());
        Ok(Self {
            keys: ApiKeys::new(&config.keys),
            resilience,
            usage,
            config,
            tls,
            servers,
            all,
        })
    }

    /// The settings of the HTTP server.
    pub(super) fn settings(&self) -> Settings {
        let config = &self.config;
        let mut settings = Settings::default();
        settings.hosts.clone_from(&config.hosts);
        settings.origins.clone_from(&config.origins);
        settings.sessions = config.sessions;
        let has_keyless = config.keys.is_empty() || config.upstreams.iter().any(passes);
        settings.session_shares = config.keys.len() + usize::from(has_keyless);
        settings.replies = config.replies.for_listener();
        settings.limits = config.limits.of_requests();
        settings.tls.clone_from(&self.tls);
        settings
    }

    /// All servers as one.
    pub(super) fn all(&self) -> &Arc<McpEndpoint> {
        &self.all
    }

    /// The endpoint at a path.
    pub(super) fn endpoint(&self, path: &str) -> Option<&Arc<McpEndpoint>> {
        match server_name(path)? {
            "" => Some(&self.all),
            name => self.servers.get(name).map(|server| &server.endpoint),
        }
    }

    /// The principal of a request to an MCP path.
    ///
    /// # Errors
    /// When the request lacks a valid key, or has two of the header.
    pub(super) fn authenticate(
        &self,
        path: &str,
        headers: &HeaderMap,
    ) -> Result<Principal, HttpRefusal> {
        if !self.passes_credentials(path) {
            return self.keys.authenticate(headers);
        }
        let mut given = headers.get_all(AUTHORIZATION).iter();
        match (given.next(), given.next()) {
            (None, _) => Ok(Principal::Anonymous),
            (Some(one), None) => Ok(Principal::unverified(one)),
            (Some(_), Some(_)) => Err(HttpRefusal::bad(
                "There are two of the header 'Authorization'",
                "Send one 'Authorization', with what the server asks for.",
            )),
        }
    }

    /// Whether `Authorization` goes on to a server at a path.
    fn passes_credentials(&self, path: &str) -> bool {
        let mut upstreams = self.config.upstreams.iter();
        match server_name(path) {
            Some("") => upstreams.any(passes),
            Some(name) => self.config.upstream(name).is_some_and(passes),
            None => false,
        }
    }

    /// The servers, by their names.
    pub(super) fn upstreams(&self) -> impl Iterator<Item = &Arc<Upstream>> {
        self.servers.values().map(|server| &server.upstream)
    }

    /// Every endpoint.
    pub(super) fn endpoints(&self) -> impl Iterator<Item = &Arc<McpEndpoint>> {
        let each = self.servers.values().map(|server| &server.endpoint);
        each.chain([&self.all])
    }

    /// The endpoints whose servers the next site removes: their clients must leave. Those of all servers must leave if
    /// any server is removed.
    pub(super) fn removed_in<'a>(
        &'a self,
        next: &'a Self,
    ) -> impl Iterator<Item = &'a Arc<McpEndpoint>> {
        let removed = self
            .servers
            .iter()
            .filter(|(name, _)| !next.servers.contains_key(*name));
        let is_any = removed.clone().next().is_some();
        let all = (is_any && !Arc::ptr_eq(&self.all, &next.all)).then_some(&self.all);
        removed.map(|(_, server)| &server.endpoint).chain(all)
    }

    fn same(&self, upstream: &config::UpstreamSettings) -> Option<&SiteServer> {
        let before = self.config.upstream(&upstream.name);
        before.filter(|before| *before == upstream)?;
        self.servers.get(upstream.name.as_str())
    }
}

/// Whether `Authorization` goes on to a server.
fn passes(upstream: &config::UpstreamSettings) -> bool {
    match &upstream.source {
        UpstreamSource::Url(remote) => remote.pass_authorization,
        UpstreamSource::Command(_) | UpstreamSource::Adapter(_) | UpstreamSource::Demo => false,
    }
}

/// The certificate of the configuration, read from its files now.
fn tls(config: &Config, before: Option<&Site>) -> Result<Option<Arc<TlsCertificate>>, TlsError> {
    let Some(files) = &config.tls else {
        return Ok(None);
    };
    let same = before.filter(|before| before.config.tls.as_ref() == Some(files));
    if let Some(tls) = same.and_then(|before| before.tls.clone()) {
        tls.renew()?;
        return Ok(Some(tls));
    }
    let tls = TlsCertificate::load(&files.cert, &files.key)?;
    Ok(Some(Arc::new(tls)))
}

/// The endpoint of all servers; a single server keeps its own names.
fn all(
    config: &Config,
    servers: &BTreeMap<Box<str>, SiteServer>,
    supervisor: &Arc<Supervisor>,
) -> Result<Arc<McpEndpoint>, StartError> {
    let upstreams = config.upstreams.iter();
    let upstreams = upstreams.filter_map(|upstream| servers.get(upstream.name.as_str()));
    let upstreams: Vec<&SiteServer> = upstreams.collect();
    if let [only] = upstreams.as_slice() {
        return Ok(Arc::clone(&only.endpoint));
    }
    let upstreams = upstreams.into_iter();
    let upstreams = upstreams
        .map(|server| Arc::clone(&server.upstream))
        .collect();
    assembly::aggregate_endpoint(upstreams, config, supervisor)
}

/// The server a path names; an empty name means all servers.
fn server_name(path: &str) -> Option<&str> {
    let rest = path.strip_prefix("/mcp")?;
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    if rest.is_empty() {
        return Some("");
    }
    let name = rest.strip_prefix('/')?;
    (!name.is_empty() && !name.contains('/')).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_names_all_servers_or_one() {
        for (path, means) in [
            ("/mcp", Some("")),
            ("/mcp/", Some("")),
            ("/mcp/files", Some("files")),
            ("/mcp/files/", Some("files")),
            ("/mcp//", None),
            ("/mcp/a/b", None),
            ("/mcpx", None),
            ("/", None),
            ("", None),
        ] {
            assert_eq!(server_name(path), means, "{path}");
        }
    }
}
