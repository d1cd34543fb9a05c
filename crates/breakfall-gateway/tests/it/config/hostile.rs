use std::fmt::Write;
use std::fs;

use breakfall_gateway::config::{Config, ProcessEnvironment};

use super::{parse, told};

/// The one problem of a file, with what to do about it.
fn unread(path: &std::path::Path) -> String {
    let problems = Config::load(path).expect_err("nobody can use it");
    assert_eq!(problems.len(), 1);
    let problem = problems.iter().next().expect("there is one");
    assert_eq!(problem.hints().count(), 1, "{problem}");
    let shown = problems.render(false, 100);
    assert!(shown.contains(&path.display().to_string()), "{shown}");
    problem.message().to_owned()
}

#[test]
fn a_file_that_cannot_be_read_is_told_in_one_message() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    assert_eq!(
        unread(&folder.path().join("none.yaml")),
        "cannot read the file: No such file or directory"
    );
    assert_eq!(
        unread(folder.path()),
        "cannot read the file: Is a directory"
    );
    assert_eq!(unread(&file("empty.yaml", b"")), "the file is empty");
    assert_eq!(unread(&file("blank.yaml", b" \n\n")), "the file is empty");
    assert_eq!(
        unread(&file("comment.yaml", b"# later\n")),
        "the file is empty"
    );
    assert_eq!(unread(&file("null.yaml", b"---\n~\n")), "the file is empty");
    assert_eq!(
        unread(&file("latin.yaml", b"# caf\xe9\nlisten: x\n")),
        "the file is not UTF-8"
    );
    assert_eq!(
        unread(&file("wide.yaml", b"\xff\xfea\0:\0")),
        "the file is UTF-16"
    );
    assert_eq!(
        unread(&file("zip.yaml", b"PK\x03\x04\xff\x00\x9f")),
        "the file is not UTF-8"
    );
    let large = file("large.yaml", b"");
    fs::File::options()
        .write(true)
        .open(&large)
        .unwrap()
        .set_len(50 << 20)
        .unwrap();
    assert_eq!(unread(&large), "the file is larger than 1 MiB");
}

