//! The families of planted leaks: each a public format, drawn at random.
//!
//! What has to vanish is what gives something away. For a credential that is the credential and each half of it; for a path the path,
//! its directory and the name in it; for a trace the files, functions and source lines of its frames; for a statement
//! its table and values; for an address with a password the password.

mod assignments;
mod chat;
mod cloud;
mod code_hosts;
mod keys;
mod logins;
mod network;
mod ours;
mod paths;
mod personal;
mod services;
mod sql;
mod traces;

use super::plant::Plant;
use super::random::Random;

/// A name, and what makes a leak of it.
pub(crate) type Family = (&'static str, fn(&mut Random) -> Plant);

/// Every family.
pub(crate) const FAMILIES: &[Family] = &[
    ("aws-access-key-id", cloud::aws_access_key_id),
    ("aws-secret-key", cloud::aws_secret_key),
    ("google-api-key", cloud::google_api_key),
    ("google-oauth", cloud::google_oauth),
    ("gcp-service-account", cloud::gcp_service_account),
    ("azure-storage", cloud::azure_storage),
    ("digitalocean", cloud::digitalocean),
    ("databricks", cloud::databricks),
    ("alibaba", cloud::alibaba),
    ("vault", cloud::vault),
    ("terraform-cloud", cloud::terraform_cloud),
    ("fly", cloud::fly),
    ("doppler", cloud::doppler),
    ("supabase", cloud::supabase),
    ("github-classic", code_hosts::github_classic),
    ("github-fine-grained", code_hosts::github_fine_grained),
    ("github-app", code_hosts::github_app),
    ("gitlab", code_hosts::gitlab),
    ("npm", code_hosts::npm),
    ("pypi", code_hosts::pypi),
    ("docker-hub", code_hosts::docker_hub),
    ("rubygems", code_hosts::rubygems),
    ("atlassian", code_hosts::atlassian),
    ("postman", code_hosts::postman),
    ("linear", code_hosts::linear),
    ("sentry", code_hosts::sentry),
    ("slack", chat::slack),
    ("slack-webhook", chat::slack_webhook),
    ("discord", chat::discord_token),
    ("discord-webhook", chat::discord_webhook),
    ("telegram", chat::telegram),
    ("teams-webhook", chat::teams_webhook),
    ("stripe", services::stripe),
    ("stripe-webhook", services::stripe_webhook),
    ("square", services::square),
    ("shopify", services::shopify),
    ("braintree", services::braintree),
    ("sendgrid", services::sendgrid),
    ("twilio", services::twilio),
    ("mailgun", services::mailgun),
    ("mailchimp", services::mailchimp),
    ("notion", services::notion),
    ("grafana", services::grafana),
    ("new-relic", services::new_relic),
    ("airtable", services::airtable),
    ("openai", services::openai),
    ("anthropic", services::anthropic),
    ("hugging-face", services::hugging_face),
    ("model-vendors", services::model_vendors),
    ("marked-keys", services::marked),
    ("pem", keys::pem),
    ("pgp", keys::pgp),
    ("jwt", keys::jwt),
    ("bearer", logins::bearer),
    ("basic", logins::basic),
    ("cookie", logins::cookie),
    ("dsn-sql", logins::dsn_sql),
    ("dsn-mongo", logins::dsn_mongo),
    ("dsn-redis", logins::dsn_redis),
    ("dsn-queue", logins::dsn_queue),
    ("dsn-other", logins::dsn_other),
    ("dsn-ado", logins::dsn_ado),
    ("dsn-jdbc", logins::dsn_jdbc),
    ("dsn-libpq", logins::dsn_libpq),
    ("basic-auth-url", logins::basic_auth_url),
    ("signed-url", logins::signed_url),
    ("assignment-json", assignments::in_json),
    ("assignment-yaml", assignments::in_yaml),
    ("assignment-env", assignments::in_env),
    ("assignment-ini", assignments::in_ini),
    ("assignment-dump", assignments::in_dump),
    ("assignment-query", assignments::in_query),
    ("assignment-flags", assignments::in_flags),
    ("assignment-xml", assignments::in_xml),
    ("assignment-header", assignments::in_header),
    ("email", personal::email),
    ("card", personal::card),
    ("phone", personal::phone),
    ("ssn", personal::ssn),
    ("nino", personal::nino),
    ("dni", personal::dni),
    ("cpf", personal::cpf),
    ("iban", personal::iban),
    ("trace-python", traces::python),
    ("trace-node", traces::node),
    ("trace-java", traces::java),
    ("trace-go", traces::go),
    ("trace-rust", traces::rust),
    ("trace-dotnet", traces::dotnet),
    ("trace-ruby", traces::ruby),
    ("trace-php", traces::php),
    ("path-unix", paths::unix),
    ("path-windows", paths::windows),
    ("path-share", paths::share),
    ("path-file-url", paths::file_url),
    ("sql", sql::sql),
    ("sql-parameters", sql::sql_parameters),
    ("sql-fragment", sql::sql_fragment),
    ("sql-schema", sql::sql_schema),
    ("private-ipv4", network::ipv4),
    ("private-ipv6", network::ipv6),
    ("internal-host", network::host),
    ("confirmation-token", ours::confirmation),
    ("quota-token", ours::quota),
    ("named-token", ours::named),
];
