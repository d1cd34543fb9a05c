//! What is known of people.

use super::super::mark::Mark;
use super::super::person;
use super::{RedactionRule, RuleAction};

pub(super) const RULES: &[RedactionRule] = &[
    RedactionRule {
        family: "birth",
        words: "dob|born|date of birth|date_of_birth|dateofbirth|birthday|geburtsdatum|fecha_nacimiento|fecha de nacimiento|data_nascimento|birthdate|birth_date|geboren|nascimento|nacimiento|né le |née le |geb. |naissance",
        action: RuleAction::Pattern(
            Mark::Person,
            r"[^\s:='\x22]+(?: (?i:of birth|le|am|de nacimiento))?\\?['\x22]?[ :=]+\\?['\x22]?(\d{1,4}[./-]\d{1,2}[./-]\d{2,4}|(?:19|20)\d{6})\b",
        ),
        go: &["claimant, dob «1979-11-23»", "\"geboren\":\"«03.11.1969»\""],
        stay: &["born to run", "date of birth is missing"],
    },
    RedactionRule {
        family: "postal address",
        words: "street|strasse|straße|address_line|addressline|住所",
        action: RuleAction::Pattern(
            Mark::Person,
            r"(?i:street(?:_?address)?|stra(?:ss|\xc3\x9f)e|address_?line_?1?)['\x22]?\s*[:=]\s*(?:\x22([^\x22\n]{4,80})\x22|'([^'\n]{4,80})')|\xe4\xbd\x8f\xe6\x89\x80[=:]([^\s,;]+)",
        ),
        go: &["{\"street\":\"«19 Cooperage Yard»\",\"n\":1}"],
        stay: &["street: must not be empty", "{\"street\":null}"],
    },
    RedactionRule {
        family: "name of a person",
        words: "first_name|last_name|firstname|lastname|given_name|family_name|surname",
        action: RuleAction::Pattern(
            Mark::Person,
            r"[A-Za-z_]+\\?['\x22]?\s{0,2}[:=]>?\s{0,2}\\?['\x22]([^'\x22\\\n]{2,40})\\?['\x22]",
        ),
        go: &["{\"first_name\":\"«Rosalind»\",\"n\":1} rejected"],
        stay: &["first_name: must not be empty", "{\"last_name\":null}"],
    },
    RedactionRule {
        family: "record of a patient",
        words: "pid",
        action: RuleAction::Pattern(Mark::Person, r"PID\|([^\n]*)"),
        go: &["PID|«1||4471928^^^KH^MR||Wernicke^Adelheid»"],
        stay: &["the pid|ppid"],
    },
    RedactionRule {
        family: "person",
        words: " mr| mrs| ms| miss| mstr",
        action: RuleAction::Code(person::passenger),
        go: &["PAX «KOWALCZUK/BRONISLAWA» MRS DOC"],
        stay: &["TCP/IP MS", "INPUT/OUTPUT mr"],
    },
    RedactionRule {
        family: "person",
        words: "姓名|户名|收件人|氏名|名義|예금주|이름|성명|住所|地址|주소|生年月日|заявитель|получатель",
        action: RuleAction::Pattern(
            Mark::Person,
            r"[\x80-\xff]+?(?:\x3a|=|\xef\xbc\x9a|\x20){1,3}((?:[\xe3-\xed\xd0\xd1][\x80-\xff]+ ?){1,3})",
        ),
        go: &["户名：«欧阳静怡» 证件", "예금주: «권지수» 010"],
        stay: &["姓名 is missing"],
    },
    RedactionRule {
        family: "phone",
        words: "&to=",
        action: RuleAction::Pattern(Mark::Phone, r"&to=(\d{9,15})\b"),
        go: &["GET /sms?text=hi&to=«4915774420981»"],
        stay: &["?from=1&to=20"],
    },
    RedactionRule {
        family: "name of a person",
        words: "name|guest|cardholder|nominal|display|kunde|pax ",
        action: RuleAction::Code(person::named),
        go: &[
            "not in the future name=«Wilhelmine Achterberg» NHS-No 943 476 5919",
            "Name «Kunigunde Brockhausen», card 4111111111111111",
            "{\"name\":\"«Quentin Abernathy-Ruiz»\",\"mobile\":\"+44 7700 900123\"}",
        ],
        stay: &[
            "name: Internal Server Error",
            "the name Ada Lovelace is taken",
        ],
    },
    RedactionRule {
        family: "person",
        words: "[redacted:email]|[redacted:phone]|[redacted:iban]|[redacted:national-id]|[redacted:card]",
        action: RuleAction::Code(person::beside),
        go: &[
            "Partner: «Joris Verhoeckx» (joris@example.com)",
            "duplicate: ada@example.com, «Ada Lovelace»",
        ],
        stay: &[
            "Invalid Request, [redacted:email]",
            "Not Found ([redacted:email])",
        ],
    },
    RedactionRule {
        family: "person",
        words: PERSON,
        action: RuleAction::Pattern(
            Mark::Person,
            r"[^\s:=,;(]+(?: (?:name|nominal|order|customer|ref))?\x22?(?: ?[:=] ?\x22?|: | )((?:(?:[A-Z]|\xc3[\x80-\x9e])[a-z'\x80-\xff]+[ -]?(?:(?:van|de|der|von|la|del) )?){2,4}(?:\b|[a-z\x80-\xff]))",
        ),
        go: &[
            "declined for cardholder: «Ada Lovelace-Byron», retry",
            "beneficiary «Remedios Alcazar»",
        ],
        stay: &["patient records are missing", "holder: none"],
    },
    RedactionRule {
        family: "postal address",
        words: "shipping address|billing address|delivery address|postal address|home address|mailing address|home_address|shipping_address|billing_address|\
            \"address\":|.address=|postal_address|mailing_address",
        action: RuleAction::Pattern(
            Mark::Person,
            r"[A-Za-z\x22.]+[ _]?[A-Za-z]*\\?['\x22]?[:=]? ?\\?['\x22]?((?:[A-Z0-9]|\xc3|\xc4|\xc5)[^\];\n\x22,]*\d[^\];\n\x22,]*, [^\];\n\x22]+)|[A-Za-z]+ [A-Za-z]+['\x22]?[:=] ?['\x22]?(\d{1,5} [A-Z][\w.]*(?: [A-Z][\w.]*){0,4}(?:, [A-Z][\w.]*(?: [A-Z][\w.]*)*(?: \d{4,6})?)?)",
        ),
        go: &["shipping address: «14 Heron Court, Millbrook 90210» is undeliverable"],
        stay: &["shipping address: 4 lines at most"],
    },
    RedactionRule {
        family: "number of a person",
        words: "account number|account no|routing number|routing |tax id|driver's license|drivers license|driver license|license number",
        action: RuleAction::Pattern(
            Mark::Person,
            r"[A-Za-z']+(?: [A-Za-z]+)?[.:# =]*['\x22]?([A-Z]?\d[\d -]{6,20}\d)(?: account (\d{6,17}))?\b",
        ),
        go: &[
            "bank account number «000123456789» closed",
            "tax id «12-3456789» invalid",
        ],
        stay: &["the account number is missing", "routing 3 requests"],
    },
    RedactionRule {
        family: "person",
        words: NOUNS_OF_PEOPLE,
        action: RuleAction::Code(person::told),
        go: &[
            "policy of applicant «Robert Paulson» has lapsed",
            "no seat for traveller «Müller, Hans»",
        ],
        stay: &[
            "Customer Service is closed",
            "the client Internal Server Error",
            "user: Access Denied",
        ],
    },
    RedactionRule {
        family: "number of a person",
        words: "dni|nif|nie |cpf|cnpj|cuil|cuit|rut |curp|rfc |bsn|personnummer|personnr|cpr|fødselsnummer|henkilötunnus|hetu|pesel|nip |oib|jmbg|cnp|egn|amka|afm|\
            tckn|ahv|avs|svnr|sozialversicherungsnummer|rentenversicherungsnummer|steuernummer|kontonummer|nino|ppsn|tfn|ssn|nric|hkid|codice fiscale|\
            partita iva|wa_id|msisdn|mrn|medical record|patient id|patient no|member no|member number|policy number|policy no|passport|employee id|employee no|employee number|student id|\
            customer number|customer no|insurance number|insurance no|matricule|personalnummer|licence no|license no|licence number|id card|personal number|\
            staff number|staff id|badge|license_no|licence_no|passportno|passport_no|bank account|account_number|account_no|accountnumber|routing number|routing\":|sort code|sort_code|bsb|voter|nhs number|npi ",
        action: RuleAction::Pattern(
            Mark::Person,
            r"(?:[A-Za-z]+[ _]?)(?:[A-Za-z]+)?(?: (?:number|no\.?|id))?\\?['\x22]?(?: is)?[:=#. ]+\\?['\x22]?([A-Z]{0,4}[ -]?\d[\dA-Z]*(?:[ ./-]\d[\dA-Z]*){0,5})\b",
        ),
        go: &[
            "invalid passport number «C01X00T47» for the traveller",
            "(MRN «00482917») has no consent on file",
            "Bank account «4417 8820 1193» blocked for vendor",
            "{\"account_number\":\"«000123987654»\",\"routing\":\"«021000089»\"}",
        ],
        stay: &["the policy number is missing", "routing: no rule"],
    },
    RedactionRule {
        family: "person",
        words: "cn=|uid=",
        action: RuleAction::Pattern(
            Mark::Person,
            r"(?i:(?:cn|uid)=[^\n\x22'<>;=,]{1,80},\s?(?:ou|dc|o|cn|l|c)=[^\n\x22'<>;:()]*[\w])",
        ),
        go: &["bind as «cn=Jane Doe,ou=staff,dc=acme,dc=example» failed"],
        stay: &["cn=none"],
    },
    RedactionRule {
        family: "person",
        words: "failed password for |invalid user |accepted publickey for |accepted password for |authentication failure for ",
        action: RuleAction::Pattern(
            Mark::Person,
            r"[A-Za-z ]+? for (?:invalid user |illegal user )?(\S+) from |(?i:invalid user) (\S+) from ",
        ),
        go: &["Failed password for invalid user «oracle» from [address] port 52114 ssh2"],
        stay: &["invalid user name"],
    },
    RedactionRule {
        family: "postal address",
        words: " street| road| avenue| lane| drive| court| st,| rd,| ave,| blvd| boulevard| terrace| crescent| close,|straße|strasse|str. |straat|laan |gasse|\
            weg |allee|platz | way,| square,| place,",
        action: RuleAction::Code(person::street),
        go: &[
            "delivery to «14 Heron Street», Millbrook failed",
            "Lieferung an «Lindenstraße 12a» nicht möglich",
        ],
        stay: &["the street is closed", "2 lanes of the road", "a Weg 1"],
    },
    RedactionRule {
        family: "postal address",
        words: " rue | avenue | calle | via | rua | ulica | ul. | piazza | plaza | avenida | viale | chemin ",
        action: RuleAction::Pattern(
            Mark::Person,
            r" (?i:rue|avenue|calle|rua|ulica|ul\.|piazza|plaza|avenida|viale|chemin) ((?:(?:de|des|du|la|le|les|da|do|del|della|di) )?(?:l')?[A-Z\xc3-\xc5][\w'\x80-\xff-]+(?: [A-Z\xc3-\xc5][\w'\x80-\xff-]+)*(?:,? (?:n\.? ?)?\d{1,4}\w?)?(?:, \d{4,6}(?:-\d{3})? [A-Z][\w\x80-\xff-]+)?)| (?i:via) ([A-Z][\w'-]+(?: [A-Z][\w'-]+)*,? \d{1,4}\b)",
        ),
        go: &["livraison 12 rue «des Lilas, 75011 Paris» impossible"],
        stay: &["sent via Kafka", "via HTTP"],
    },
    RedactionRule {
        family: "person",
        words: "@@|(at)|[at]| (a) ",
        action: RuleAction::Code(person::address),
        go: &[
            "not a valid address: «ottilie@@brandner.example»",
            "Reply-To: «buero(at)kanzlei.de»",
        ],
        stay: &["cost@@", "meet (at) noon"],
    },
    RedactionRule {
        family: "phone",
        words: "sip:|tel:|sms:|wa_id|msisdn|phone_number|phonenumber|caller_id|callerid|mobile_number|recipient_phone|phone=|phone\":|holderphone",
        action: RuleAction::Pattern(
            Mark::Phone,
            r"[A-Za-z_]+\\?['\x22]?[:=]{1,2} ?\\?['\x22]?(\+?\d[\d ()-]{5,}\d)",
        ),
        go: &[
            "INVITE sip:«004930555019873»@trunk",
            "details: wa_id: «491735550988»",
        ],
        stay: &["tel: none"],
    },
    RedactionRule {
        family: "card",
        words: "card|pan |pan=|visa|mastercard|카드번호|卡号|カード番号|kartennummer|tarjeta|carte bancaire",
        action: RuleAction::Pattern(
            Mark::Card,
            r"(?i:card|pan|visa|kart|tarjeta|carte|[\x80-\xff]{4})[^\n]{0,120}?[^\w.-]((?:\d{4}[ -]){3}\d{4}|[3-6]\d{15})\b",
        ),
        go: &["Your card was declined. number=«4929 7710 3388 2014» exp=11/27"],
        stay: &["the card has 16 digits"],
    },
    RedactionRule {
        family: "account",
        words: "iban|konto",
        action: RuleAction::Pattern(
            Mark::Iban,
            r"(?i:iban|konto)[^\n]{0,80}?\b([A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?)\b",
        ),
        go: &[
            "checksum mismatch for IBAN «DE44 5001 0517 5407 3249 32» (debtor)",
            "IBAN country not permitted: «AT611904300234573277»",
        ],
        stay: &["the IBAN is missing"],
    },
    RedactionRule {
        family: "name of a person",
        words: "achternaam|nachname|vorname|apellido|surname=|lastname=|last_name=|firstname=|first_name=|familienname|family=|given=|cognome|sobrenome|nazwisko|efternamn|etternavn|sukunimi|patient name",
        action: RuleAction::Pattern(
            Mark::Person,
            r"[A-Za-z_]+(?: name)?s?\\?['\x22]?[:=] ?\\?['\x22]?([^\s,;&)'\x22=\[]{2,40}(?: [^\s,;&)'\x22=:\[]+){0,3})",
        ),
        go: &[
            "achternaam=«van der Zwaluw»",
            "search: family=«Mirzoyan»&birthdate=x",
            "patient name: «Grünwald^Theodora»",
        ],
        stay: &["surname= ", "nachname is missing"],
    },
    RedactionRule {
        family: "postal address",
        words: "addressline|address_line|address1|street1|mailingstreet|shippingstreet|billingstreet|streetaddress|street_address|straße:|strasse:|street:|street=",
        action: RuleAction::Pattern(
            Mark::Person,
            r"(?:[A-Za-z_1]|\xc3\x9f)+\\?['\x22]?[:=] ?\\?['\x22]?(\d{1,5} [A-Z][^,;\n'\x22\\]{3,60}|[A-Z\xc3][^,;\n'\x22\\]{3,60}? \d{1,4}\w?)\b",
        ),
        go: &[
            "addressLine: «4417 Sycamore Bend Rd»",
            "MailingStreet: «Ahornweg 14b», 04229 Leipzig",
        ],
        stay: &["street: must not be empty"],
    },
    RedactionRule {
        family: "postal address",
        words: "\"zip\":|\"zip\": |\"postcode\":|\"postal_code\":|\"postalcode\":|\"plz\":|\"zipcode\":|\"zip_code\":",
        action: RuleAction::Pattern(
            Mark::Person,
            r"\x22[A-Za-z_]+\x22: ?\x22([A-Z0-9]*\d[A-Z0-9 -]{2,9})\x22",
        ),
        go: &["{\"city\":\"Ludlow\",\"zip\":\"«SY8 1BZ»\"}"],
        stay: &["{\"zip\":\"a.zip\"}"],
    },
    RedactionRule {
        family: "person",
        words: "email=|email\":|email: |mail=|email address ",
        action: RuleAction::Pattern(
            Mark::Email,
            r"[A-Za-z]+(?: address)?\\?['\x22]?[:=]? ?\\?['\x22]?([\w.+-]{2,}@[\w.-]*)",
        ),
        go: &["email=«leopoldine.haas@»\"}"],
        stay: &["email: is required", "email=@"],
    },
    RedactionRule {
        family: "birth",
        words: "date of birth|born|birthday|dob|geboren am|born on",
        action: RuleAction::Pattern(
            Mark::Person,
            r"[A-Za-z ]+?(?: is| on| am|:|=)? ?(\d{1,2}\.? [A-Z][a-z\x80-\xff]{2,8} (?:19|20)\d\d|[A-Z][a-z]{2,8} \d{1,2}(?:st|nd|rd|th)?,? (?:19|20)\d\d)\b",
        ),
        go: &["My date of birth is «7 March 1968» and"],
        stay: &["born in May"],
    },
    RedactionRule {
        family: "number of a person",
        words: "codice fiscale",
        action: RuleAction::Pattern(
            Mark::NationalId,
            r"[A-Za-z]+ [A-Za-z]+[^\n]{0,60}?\b([A-Z]{6}\d\d[A-Z]\d\d[A-Z]\d{3}[A-Z])\b",
        ),
        go: &["Codice fiscale non valido per il dipendente: «RSSGPP74M11F205Z»"],
        stay: &["codice fiscale mancante"],
    },
];

