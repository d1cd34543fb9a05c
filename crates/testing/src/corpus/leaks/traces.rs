//! Stack traces: each frame names files and functions of the inside. What the exception says may stay.

use super::paths::unix_directory;
use crate::corpus::plant::Plant;
use crate::corpus::random::Random;
use crate::corpus::words::{FIRMS, PARTS, camel, capital, class, pascal, person, project, snake};

/// Frames with what they give away.
struct Trace {
    text: String,
    secret: Vec<String>,
}

impl Trace {
    fn new(first_line: &str) -> Self {
        Self {
            text: first_line.to_owned(),
            secret: Vec::new(),
        }
    }

    fn line(&mut self, line: &str) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(line);
    }

    fn frame<const N: usize>(&mut self, line: &str, secret: [&str; N]) {
        self.line(line);
        self.secret.extend(secret.map(str::to_owned));
    }

    fn plant(self) -> Plant {
        Plant::block(self.text, self.secret)
    }
}

fn depth(random: &mut Random) -> usize {
    random.between(1, 9)
}

fn position(random: &mut Random) -> (usize, usize) {
    (random.between(1, 900), random.between(1, 80))
}

pub(super) fn python(random: &mut Random) -> Plant {
    let mut trace = Trace::new("Traceback (most recent call last):");
    let frames = depth(random);
    let (directory, _) = unix_directory(random);
    for _ in 0..frames {
        let (function, callee) = (snake(random), snake(random));
        let file = format!("{directory}/{}/{}.py", random.pick(PARTS), snake(random));
        trace.frame(
            &format!(
                "  File \"{file}\", line {}, in {function}",
                position(random).0
            ),
            [&file, &format!("in {function}")],
        );
        if random.one_in(4) {
            continue;
        }
        let code = format!("result = {callee}(row, strict=True)");
        trace.frame(&format!("    {code}"), [&code]);
        if random.one_in(3) {
            trace.line("             ~~~~~~~~^^^^^^^^^^^^^^^^^^");
        }
    }
    let error = random.pick(&[
        "ValueError",
        "KeyError",
        "httpx.ConnectError",
        "RuntimeError",
    ]);
    trace.line(&format!("{error}: the value is not usable"));
    if random.one_in(4) {
        let (function, file) = (snake(random), format!("{directory}/handler.py"));
        trace.line("\nDuring handling of the above exception, another exception occurred:\n");
        trace.line("Traceback (most recent call last):");
        trace.frame(
            &format!("  File \"{file}\", line 12, in {function}"),
            [&file],
        );
        trace.line("RuntimeError: the job was given up");
    }
    trace.plant()
}

pub(super) fn node(random: &mut Random) -> Plant {
    let mut trace = Trace::new(random.pick(&[
        "TypeError: x is not a function",
        "Error: request failed",
        "AxiosError: timeout",
    ]));
    let (directory, _) = unix_directory(random);
    for _ in 0..depth(random) {
        let (name, (row, column)) = (camel(random), position(random));
        let file = format!(
            "{directory}/dist/{}/{}.js",
            random.pick(PARTS),
            camel(random)
        );
        let line = match random.below(6) {
            0 => format!(
                "    at async {}.{name} ({file}:{row}:{column})",
                capital(random.pick(PARTS))
            ),
            1 => format!("    at {file}:{row}:{column}"),
            2 => format!("    at Object.{name} [as handler] ({file}:{row}:{column})"),
            3 => format!("    at {name} (file://{file}:{row}:{column})"),
            4 => format!("    at new {name} ({file}:{row}:{column})"),
            _ => format!("    at {name} ({file}:{row}:{column})"),
        };
        trace.frame(&line, [&file]);
        if line.contains(&name) && !file.contains(&name) {
            trace.secret.push(name);
        }
    }
    if random.one_in(2) {
        trace.line(
            "    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)",
        );
    }
    trace.plant()
}

pub(super) fn java(random: &mut Random) -> Plant {
    let package = format!("com.{}.{}", random.pick(FIRMS), random.pick(PARTS));
    let opening = random.pick(&["Exception in thread \"main\" ", "", "Caused by: "]);
    let mut trace = Trace::new(&format!(
        "{opening}java.lang.IllegalStateException: the value is not usable"
    ));
    for _ in 0..depth(random) {
        let (class, method) = (class(random), camel(random));
        let place = match random.below(5) {
            0 => "Native Method".to_owned(),
            1 => "Unknown Source".to_owned(),
            _ => format!("{class}.java:{}", position(random).0),
        };
        let inner = random.pick(&["", "", "$Inner", "$$Lambda$14"]);
        let function = format!("{package}.{class}{inner}.{method}");
        trace.frame(&format!("\tat {function}({place})"), [&function]);
        if place.contains(".java") {
            trace.secret.push(place);
        }
    }
    if random.one_in(2) {
        trace.line("\tat java.base/java.lang.Thread.run(Thread.java:833)");
    }
    if random.one_in(3) {
        let function = format!("{package}.{}.{}", class(random), camel(random));
        trace.line("Caused by: java.io.IOException: broken pipe");
        trace.frame(&format!("\tat {function}(Unknown Source)"), [&function]);
        trace.line("\t... 23 more");
    }
    trace.plant()
}

