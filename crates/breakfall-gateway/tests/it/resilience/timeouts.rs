use breakfall_gateway::config::TimeoutClass as Class;

#[test]
fn each_class_has_its_times_and_its_word() {
    let seconds = |class: &Class| {
        let (quiet, total) = (
            class.timeouts().idle.as_secs(),
            class.timeouts().total.as_secs(),
        );
        (class.as_str(), quiet, total)
    };
    let all: Vec<_> = Class::ALL.iter().map(seconds).collect();
    let expected = [
        ("fast", 5, 10),
        ("medium", 30, 60),
        ("slow", 120, 300),
        ("background", 600, 3600),
    ];
    assert_eq!(all, expected);
    for class in Class::ALL {
        assert_eq!(Class::from_word(&class.to_string()), Some(*class));
    }
    assert_eq!(Class::from_word("quick"), None);
}
