//! Traces, functions and classes.

use super::super::mark::Mark;
use super::super::{symbol, trace};
use super::{RedactionRule, RuleAction};

pub(super) const RULES: &[RedactionRule] = &[
    RedactionRule {
        family: "trace",
        words: "traceback|panicked at|.go:|.ex:|.exs:|backtrace|\", line |  at |\tat |\nat |.java|.kt:|.scala:|.rb:|\
            goroutine |#0 |#2 |#1 |(package:| 0x0|.cr:|.php:|.php(|.cs:|.swift:",
        action: RuleAction::Code(|finder, at, _| trace::find(finder, at)),
        go: &[
            "boom\n«  File \"/srv/a.py\", line 3, in f\n    g()»\nKeyError: 'x'",
            "Error: x\n«    at f (/app/a.js:1:2)»",
            "java.lang.NullPointerException «at UserService.java:142»",
            "System.Exception: no\n«   at Shop.Orders.Close(Int32 id) in C:\\shop\\Orders.cs:line 88»",
            "boom «/srv/app/order.rb:42:in 'close'»: no",
        ],
        stay: &["unexpected end at line 3", "meet at noon"],
    },
    RedactionRule {
        family: "trace",
        words: " 0x0| 0x1|   0: |   1: |   2: |   3: |   4: |   5: | (at ",
        action: RuleAction::Pattern(
            Mark::Trace,
            r" 0x[0-9a-fA-F]+ ([\w$.]+\.\w+(?:\([^)\n]*\))?[^\n]{0,60}? \+ \d+)| 0x[0-9a-fA-F]+ in ([\w:<>~.*]+ \([\w.+]+\))| +\d+: ((?:[\w<>{}#]+::)+[\w<>{}#]+)| \(at ([\w./]+:\d+)\)",
        ),
        go: &[
            "0   shop  0x0001 «shop.ViewController.pay() -> () + 12»",
            "panicked\n   3: «shop_api::zone::lookup»",
            "in ParcelRow (at «DeliveryList.tsx:83»)",
        ],
        stay: &["at 0x0 in the file", "   1: std is new"],
    },
    RedactionRule {
        family: "trace",
        words: ".py:",
        action: RuleAction::Code(symbol::function),
        go: &["error in «violet_worker.py:88 (charge)»"],
        stay: &["main.py:88: invalid syntax", "main.py:8 (see below)"],
    },
    RedactionRule {
        family: "trace",
        words: " (line |raised |called from |re-raised ",
        action: RuleAction::Code(symbol::called),
        go: &[
            "Exception in «Drupal\\dossier\\CaseForm->submit() (line 219 of modules/src/CaseForm.php)».",
            "«Raised by primitive operation at L.apply in file \"src/post.ml\", line 96, characters 12-25»",
        ],
        stay: &["unexpected end (line 3)", "the bar was raised again"],
    },
    RedactionRule {
        family: "trace",
        words: ".py:|.go:|.cc:|.cpp:|.java:|.rb:|.js:|.ts:|.rs:|.cs:|.kt:|.scala:|.php:|.erl:|.ex:|.exs:|.swift:|.hs:|.dart:|.lua:|.pl:|.pm:|.jl:|.ml:|.clj:|.groovy:",
        action: RuleAction::Code(symbol::logged),
        go: &[
            "E0302 17:01:44.123456       1 «ledger_controller.go:114»] sync failed",
            "ERROR [«violet_worker.py:88»] charge failed",
        ],
        stay: &["main.go:12:3: undefined: x", "src/a.ts(12,3): error TS2345"],
    },
    RedactionRule {
        family: "trace",
        words: "caller=|caller\":|\"file\":|\"func\":|file=",
        action: RuleAction::Pattern(
            Mark::Trace,
            r"[a-z]+(?:=|\x22: ?)\\?\x22?([\w./@-]+\.(?:go|py|rs|rb|js|ts|java|kt|cs|cc|cpp|ex|php|scala):\d+)|\x22func\x22: ?\x22([\w./*()-]+\.[\w.*()-]+)\x22",
        ),
        go: &[
            "level=error caller=«notify.go:745» err=\"no route\"",
            "{\"level\":\"error\",\"caller\":\"«ledger/post.go:91»\",\"msg\":\"x\"}",
        ],
        stay: &["caller=api", "{\"file\":\"a.txt\"}"],
    },
    RedactionRule {
        family: "class",
        words: "(class | class |[class |\nclass |bean of type |service for type |to activate |noclassdeffounderror: |classnotfoundexception: |\
            instantiate |value of type |of instance of |could not load type |reference chain: |simple type, class |could not initialize class |\
            injection of |dependency of type |component |no serializer found for class |entity |mapped class |type '|class=\"|class: ",
        action: RuleAction::Code(symbol::class),
        go: &[
            "Unrecognized field \"pan\" (class «com.paywell.api.dto.CardRequest»), not marked as ignorable",
            "No qualifying bean of type '«com.acme.hr.SalaryRepository»' available",
            "Unable to resolve service for type '«Acme.Hr.ISalaryStore»' while attempting to activate '«Acme.Hr.SalaryController»'.",
            "java.lang.NoClassDefFoundError: «com/acme/pay/TokenVault»",
        ],
        stay: &[
            "class java.lang.String cannot be cast to class java.lang.Integer",
            "No qualifying bean of type 'javax.sql.DataSource' available",
            "Property 'x' does not exist on type 'Foo'.",
        ],
    },
    RedactionRule {
        family: "function",
        words: "::|->",
        action: RuleAction::Code(symbol::namespaced),
        go: &["Call to undefined method «App\\Models\\Ledger::post()»"],
        stay: &["use std::io::Error", "Illuminate\\Support\\Str::of()"],
    },
    RedactionRule {
        family: "function",
        words: "raised in |occurred in |exception in |failed in |error in |clause matching in |undefined method |undefined function |uncaught in |\
            in function |can't retry |job failed: |backgroundjob failed: |executing |invoking |crashed in |in method |job |worker ",
        action: RuleAction::Pattern(
            Mark::Trace,
            r"[A-Za-z' :]+?(?: |: )'?\x22?((?:[A-Z]\w*(?:::|\.))*[A-Z]\w*\.[A-Z]\w*\.[a-z_]\w*[!?]?(?:/\d+)|(?:[A-Z]\w*(?:::|\.))*[A-Z]\w*#[a-z_]\w*[!?]?|(?:[A-Z]\w+\.){2,}[A-Z]\w+\(|[a-z_]\w*(?:\.[a-z_]\w*){2,}\[)",
        ),
        go: &[
            "raised in «ReceiptUploader#store!» (no file)",
            "no function clause matching in «Ledger.Post.run/2»",
            "BackgroundJob failed: «Payroll.Jobs.SepaExport.Run(»\"7\")",
            "Can't retry «notify.tasks.send_statement[»b2c1] args",
        ],
        stay: &[
            "an error in C#",
            "task build.gradle failed",
            "exception in Foo.bar",
        ],
    },
    RedactionRule {
        family: "function",
        words: "\"class\":\"|\"job_class\":\"|\"class\": \"|\"job\":\"|\"task\":\"|\"jobclass\":\"",
        action: RuleAction::Pattern(
            Mark::Trace,
            r"\x22[a-zA-Z_]+\x22: ?\x22((?:[A-Z]\w*::)*[A-Z]\w+(?:Job|Worker|Mailer|Task|Handler|Service|Controller)|\w+(?:\.\w+){2,})\x22",
        ),
        go: &["WARN: {\"class\":\"«PayoutJob»\",\"args\":[7]}"],
        stay: &["{\"class\":\"warning\"}", "{\"task\":\"build\"}"],
    },
    RedactionRule {
        family: "function",
        words: "[{file,",
        action: RuleAction::Code(symbol::erlang),
        go: &["{badarg,[«{acme_sess,get,1,[{file,\"src/acme_sess.erl\"},{line,12}]}»]}"],
        stay: &["[{file, a}]"],
    },
    RedactionRule {
        family: "function",
        words: "/0 line |/1 line |/2 line |/3 line |/4 line |/5 line |/6 line ",
        action: RuleAction::Code(symbol::arity),
        go: &["{badmatch,x} in «ejabberd_sql:connect/1 line 231»; state"],
        stay: &["page 1/2 line 7"],
    },
    RedactionRule {
        family: "trace",
        words: ") +",
        action: RuleAction::Code(symbol::offset),
        go: &["[SqlException]\n   «Benefits.Enroll.LoadDependents(String ssn) +311»"],
        stay: &["(a) +1", "f(x) +1"],
    },
    RedactionRule {
        family: "trace",
        words: ": file ",
        action: RuleAction::Pattern(Mark::Trace, r": file ([\w./-]+\.swift), line \d+"),
        go: &["Unexpectedly found nil: file «Ledger/PostView.swift», line 41"],
        stay: &["warning: file a.swift, line x"],
    },
    RedactionRule {
        family: "trace",
        words: " called at ",
        action: RuleAction::Code(symbol::perl),
        go: &["\t«Fundbuero::Liste::fetch(3)» called at /srv/list.pl line 17"],
        stay: &["the method was called at noon"],
    },
    RedactionRule {
        family: "trace",
        words: ":in `|:in '|called at |in function |calls: |[1] |[2] |[3] |[4] |  at |procedure: |program \"|in upvalue |in method '|in local '",
        action: RuleAction::Pattern(
            Mark::Trace,
            r":in ([`'][^'`\n]{1,160}')|called at (\S+\.\w+:\d+:\d+(?: in \S+)?)|in (?:function|upvalue|method|local) (['<][^'>\n]{1,120}['>])|Calls: ([^\n]+ -> [^\n]+)|\[\d\] ([\w!.#]+\([^\n]*\)\n +@ [^\n]+)|  at ([\w:]+\(\)) \(|Procedure: (\w+)|(?i:program) (\x22[A-Z][^\x22\n]+\x22(?:, in \x22[^\x22\n]+\x22)?(?:, line \d+)?)",
        ),
        go: &[
            "tasks/refresh.rake:7:in «`block (2 levels) in reload_shelves'»",
            "error, called at «app/Kataster/Flurstueck.hs:140:12 in main:Kataster.ersteGrenze»",
            "Stacktrace:\n [1] «glaette_pegel(v::Vector{Float64})\n   @ Main pegel.jl:24»",
            "in ABAP program «\"ZMM_KORR\", in \"FORM_BUCHE\", line 412»",
            "Calls: «schaetze_ertrag -> lapply»",
        ],
        stay: &["called at noon", "[1] first", "in function main"],
    },
    RedactionRule {
        family: "trace",
        words: "coro=<|<bound method |<function |[path]:| char:|program z|module |module: |[path]: line ",
        action: RuleAction::Pattern(
            Mark::Trace,
            r"coro=<([\w.]+)\(\)|<bound method ([\w.]+)|<function ([\w.<>]+) at|\[path\]:\d+(?::\d+)?: in (\w+)|\[path\]: line \d+: (\w+_\w+): command not found| char:\d+\r?\n\+\s+([^\n]+)|(?i:program )([A-Z]\w+, include \w+, line \d+(?:, (?:form|function|method) \w+)?)|Module:? ([\w.]+\.(?:bas|cls|frm)(?:, (?:Sub|Function) \w+)?)",
        ),
        go: &[
            "future: <Task coro=<«SlackRelay.pump_events»() done>",
            "At [path]:66 char:15\n+   «$resp = Invoke-RestMethod -Uri $groupUri»",
            "Program «ZFI_ITEMS, include LZFI_F01, line 214, form READ_ITEMS»",
            "Module «modProvision.bas, Sub Berechne», line 310",
        ],
        stay: &["[path]:12: error", "module not found"],
    },
    RedactionRule {
        family: "trace",
        words: ") @ ",
        action: RuleAction::Code(symbol::page),
        go: &["«src/app/claims/page.tsx (29:18) @ loadClaims»"],
        stay: &["f(x) @ home", "(12) @ 3"],
    },
    RedactionRule {
        family: "trace",
        words: "in procedure ",
        action: RuleAction::Pattern(Mark::Trace, r"in procedure (\S+ at line \d+)"),
        go: &["out of range. (26) in procedure «inv/calc-reorder.p at line 1184»"],
        stay: &["in procedure main"],
    },
];