pub(super) fn go(random: &mut Random) -> Plant {
    let mut trace = Trace::new("panic: runtime error: index out of range [3] with length 2\n");
    let module = format!("github.com/{}/{}", random.pick(FIRMS), project(random));
    let (directory, _) = unix_directory(random);
    trace.line(&format!("goroutine {} [running]:", random.between(1, 90)));
    for _ in 0..depth(random) {
        let (name, package) = (pascal(random), random.pick(PARTS));
        let file = format!("{directory}/{package}/{}.go", snake(random));
        let function = if random.one_in(2) {
            format!("{module}/{package}.(*{}).{name}", class(random))
        } else {
            format!("{module}/{package}.{name}")
        };
        trace.frame(
            &format!("{function}(0xc000{}, 0x{})", random.hex(6), random.hex(2)),
            [&function],
        );
        trace.frame(
            &format!("\t{file}:{} +0x{}", position(random).0, random.hex(3)),
            [&file],
        );
    }
    if random.one_in(2) {
        let (function, file) = (format!("{module}.Serve"), format!("{directory}/main.go"));
        trace.frame(
            &format!("created by {function} in goroutine 1"),
            [&function],
        );
        trace.frame(&format!("\t{file}:31 +0x1d"), [&file]);
    }
    trace.line("exit status 2");
    trace.plant()
}

pub(super) fn rust(random: &mut Random) -> Plant {
    let (row, column) = position(random);
    let mut trace = Trace::new(&format!(
        "thread 'main' panicked at src/{}.rs:{row}:{column}:\nthe value is not usable\nstack backtrace:",
        random.pick(PARTS)
    ));
    trace.line("   0: rust_begin_unwind");
    trace.line(&format!(
        "             at /rustc/{}/library/std/src/panicking.rs:697:5",
        random.hex(40)
    ));
    let (directory, _) = unix_directory(random);
    let library = project(random).replace('-', "_");
    for frame in 1..=depth(random) {
        let function = match random.below(3) {
            0 => format!("{library}::{}::{}", random.pick(PARTS), snake(random)),
            1 => format!("<{library}::{} as core::ops::Drop>::drop", class(random)),
            _ => format!(
                "{library}::{}::{}::{{{{closure}}}}",
                random.pick(PARTS),
                snake(random)
            ),
        };
        let (row, column) = position(random);
        let relative = format!("src/{}/{}.rs", random.pick(PARTS), snake(random));
        let file = if random.one_in(2) {
            format!("{directory}/{relative}")
        } else {
            format!("./{relative}")
        };
        trace.frame(&format!("{frame:4}: {function}"), [&function]);
        trace.frame(&format!("             at {file}:{row}:{column}"), [&file]);
    }
    trace.line(
        "note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.",
    );
    trace.plant()
}

pub(super) fn dotnet(random: &mut Random) -> Plant {
    let opening = random.pick(&["Unhandled exception. ", ""]);
    let mut trace = Trace::new(&format!(
        "{opening}System.InvalidOperationException: the value is not usable"
    ));
    let space = format!(
        "{}.{}",
        capital(random.pick(FIRMS)),
        capital(random.pick(PARTS))
    );
    let user = person(random);
    for _ in 0..depth(random) {
        let (class, method) = (class(random), pascal(random));
        let function = if random.one_in(4) {
            format!("{space}.{class}.<{method}>d__4.MoveNext")
        } else {
            format!("{space}.{class}.{method}")
        };
        let file = match random.below(3) {
            0 => None,
            1 => Some(format!("C:\\Users\\{user}\\src\\{class}.cs")),
            _ => Some(format!("/src/{}/{class}.cs", random.pick(PARTS))),
        };
        let place = file.as_ref().map_or(String::new(), |file| {
            format!(" in {file}:line {}", position(random).0)
        });
        trace.frame(
            &format!("   at {function}(String id, Boolean strict){place}"),
            [&function],
        );
        trace.secret.extend(file);
    }
    if random.one_in(2) {
        let function = format!("{space}.Program.{}", pascal(random));
        trace.line("--- End of stack trace from previous location ---");
        trace.frame(&format!("   at {function}(String[] args)"), [&function]);
    }
    trace.plant()
}

pub(super) fn ruby(random: &mut Random) -> Plant {
    let (directory, _) = unix_directory(random);
    let file = |random: &mut Random| {
        format!(
            "{directory}/app/{}/{}.rb",
            random.pick(PARTS),
            snake(random)
        )
    };
    let (first, method, row) = (file(random), snake(random), position(random).0);
    let quote = random.pick(&["`", "'"]);
    let mut trace = Trace::new("");
    trace.frame(
        &format!("{first}:{row}:in {quote}{method}': the value is not usable (ArgumentError)"),
        [&first, &format!("in {quote}{method}'")],
    );
    for _ in 0..depth(random) {
        let (file, method, row) = (file(random), snake(random), position(random).0);
        let owner = random.pick(&["", "block in ", "Ledger#", "rescue in "]);
        trace.frame(
            &format!("\tfrom {file}:{row}:in {quote}{owner}{method}'"),
            [&file, &format!("{owner}{method}'")],
        );
    }
    trace.plant()
}

pub(super) fn php(random: &mut Random) -> Plant {
    let directory = format!("/var/www/{}", project(random));
    let file = |random: &mut Random| format!("{directory}/src/{}.php", class(random));
    let (first, row) = (file(random), position(random).0);
    let mut trace = Trace::new("");
    trace.frame(
        &format!("PHP Fatal error:  Uncaught Exception: the value is not usable in {first}:{row}"),
        [&first],
    );
    trace.line("Stack trace:");
    let frames = depth(random);
    for frame in 0..frames {
        let (file, row) = (file(random), position(random).0);
        let (class, method) = (class(random), camel(random));
        let function = format!("App\\{class}{}{method}", random.pick(&["->", "::"]));
        trace.frame(
            &format!("#{frame} {file}({row}): {function}(Array, 'x')"),
            [&file, &function],
        );
    }
    trace.line(&format!("#{frames} {{main}}"));
    trace.frame(&format!("  thrown in {first} on line {row}"), [&first]);
    trace.plant()
}
