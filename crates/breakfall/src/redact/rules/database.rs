//! Statements, rows, and the names of a database.

use super::super::mark::Mark;
use super::super::{schema, sql};
use super::{RedactionRule, RuleAction};

pub(super) const RULES: &[RedactionRule] = &[
    RedactionRule {
        family: "sql",
        words: "identified ",
        action: RuleAction::Pattern(
            Mark::Password,
            r"IDENTIFIED\s+(?:WITH\s+\S+\s+)?(?:BY|AS)\s+(?:PASSWORD\s+)?['\x22]([^'\x22\s]+)['\x22]",
        ),
        go: &["near IDENTIFIED BY '«hunter2»'"],
        stay: &["identified by '3f9ab1c27d54'"],
    },
    RedactionRule {
        family: "sql",
        words: "select |select*|select(|insert |update |delete |create |alter |drop |truncate |with |merge |replace |\
            grant |revoke |exec |execute |call |pragma |explain |near '|select\n|update\n|insert\n",
        action: RuleAction::Code(|finder, at, _| sql::find(finder, at)),
        go: &[
            "query failed: «SELECT * FROM users WHERE id = 7»",
            "«delete from orders where id = 7»",
        ],
        stay: &["select an item from the list", "update the set of rules"],
    },
    RedactionRule {
        family: "sql",
        words: "[parameters: ",
        action: RuleAction::Code(|finder, at, _| sql::parameters(finder, at + 1)),
        go: &["[parameters: «('ada', 7)»]"],
        stay: &["[parameters: ]"],
    },
    RedactionRule {
        family: "constraint",
        words: "constraint |constraint failed: |for key |unique index |key constraint ",
        action: RuleAction::Pattern(
            Mark::Sql,
            r"(?i:(?:key )?constraint |for key |unique index )(?i:violation: )?['\x22`]([^'\x22`\s]+)['\x22`]|(?i:constraint failed: )(\w+\.\w+(?:, \w+\.\w+)*)",
        ),
        go: &[
            "Duplicate entry for key '«users.email_UNIQUE»'",
            "violates foreign key constraint \"«users_projects_fk»\"",
        ],
        stay: &["a constraint failed", "for key of the map"],
    },
    RedactionRule {
        family: "constraint",
        words: "_fk|_fkey|_pkey|_uniq|fk_|_unique|uk_|uq_",
        action: RuleAction::Code(schema::constraint),
        go: &[
            "Cannot delete: «users_projects_fk» fails",
            "violates «fk_order_customer»",
        ],
        stay: &["is_unique", "the fk_ prefix"],
    },
    RedactionRule {
        family: "schema",
        words: "`.`|].[",
        action: RuleAction::Code(schema::quoted),
        go: &["a foreign key constraint fails («`claims`.`policy_event`»)"],
        stay: &["use `a` or `b`"],
    },
    RedactionRule {
        family: "statement",
        words: "statement:  |line 1: |query: match |sql: select |sql: merge |sql: '",
        action: RuleAction::Pattern(
            Mark::Sql,
            r"STATEMENT:  ([^\n]{8,})|(?i:sql): ((?i:select|merge)\s[^\n]{8,})|(?i:sql): '([^\n]{12,}?)'(?:\n|\z)",
        ),
        go: &["STATEMENT:  «TABLE treasury.sweep LIMIT 1»"],
        stay: &["STATEMENT: x"],
    },
    RedactionRule {
        family: "schema",
        words: "not exist|undefined name|not authorized|invalid object name|column unknown|not found \"|cannot be resolved|ambiguous|already exists|constraint error|nom d'objet|unknown column|unknown table|identifier must be declared|could not resolve|geçersiz nesne|nieprawidłowa nazwa|coluna inválido|would not be unique|group by clause",
        action: RuleAction::Code(schema::nearby),
        go: &[
            "[Teradata Database] [Error 3807] Object does not exist. '«DWP_RISK.CUST_PD»'",
            "SQL0204N  \"«CLAIMS.V_OPEN»\" is an undefined name.",
            "(Ecto.ConstraintError) constraint error: * \"«bookings_court_excl»\" (unique_constraint)",
        ],
        stay: &["the file 'a.b' does not exist", "branch 'x' already exists"],
    },
    RedactionRule {
        family: "statement",
        words: "stmt: |statement: |upsert into ",
        action: RuleAction::Pattern(
            Mark::Sql,
            r"(?i:stmt|statement): ((?:UPSERT|SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|MERGE|COPY|WITH|LOCK|TRUNCATE|CALL)\s[^\n]{6,})|UPSERT INTO [^\n]{6,}",
        ),
        go: &["stmt: «UPSERT INTO wallets (id, gold) VALUES (1, 2)»"],
        stay: &["statement: see the manual"],
    },
    RedactionRule {
        family: "join",
        words: "left join |inner join |right join |outer join |cross join |references `",
        action: RuleAction::Pattern(
            Mark::Sql,
            r"(?i:(?:left|inner|right|outer|cross) (?:outer )?join) [\w.\x22`\[\]]+ (?i:[\w]+ )?(?i:as \w+ )?(?i:on|using)[^\n]*|(?i:references) (`[^`\n]+`(?: \([^)\n]*\))?)",
        ),
        go: &[
            "LINE 9: «left join raw_shop.chargebacks cb on cb.psp_reference = r.psp_reference»",
            "FOREIGN KEY (`a`) REFERENCES «`policy_holder`»",
        ],
        stay: &["a left join of two tables", "references `a"],
    },
    RedactionRule {
        family: "schema",
        words: schema::NOUNS,
        action: RuleAction::Code(schema::object),
        go: &[
            "insert violates foreign key constraint on table \"«audit_reports»\"",
            "ERROR: column \"«guardian_at»\" of relation \"«minor_profiles»\" violates not-null constraint",
            "no such column: «msg.sender» (sqlite3)",
            "E11000 duplicate key error collection: «patients.forms» index: «number_1»",
            "Invalid table name: Could not find table/view «ZFI_HIST» in schema «SAPHANADB»: SQL",
        ],
        stay: &[
            "the table on the left",
            "name 'x' is not defined",
            "line 3 column 9",
        ],
    },
    RedactionRule {
        family: "row",
        words: "key (|failing row contains (|dup key: {|sqlerrmc=|on the fields: (|constraint violated (|violated. (|\
            pipeline: [|parameters: (",
        action: RuleAction::Pattern(
            Mark::Sql,
            r"(?i:key )\(([^\n]{1,200}?)\)=\(|(?i:failing row contains )\(([^\n]{1,400}?)\)(?:\.|\n|\z)|(?i:dup key: )\{([^}\n]{1,300})\}|SQLERRMC=([^,\s]{2,200})|(?i:on the fields: )\(([^)\n]{1,200})\)|(?i:constraint violated |violated\. )\(([\w.$]{3,128})\)|(?i:pipeline: )(\[[^\n]{2,400}\])|(?i:parameters: )\(([^\n]{1,300}?)\)",
        ),
        go: &[
            "DETAIL: Key («iban, tenant»)=(7, 14) already exists.",
            "Failing row contains («9914, Liselotte, null»).",
            "dup key: {« insurance: \"K7\" »}",
        ],
        stay: &["key (optional)", "the constraint was violated (twice)"],
    },
    RedactionRule {
        family: "row",
        words: ")=(",
        action: RuleAction::Pattern(
            Mark::Sql,
            r"\)=\(([^\n]{1,300}?)\)(?: already exists| is (?:not|still)| conflicts)",
        ),
        go: &["Key (a)=(«ada, 7») already exists."],
        stay: &["f(x)=(y)"],
    },
    RedactionRule {
        family: "constraint",
        words: "constraint (",
        action: RuleAction::Pattern(Mark::Sql, r"[A-Za-z]+ \(([\w$#]+\.[\w$#]+)\)"),
        go: &["ORA-00001: unique constraint («HR.STAFF_PK») violated"],
        stay: &["a constraint (optional)"],
    },
    RedactionRule {
        family: "statement",
        words: "line ",
        action: RuleAction::Pattern(Mark::Sql, r"LINE \d{1,4}: +([^\n]{4,})"),
        go: &[
            "column \"[sql]\" does not exist\nLINE 2:        «churn_score, plan FROM tenant_daily»\n      ^",
        ],
        stay: &["line 2: unexpected token"],
    },
    RedactionRule {
        family: "statement",
        words: "syntax error",
        action: RuleAction::Code(sql::echoed),
        go: &[
            "near \"FORM\": syntax error\n  «SELECT pin, label FORM vault WHERE id=7»\n     ^--- error here",
        ],
        stay: &["syntax error\n  if x then\n  ^"],
    },
    RedactionRule {
        family: "statement",
        words: "-c \"|-e \"|-q \"|--execute=|--command=|-query \"|-c '|-e '|--eval |-q '|--sql ",
        action: RuleAction::Pattern(
            Mark::Sql,
            r"-[a-zA-Z-]+[= ]\\?['\x22]((?:SELECT|INSERT|UPDATE|DELETE|TRUNCATE|DROP|ALTER|CREATE|GRANT|REVOKE|COPY|VACUUM|CALL|select|insert into|delete from|truncate|drop table|alter table|create table|grant|revoke|vacuum) [^\x22\n]{4,}?)\\?['\x22](?:\s|\z|[,\])])",
        ),
        go: &["psql -h x1 -c \"«TRUNCATE nightly_rollup_stage»\""],
        stay: &["git commit -c \"update docs\"", "bash -c 'set -e'"],
    },
    RedactionRule {
        family: "row",
        words: "duplicate entry '|truncated value: '|binding parameter |binding (|incorrect |invalid input syntax for |invalid input value for enum |value too long",
        action: RuleAction::Pattern(
            Mark::Sql,
            r"(?i:duplicate entry )'([^\n]{1,200}?)' for key|(?i:truncated value: )'([^'\n]{1,200})'|(?i:binding (?:parameter )?)[^\n]{1,40}(?:<-|-) \[([^\]\n]{1,300})\]|(?i:incorrect )(?i:string|integer|decimal|double|date|datetime|time) value: '([^\n]{1,200}?)' for column|(?i:invalid input (?:syntax for (?:type )?[\w ]+|value for enum(?: \w+)?)): \x22([^\x22\n]{5,200})\x22",
        ),
        go: &[
            "Duplicate entry '«08-442-1975-K»' for key 'PRIMARY'",
            "binding parameter (1:VARCHAR) <- [«MRN20449137»]",
            "invalid input syntax for type uuid: \"«maria»\"",
        ],
        stay: &["an incorrect value", "a duplicate entry 'x'"],
    },
    RedactionRule {
        family: "schema",
        words: "\".\"",
        action: RuleAction::Code(schema::quoted),
        go: &["ORA-01400: cannot insert NULL into («\"TELCO\".\"SIM_INVENTORY\".\"ICCID\"»)"],
        stay: &["join them by \".\" or \"/\""],
    },
    RedactionRule {
        family: "constraint",
        words: "constraint failed: |violates check constraint |violates constraint |exclusion constraint |constraint ",
        action: RuleAction::Pattern(
            Mark::Sql,
            r"(?i:constraint failed: )(\w+(?:_\w+)+)|(?i:constraint )(\w+(?:_\w+){2,})",
        ),
        go: &[
            "CHECK constraint failed: «ck_invoice_total_positive»",
            "cannot drop constraint «device_serials_owner_key» because other objects depend on it",
        ],
        stay: &[
            "CHECK constraint failed: positive",
            "the constraint of version_1 holds",
        ],
    },
    RedactionRule {
        family: "schema",
        words: "permission denied for |table not found|table unknown|view not found|column unknown |column not found|some(\"|copy |/table/|duplicate key value is (",
        action: RuleAction::Pattern(
            Mark::Sql,
            r"(?i:permission denied for )(?:table|relation|schema|sequence|view|function|database|column) (\x22?[\w.]+\x22?)|(?i:table|view|column)(?i: not found| unknown):? ['\x22`]?(\w+(?:[._]\w+)+|[A-Z][A-Z0-9_]{3,})['\x22`]?|(?i:some)\(\\?\x22([\w.]*_[\w.]*)\\?\x22\)|(COPY [\w.\x22]+ (?:\([^)\n]*\) )?(?:FROM|TO) [^\n]+)|/Table/([^\s]+)|(?i:duplicate key value is) \(([^)\n]{1,300})\)",
        ),
        go: &[
            "ERROR:  permission denied for table «gehaltsbaender»",
            "Table not found '«iot_kuehlkette_raw»'",
            "constraint: Some(\"«tarif_preis_check»\")",
            "The duplicate key value is («WVWZZZ1KZ6W386752»).",
        ],
        stay: &[
            "permission denied for user",
            "copy the table from a to b",
            "Some(\"name\")",
        ],
    },
    RedactionRule {
        family: "schema",
        words: "table: some(|constraint: some(|column: some(",
        action: RuleAction::Pattern(Mark::Sql, r"[a-z]+: Some\(\\?\x22([^\x22\\\n]+)\\?\x22\)"),
        go: &["table: Some(\"«stromtarife»\"), x"],
        stay: &["table: Some(x)"],
    },
    RedactionRule {
        family: "row",
        words: "params [|params: [|parameters [|parameters: [|bindings: [|bindings [|binds: [|args: [",
        action: RuleAction::Pattern(Mark::Sql, r"[A-Za-z]+:? \[(\s?['\x22\w][^\]\n]{1,400})\]"),
        go: &[
            "with params [«\"DD-KW 4471\"»]",
            "parameters: [« 'Mathilda', 'halbtags' »]",
        ],
        stay: &["params: []", "parameters: [[sql]]"],
    },
    RedactionRule {
        family: "schema",
        words: "at position |converting |`prisma.|on the constraint: `|[{ $|[{$|copy |unexpected '",
        action: RuleAction::Pattern(
            Mark::Sql,
            r"(?i:at position) \d+ unexpected '([^'\n]+)'|(?i:converting)[^\n]{0,40} value '([^'\n]+)'|`prisma\.([\w.]+\(\))|on the constraint: `([^`\n]+)`|(\[\{ ?\$\w+[^\n]*\])|COPY (\w+, line \d+(?:, column \w+: \x22[^\x22\n]*\x22)?)",
        ),
        go: &[
            "syntax error line 3 at position 9 unexpected '«FCT_MARGIN_DAILY»'.",
            "failed when converting the nvarchar value '«Larch House»' to data type int",
            "Invalid `prisma.«voucherRedemption.create()»` invocation",
            "COPY «voter_import, line 5182, column birth_year: \"nineteen74\"»",
        ],
        stay: &["unexpected 'x' at position 3", "converting the value"],
    },
    RedactionRule {
        family: "statement",
        words: "sql: |exec |execute |property `|→ ",
        action: RuleAction::Pattern(
            Mark::Sql,
            r"SQL: ((?:UPDATE|INSERT|DELETE|EXEC|CALL) [^\n]{6,})|(EXEC(?:UTE)? [\w.\[\]]+ @\w+ ?=[^\n]+)|property `\w+` = '([^'\n]+)'|\xe2\x86\x92 \d+ ([^\n]{4,})",
        ),
        go: &[
            "SQL: «UPDATE tblUrlaub SET WHERE x=1»",
            "elapsed -- «EXEC Crm.dbo.spMerge @city = N'Oberhausen'»",
            "property `caseNo` = '«KR-2023-11987»'",
        ],
        stay: &["exec format error", "SQL: see the manual"],
    },
];
