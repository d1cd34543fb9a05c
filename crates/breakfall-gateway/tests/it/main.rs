//! Tests of the gateway through its public API: sessions over in-memory transports with simulated time, and real child processes.

#[cfg(test)]
mod aggregate;
#[cfg(test)]
mod bridge;
#[cfg(test)]
mod children;
#[cfg(test)]
mod config;
#[cfg(test)]
mod http_server;
#[cfg(test)]
mod module_order;
#[cfg(test)]
mod pipeline;
#[cfg(test)]
mod record;
#[cfg(test)]
mod remote;
#[cfg(test)]
mod reply;
#[cfg(test)]
mod resilience;
#[cfg(test)]
mod serve;
#[cfg(test)]
mod session;
#[cfg(test)]
mod store;
#[cfg(test)]
mod tools;

#[cfg(test)]
const IN_PROCESS: breakfall_gateway::upstream::InProcessServers =
    breakfall_gateway::upstream::InProcessServers {
        demo: breakfall_demo::spawn,
    };

#[cfg(test)]
fn options() -> breakfall_gateway::serve::ServeOptions {
    breakfall_gateway::serve::ServeOptions::new(IN_PROCESS)
}
