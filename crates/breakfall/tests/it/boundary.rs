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
            "aho-corasick.workspace = true",
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
