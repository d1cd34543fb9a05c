//! What the library depends on: whoever adds a line here makes every server author build it.

#[test]
fn the_required_dependencies_are_these() {
    let manifest = include_str!("../../Cargo.toml");
    let section = manifest
        .split("\n[")
        .find_map(|part| part.strip_prefix("dependencies]\n"));
    let lines = section
        .expect("a section [dependencies]")
        .lines()
        .filter(|line| !line.is_empty());
    let required: Vec<_> = lines
        .filter(|line| !line.contains("optional = true"))
        .collect();
    assert_eq!(
        required,
        [
            "getrandom.workspace = true",
            "jiff.workspace = true",
            "memchr.workspace = true",
            "regex.workspace = true",
            "serde.workspace = true",
            "serde_json.workspace = true",
            "uuid.workspace = true"
        ]
    );
}

#[test]
fn the_readme_names_the_versions_that_are_supported() {
    let manifest = include_str!("../../../../Cargo.toml");
    let readme = include_str!("../../README.md");
    for name in [
        "rmcp",
        "axum-core",
        "http",
        "hyper",
        "reqwest",
        "anyhow",
        "jiff",
        "serde_json",
    ] {
        let line = manifest
            .lines()
            .find(|line| line.split(' ').next() == Some(name));
        let version = line.and_then(|line| line.split('"').nth(1)).unwrap();
        let parts: Vec<_> = version.split('.').take(2).collect();
        let major = if parts[0] == "0" {
            parts.join(".")
        } else {
            parts[0].to_owned()
        };
        assert!(
            readme.contains(&format!("{name} {major}")),
            "{name} {major}"
        );
    }
}

#[test]
fn the_documentation_is_built_with_every_feature() {
    let manifest = include_str!("../../Cargo.toml");
    assert!(manifest.contains("[package.metadata.docs.rs]\nall-features = true\n"));
}