/// Nouns and forms of address that the name of a person follows, in the languages of forms.
const NOUNS_OF_PEOPLE: &str = "customer|patient|employee|applicant|traveller|traveler|candidate|student|tenant|driver|resident|subscriber|on behalf of|\
    signed by|assigned to|dear|hello|hi|mr|mr.|mrs|mrs.|ms|ms.|miss|dr|dr.|owner|author|guest|member|claimant|for user|recipient|sender|\
    contact|passenger|insured|donor|nurse|doctor|physician|teacher|manager|parent|guardian|borrower|signer|payee|payer|debtor|creditor|\
    shipper|consignee|attn|attention|deliver to|deliver mail to|delivered to|addressed to|shipped to|ship to|shipto|bill to|person|client|name of|\
    registered to|belongs to|attendee|participant|witness|holder|holder_name|cardholder_name|display name|displayname|display_name|user|username|\
    empfänger|absender|schüler|schülerin|mitarbeiter|mitarbeiterin|antragsteller|mieter|fahrer|ansprechpartner|inhaber|bewerber|teilnehmer|kunde|\
    kundin|herr|frau|patientin|arzt|destinataire|expéditeur|élève|locataire|salarié|monsieur|madame|mme|prénom|destinatario|remitente|cliente|\
    alumno|alumna|nombre|señor|señora|sr.|sra.|paciente|empleado|destinatário|remetente|aluno|ontvanger|afzender|klant|leerling|naam|mottagare|kund|\
    namn|navn|kunden|odbiorca|nadawca|klient|imię|nazwisko|worker|empfaenger|schueler|nome completo|nume complet|nombre completo|nom complet|policyholdername|pan|pani|alıcı|müşteri|jméno|címzett|név|studente|dipendente|signor|signora";

/// Nouns that the name of a person follows.
const PERSON: &str = "cardholder|card holder|account holder|accountholder|kontoinhaber|titular|claimant|beneficiary|beneficiaria|\
    beneficiario|patient|guest=|salariée|holder:|holder=|cdtr=|dbtr=|contact=|passenger|partner:|intestatario|holdername|<nm>|versicherte:|customer name|insured|policyholder|\
    tenant name|customer name|customer:|employee:|recipient:|full_name|fullname|full name|pupil|member |assuré|nome=|mieter|passenger|氏名|姓名|titulaire|versicherte|salarié|first_name|last_name|\
    given_name|family_name|billing name|name on card";
