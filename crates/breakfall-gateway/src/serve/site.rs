//! What is served: one configuration, and what stands at which path because of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::endpoint::Endpoint;
use super::keepers::Keepers;
use super::keys::Keys;
use super::one::One;
use super::together::Together;
use super::{ServeOptions, Unserved};
use crate::aggregate::{All, Seal};
use crate::config::{self, Config, UpstreamSource};
use crate::upstream::Upstream;
use breakfall_mcp::http_server::{BadTls, Settings, Tls};

/// One configuration at work. It never changes; another takes its place.
#[derive(Debug)]
pub(super) struct Site {
    pub(super) config: Config,
    pub(super) keys: Keys,
    pub(super) tls: Option<Arc<Tls>>,
    servers: BTreeMap<Box<str>, Server>,
    /// All of them as one.
    all: Arc<Endpoint>,
}

/// A server, and what stands at its path.
#[derive(Debug, Clone)]
struct Server {
    upstream: Arc<Upstream>,
    endpoint: Arc<Endpoint>,
}

impl Site {
    /// Puts a configuration to work. What has not changed since the one before is kept as it is, with everybody who
    /// uses it.
    ///
    /// # Errors
    /// When that is not possible. Nothing has happened then.
    pub(super) fn new(
        config: Config,
        before: Option<&Self>,
        keepers: &Arc<Keepers>,
        options: &ServeOptions,
    ) -> Result<Self, Unserved> {
        let tls = tls(&config, before)?;
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
                upstream.means.recorder = options.recorder.clone();
                let upstream = Arc::new(upstream);
                let behind = Box::new(One::new(Arc::clone(&upstream)));
                let endpoint = Endpoint::new(behind, limits, Arc::clone(keepers));
                let endpoint = Arc::new(endpoint);
                Server { upstream, endpoint }
            };
            servers.insert(upstream.name.as_str().into(), server);
        }
        let same_names = same_limits.filter(|before| {
            (&before.config.separator, before.config.lost_upstream)
                == (&config.separator, config.lost_upstream)
                && before.config.upstreams == config.upstreams
        });
        let all = match same_names {
            Some(before) => Arc::clone(&before.all),
            None => all(&config, &servers, keepers)?,
        };
        Ok(Self {
            keys: Keys::new(&config.keys),
            config,
            tls,
            servers,
            all,
        })
    }

    /// How clients are let in.
    pub(super) fn settings(&self) -> Settings {
        let config = &self.config;
        let mut settings = Settings::default();
        settings.hosts.clone_from(&config.hosts);
        settings.origins.clone_from(&config.origins);
        settings.sessions = config.sessions;
        settings.limits = config.limits.of_requests();
        settings.tls.clone_from(&self.tls);
        settings
    }

    /// All servers as one.
    pub(super) fn all(&self) -> &Arc<Endpoint> {
        &self.all
    }

    /// What stands at a path.
    pub(super) fn at(&self, path: &str) -> Option<&Arc<Endpoint>> {
        match name(path)? {
            "" => Some(&self.all),
            name => self.servers.get(name).map(|server| &server.endpoint),
        }
    }

    /// Whether whoever asks what is at a path has to say who it is first.
    pub(super) fn is_kept(path: &str) -> bool {
        let rest = path.strip_prefix("/mcp");
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// Whether clients' own credentials go on to what stands at a path.
    pub(super) fn passes_credentials(&self, path: &str) -> bool {
        let passes = |upstream: &config::UpstreamSettings| match &upstream.source {
            UpstreamSource::Url(remote) => remote.pass_authorization,
            UpstreamSource::Command(_) | UpstreamSource::Adapter(_) | UpstreamSource::Demo => false,
        };
        let mut upstreams = self.config.upstreams.iter();
        match name(path) {
            Some("") => upstreams.any(passes),
            Some(name) => self.config.upstream(name).is_some_and(passes),
            None => false,
        }
    }

    /// The servers, by their names.
    pub(super) fn upstreams(&self) -> impl Iterator<Item = &Arc<Upstream>> {
        self.servers.values().map(|server| &server.upstream)
    }

    /// Everything that stands anywhere.
    pub(super) fn endpoints(&self) -> impl Iterator<Item = &Arc<Endpoint>> {
        let each = self.servers.values().map(|server| &server.endpoint);
        each.chain([&self.all])
    }

    /// What stands here and not there, not even changed: those who sit at it have to go. Whoever speaks to all servers has
    /// to if one of them is gone.
    pub(super) fn lost_to<'a>(&'a self, next: &'a Self) -> impl Iterator<Item = &'a Arc<Endpoint>> {
        let gone = self
            .servers
            .iter()
            .filter(|(name, _)| !next.servers.contains_key(*name));
        let is_any = gone.clone().next().is_some();
        let all = (is_any && !Arc::ptr_eq(&self.all, &next.all)).then_some(&self.all);
        gone.map(|(_, server)| &server.endpoint).chain(all)
    }

    fn same(&self, upstream: &config::UpstreamSettings) -> Option<&Server> {
        let before = self.config.upstream(&upstream.name);
        before.filter(|before| *before == upstream)?;
        self.servers.get(upstream.name.as_str())
    }
}

/// The certificate, as its files are now.
fn tls(config: &Config, before: Option<&Site>) -> Result<Option<Arc<Tls>>, BadTls> {
    let Some(files) = &config.tls else {
        return Ok(None);
    };
    let same = before.filter(|before| before.config.tls.as_ref() == Some(files));
    if let Some(tls) = same.and_then(|before| before.tls.clone()) {
        tls.renew()?;
        return Ok(Some(tls));
    }
    let tls = Tls::load(&files.cert, &files.key)?;
    Ok(Some(Arc::new(tls)))
}

/// All servers as one; a single one stands for itself, under its own names.
fn all(
    config: &Config,
    servers: &BTreeMap<Box<str>, Server>,
    keepers: &Arc<Keepers>,
) -> Result<Arc<Endpoint>, Unserved> {
    let upstreams = config.upstreams.iter();
    let upstreams = upstreams.filter_map(|upstream| servers.get(upstream.name.as_str()));
    let upstreams: Vec<&Server> = upstreams.collect();
    if let [only] = upstreams.as_slice() {
        return Ok(Arc::clone(&only.endpoint));
    }
    let upstreams = upstreams.into_iter();
    let upstreams = upstreams
        .map(|server| Arc::clone(&server.upstream))
        .collect();
    let seal = Seal::random().map_err(|_| Unserved::Random)?;
    let mut all = All::new(upstreams, &config.separator, seal)?;
    all.lost = config.lost_upstream;
    let behind = Box::new(Together::new(all));
    let limits = config.limits.of_requests();
    Ok(Arc::new(Endpoint::new(behind, limits, Arc::clone(keepers))))
}

/// Which server a path means; nothing of a name means all of them.
fn name(path: &str) -> Option<&str> {
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
    fn a_path_means_all_servers_or_one() {
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
            assert_eq!(name(path), means, "{path}");
        }
    }
}
