//! The gateway from outside: the relay over transports in memory and simulated time, and real children.

#[cfg(test)]
mod bridge;
#[cfg(test)]
mod children;
#[cfg(test)]
mod config;
#[cfg(test)]
mod http_server;
#[cfg(test)]
mod many;
#[cfg(test)]
mod module_order;
#[cfg(test)]
mod pipeline;
#[cfg(test)]
mod record;
#[cfg(test)]
mod relay;
#[cfg(test)]
mod remote;
#[cfg(test)]
mod reply;
#[cfg(test)]
mod resilience;
#[cfg(test)]
mod serve;
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