#[test]
fn what_is_no_yaml_is_told_with_its_place() {
    for (text, what) in [
        ("a:\n\t- b\n", "2:2 a tab cannot indent a line"),
        ("a: b: c\n", "1:5 a second ':' in one entry"),
        ("a: [1, 2\nb: 3\n", "2:2 a bracket or quote is not closed"),
        ("a: [1, 2", "1:4 a bracket or quote is not closed"),
        ("a: \"b\n", "2:1 a bracket or quote is not closed"),
        ("a: 1\nb\nc: 2\n", "2:1 expected a key and ':' here"),
        ("a: @b\n", "1:4 a text cannot start with this character"),
        ("a: *\n", "1:4 a text cannot start with this character"),
        ("a: - b\n", "1:4 a list cannot start here"),
        ("- a\nb: 1\n", "2:1 expected '-' and an item here"),
        (
            "a: 'it's'\n",
            "1:8 the quoted text is over, and more follows",
        ),
        ("a: \"\\q\"\n", "1:4 no such escape"),
        (
            "a: 1\n---\nb: 1\n",
            "2:1 the file has more than one document",
        ),
        ("? [a]\n: b\n", "1:3 a key is a text, not a list or a map"),
        (
            "a: [b, ${C}]\n",
            "1:9 expected ',' or the closing bracket here",
        ),
        (
            "a: {b: c{}\n",
            "1:9 expected ',' or the closing bracket here",
        ),
        ("store: sqlite:\n", "1:14 a second ':' in one entry"),
        ("a: b\n\0c: d\n", "2:1 a control character stands here"),
        ("a: \0\n", "1:4 a control character stands here"),
        ("a: b\0c\n", "1:5 a control character stands here"),
        ("a: \"b\0c\"\n", "1:6 a control character stands here"),
        ("# b\0c\na: 1\n", "1:4 a control character stands here"),
        ("a: \x07b\n", "1:4 a control character stands here"),
    ] {
        assert_eq!(told(text), [what], "{text}");
    }
    let problems = parse("store: sqlite:\n").unwrap_err();
    assert!(
        problems
            .render(false, 100)
            .contains("write `store: sqlite`")
    );
    for text in [
        "a: [--token=${B}]",
        "a: { b: ${C} }",
        "a: { env: { b: ${C}, d: e } }",
    ] {
        let told = parse(text).unwrap_err().render(false, 100);
        assert!(
            told.contains(r#"a reference stands in quotes: "${NAME}""#),
            "{told}"
        );
    }
}

#[test]
fn tags_and_aliases_that_mean_nothing_are_told_beside_the_rest() {
    assert_eq!(
        told("a: !secret b\nc: *d\ne: &f [*f]\nupstreams: { one: { demo: true } }"),
        [
            "1:1 unknown key 'a'",
            "1:12 this tag means nothing here",
            "2:1 unknown key 'c'",
            "2:4 nothing above is marked with '&' and this name",
            "3:1 unknown key 'e'",
            "3:8 a value cannot be part of itself",
        ]
    );
}

#[test]
fn aliases_of_aliases_cannot_fill_the_memory() {
    let mut bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n".to_owned();
    for level in 1..12 {
        let before = format!("*a{}", level - 1);
        let items = vec![before; 10].join(",");
        writeln!(bomb, "a{level}: &a{level} [{items}]").unwrap();
    }
    let told = told(&bomb);
    assert_eq!(told.len(), 1);
    assert!(
        told[0].contains("the aliases of this file stand for too much"),
        "{told:?}"
    );

    let mut merges = "a0: &a0 { x: 1 }\n".to_owned();
    for level in 1..2000 {
        writeln!(
            merges,
            "a{level}: &a{level} {{ <<: *a{}, k{level}: 1 }}",
            level - 1
        )
        .unwrap();
    }
    assert!(parse(&merges).is_err());
}

#[test]
fn nothing_is_too_deep_or_too_much_to_be_told() {
    for open in ["[", "{a: ", "- ", "? "] {
        let deep = open.repeat(100_000);
        assert_eq!(told(&deep).len(), 1, "{open}");
    }
    let wide = format!(
        "upstreams: {{ one: {{ command: [{}] }} }}",
        "a,".repeat(200_000)
    );
    assert!(told(&wide)[0].contains("more than 100000 values"));
    let long = format!(
        "upstreams: {{ one: {{ command: '{}' }} }}",
        "a".repeat(900_000)
    );
    assert!(parse(&long).is_ok());
    let mut many = String::new();
    for number in 0..20_000 {
        writeln!(many, "key{number}: x").unwrap();
    }
    let problems = parse(&many).unwrap_err();
    assert_eq!(problems.len(), 20_001);
    let shown = problems.render(false, 100);
    assert!(
        shown.contains("and 19951 more"),
        "{}",
        &shown[shown.len() - 200..]
    );
    assert!(shown.len() < 50_000);
}

#[test]
fn control_characters_of_the_file_never_reach_the_terminal() {
    for text in [
        "\"a\\e[31m\": 1\nupstreams: { one: { demo: true } }",
        "dialect: \"\\e[2J\"",
        "a\u{1b}[31m: x",
        "a: \u{9b}31m: x",
    ] {
        let shown = parse(text).unwrap_err().render(false, 100);
        let bad: Vec<char> = shown
            .chars()
            .filter(|c| c.is_control() && *c != '\n')
            .collect();
        assert!(bad.is_empty(), "{text:?} {shown:?}");
    }
}

/// Characters with a meaning in YAML, and control characters.
const NASTY: &[u8] = b"\0\n\t :-[]{}'\"&*!|>%@`#?,$\xff\xc3a0<=.\r\x1b\x7f";

#[test]
fn no_bytes_make_it_panic() {
    let seed = "upstreams:\n  one: &a\n    command: [npx, -y, \"a ${X:-b} $$\"]\n    env: { A: 'b', C: !!str 1 }\n    tools: { \"w_*\": { danger: safe } }\n  two: { <<: *a, timeout: 1h30m }\nlimits: { request: 16 MiB }\n";
    let bytes = seed.as_bytes();
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..4000 {
        let mut text = bytes.to_vec();
        for _ in 0..3 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let at = usize::try_from(random % text.len() as u64).unwrap();
            let with = NASTY[usize::try_from((random >> 32) % NASTY.len() as u64).unwrap()];
            match (random >> 24) % 3 {
                0 => text[at] = with,
                1 => text.insert(at, with),
                _ => {
                    text.remove(at);
                }
            }
        }
        if let Err(problems) = Config::from_slice(&text, "my.yaml", &ProcessEnvironment) {
            let shown = problems.render(false, 80);
            let bad = shown.chars().find(|c| c.is_control() && *c != '\n');
            assert_eq!(bad, None, "{shown:?}");
        }
    }
}
