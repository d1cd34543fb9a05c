//! The programs that take turns: the server itself, and what is put in front of it.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::http::Place;

/// A program that runs. Dropping it ends it.
pub(crate) struct Side {
    child: Child,
    pub(crate) place: Place,
}

impl Side {
    /// The server by itself.
    pub(crate) fn direct() -> Result<Self, Box<dyn Error>> {
        let address = free()?;
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["serve", &address.to_string()]);
        Self::start(command, Place::at(address, "/mcp"))
    }

    /// nginx in front of it.
    pub(crate) fn nginx(directory: &Path, server: SocketAddr) -> Result<Self, Box<dyn Error>> {
        let address = free()?;
        let config = directory.join("nginx.conf");
        fs::write(&config, nginx_config(directory, address, server))?;
        let mut command = Command::new("nginx");
        command.arg("-p").arg(directory).arg("-c").arg(&config);
        Self::start(command, Place::at(address, "/mcp"))
    }

    /// Breakfall in front of it, over HTTP and as a child of its own.
    pub(crate) fn breakfall(
        breakfall: &Path,
        directory: &Path,
        server: SocketAddr,
    ) -> Result<Self, Box<dyn Error>> {
        let address = free()?;
        let config = directory.join("breakfall.yaml");
        fs::write(&config, breakfall_config(address, server)?)?;
        let mut command = Command::new(breakfall);
        command.arg("serve").arg("-c").arg(&config);
        Self::start(command, Place::at(address, "/mcp/remote"))
    }

    /// Breakfall in front of it as it comes: every call is checked, judged and recorded.
    pub(crate) fn judging(
        breakfall: &Path,
        directory: &Path,
        server: SocketAddr,
    ) -> Result<Self, Box<dyn Error>> {
        let address = free()?;
        let config = directory.join("judging.yaml");
        fs::write(&config, judging_config(directory, address, server)?)?;
        let mut command = Command::new(breakfall);
        command.arg("serve").arg("-c").arg(&config);
        Self::start(command, Place::at(address, "/mcp/remote"))
    }

    /// The peer in front of a child of its own.
    pub(crate) fn peer(peer: &Path, directory: &Path) -> Result<Self, Box<dyn Error>> {
        let address = free()?;
        let config = directory.join("proxy.toml");
        fs::write(&config, peer_config(address)?)?;
        let mut command = Command::new(peer);
        command.arg("--config").arg(&config);
        let mut place = Place::at(address, "/");
        place.tool = "bench/echo";
        Self::start(command, place)
    }

    fn start(mut command: Command, place: Place) -> Result<Self, Box<dyn Error>> {
        let quiet = command.stdin(Stdio::null()).stdout(Stdio::null());
        let child = quiet.stderr(Stdio::null()).spawn()?;
        let mut side = Self { child, place };
        for _ in 0..TRIES {
            if TcpStream::connect(side.place.address).is_ok() {
                return Ok(side);
            }
            if let Some(status) = side.child.try_wait()? {
                return Err(format!("{command:?} ended at once: {status}").into());
            }
            sleep(STEP);
        }
        Err(format!("{command:?} does not listen").into())
    }

    /// Bytes of its own memory: what is not a file. Linux only.
    pub(crate) fn memory(&self) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let mut lines = status.lines();
        let line = lines.find_map(|line| line.strip_prefix("RssAnon:"))?;
        let kilobytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
        Some(kilobytes * 1024)
    }
}

impl Drop for Side {
    fn drop(&mut self) {
        // Asked first, because nginx and gateways have children of their own. What has ended is what we want.
        let pid = self.child.id().to_string();
        let _ = Command::new("kill").args(["-TERM", &pid]).status();
        for _ in 0..TRIES {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            sleep(STEP);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Place {
    fn at(address: SocketAddr, path: &'static str) -> Self {
        Self {
            address,
            path,
            tool: "echo",
            session: None,
        }
    }
}

/// A port nobody has, which somebody else may take in the meantime; then the run fails.
fn free() -> io::Result<SocketAddr> {
    TcpListener::bind(("127.0.0.1", 0))?.local_addr()
}

/// As fast as nginx can be in this place: no logs, no files, connections that stay.
pub(crate) fn nginx_config(directory: &Path, address: SocketAddr, server: SocketAddr) -> String {
    let directory = directory.display();
    format!(
        "daemon off;
worker_processes 2;
pid {directory}/nginx.pid;
error_log /dev/null crit;
events {{ worker_connections 1024; }}
http {{
  access_log off;
  client_body_temp_path {directory}/body;
  proxy_temp_path {directory}/proxy;
  fastcgi_temp_path {directory}/fastcgi;
  uwsgi_temp_path {directory}/uwsgi;
  scgi_temp_path {directory}/scgi;
  keepalive_requests 100000000;
  upstream server {{
    server {server};
    keepalive 64;
    keepalive_requests 100000000;
  }}
  server {{
    listen {address};
    location / {{
      proxy_pass http://server;
      proxy_http_version 1.1;
      proxy_set_header Connection \"\";
      proxy_max_temp_file_size 0;
    }}
  }}
}}
"
    )
}

fn breakfall_config(address: SocketAddr, server: SocketAddr) -> io::Result<String> {
    let own = own()?;
    Ok(format!(
        "listen: {address}\nupstreams:\n  remote:\n    url: http://{server}/mcp\n    wire_only: true\n  child:\n    command: [{own}, stdio]\n    wire_only: true\n"
    ))
}

/// Nothing is set but where things are: what is recorded is not to stand among the records of whoever runs this.
fn judging_config(directory: &Path, address: SocketAddr, server: SocketAddr) -> io::Result<String> {
    let store = serde_json::to_string(&format!("sqlite:{}", records(directory).display()))?;
    Ok(format!(
        "listen: {address}\nstore: {store}\nupstreams:\n  remote:\n    url: http://{server}/mcp\n"
    ))
}

/// Where that gateway keeps what it records.
pub(crate) fn records(directory: &Path) -> PathBuf {
    // Apart from the configuration, whose directory is watched.
    directory.join("records").join("breakfall.db")
}

fn peer_config(address: SocketAddr) -> io::Result<String> {
    let own = own()?;
    let mut text = String::from("[proxy]\nname = \"bench\"\n");
    // Writing to a text does not fail.
    let _ = write!(
        text,
        "[proxy.listen]\nhost = \"{}\"\nport = {}\n[[backends]]\nname = \"bench\"\ntransport = \"stdio\"\ncommand = {own}\nargs = [\"stdio\"]\n",
        address.ip(),
        address.port()
    );
    Ok(text)
}

/// This program, quoted as YAML and TOML both read it.
fn own() -> io::Result<String> {
    let own = std::env::current_exe()?;
    Ok(serde_json::to_string(&own.to_string_lossy())?)
}

const STEP: Duration = Duration::from_millis(50);
const TRIES: u32 = 100;
