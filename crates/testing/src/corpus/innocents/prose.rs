//! Sentences people write, in four languages, with the words that rules look for and without what they look for.

use super::Harmless;
use crate::corpus::random::Random;
use crate::corpus::words::{PARTS, THINGS};

/// The words of SQL, spoken.
pub(super) fn sql_words(random: &mut Random) -> Harmless {
    let (part, thing) = (random.pick(PARTS), random.pick(THINGS));
    Harmless::line(match random.below(13) {
        0 => "Please select an item from the list".to_owned(),
        1 => format!("Select a {thing} from the menu and update your settings"),
        2 => format!("insert the {thing} into the {part} folder where it belongs"),
        3 => format!("Delete the {thing} from the {part} page first"),
        4 => format!("You can update the {thing} and set a reminder where needed"),
        5 => format!("drop the table reservation for the {thing} team"),
        6 => format!("we could not create a table of contents for {part}"),
        7 => "choose where to join us from Monday on; values matter".to_owned(),
        8 => format!("Nothing to select from: the list of {thing}s is empty"),
        9 => format!("alter the {thing} only with care, and group by hand"),
        10 => format!("Cannot delete this {thing} from here: {part} still uses it"),
        11 => format!("Select one or more {thing}s from the list to continue."),
        _ => format!("insert into the {part} tray, then update the {thing} label"),
    })
}

/// Passwords, tokens and keys that are only spoken of.
pub(super) fn secret_words(random: &mut Random) -> Harmless {
    let (part, thing) = (random.pick(PARTS), random.pick(THINGS));
    Harmless::line(match random.below(18) {
        0 => "The password must contain at least 12 characters and one digit".to_owned(),
        1 => "password: must be at least 12 characters long".to_owned(),
        2 => format!("Set the API_KEY environment variable before you start {part}"),
        3 => "Invalid token: the signature does not match".to_owned(),
        4 => format!("the access token of this {thing} has expired, sign in again"),
        5 => "Missing required parameter: api_key".to_owned(),
        6 => "foreign key constraint failed".to_owned(),
        7 => format!("duplicate key in {part}: this {thing} exists already"),
        8 => "no secret is configured for this webhook".to_owned(),
        9 => "api_key: field required".to_owned(),
        10 => "Token expired; request a new one with refresh_token".to_owned(),
        11 => "authentication failed because the credentials were wrong".to_owned(),
        12 => "secret key and access key are both needed".to_owned(),
        13 => "el token de acceso ha caducado, vuelva a iniciar sesión".to_owned(),
        14 => "Das Passwort ist zu kurz: mindestens zwölf Zeichen".to_owned(),
        15 => "パスワードは12文字以上で入力してください".to_owned(),
        16 => "authorization failed: the caller may not read this".to_owned(),
        _ => "the private key could not be read".to_owned(),
    })
}

pub(super) fn english(random: &mut Random) -> Harmless {
    let (part, thing, count) = (
        random.pick(PARTS),
        random.pick(THINGS),
        random.between(2, 90),
    );
    Harmless::line(match random.below(12) {
        0 => format!("The {thing} could not be found in {part}."),
        1 => format!("Rate limit exceeded: {count} requests per minute are allowed."),
        2 => format!("'{thing}' is not one of 'open', 'closed' and/or 'draft'"),
        3 => format!("Either {part} or {thing} must be given (not both)."),
        4 => format!("Too many {thing}s: {count} were sent, 20 fit."),
        5 => format!("We don't know this {thing}; try list_{part}, please."),
        6 => format!("It's {count} minutes late, isn't it? Wait & see."),
        7 => format!("Only A/B tests of {part} run 24/7 (w/o {thing}s)."),
        8 => format!("The {part} service is down for maintenance until 14:30."),
        9 => format!(
            "Insufficient balance: {count}.00 available, {}.00 needed",
            count + 7
        ),
        10 => format!("{thing} “{part} {count}” already exists"),
        _ => format!("Row {count}: the {thing} is empty"),
    })
}

pub(super) fn spanish(random: &mut Random) -> Harmless {
    let count = random.between(2, 90);
    Harmless::line(match random.below(7) {
        0 => format!("No se encontró el recurso solicitado tras {count} intentos."),
        1 => "¿Está seguro de que desea borrar los datos de la página?".to_owned(),
        2 => format!("El límite es de {count} peticiones por minuto; espere un momento."),
        3 => "La operación terminó con advertencias: faltan dos artículos en el envío.".to_owned(),
        4 => format!("El año {} todavía no está cerrado.", 2000 + count),
        5 => "Seleccione un elemento de la lista y vuelva a intentarlo.".to_owned(),
        _ => format!("Faltan {count} días para la próxima revisión."),
    })
}

pub(super) fn german(random: &mut Random) -> Harmless {
    let count = random.between(2, 90);
    Harmless::line(match random.below(7) {
        0 => format!("Der Vorgang wurde nach {count} Sekunden abgebrochen."),
        1 => "Bitte wählen Sie einen Eintrag aus der Liste aus.".to_owned(),
        2 => format!("Es fehlen noch {count} Stück, z. B. Schrauben o. Ä."),
        3 => "Die Größe der Datei überschreitet das zulässige Maß.".to_owned(),
        4 => format!("Straße und Hausnummer (Nr. {count}) sind Pflichtfelder."),
        5 => "Zugriff verweigert: Ihnen fehlt die nötige Berechtigung.".to_owned(),
        _ => format!("Übersicht für KW {count} ist noch nicht verfügbar."),
    })
}

pub(super) fn japanese(random: &mut Random) -> Harmless {
    let count = random.between(2, 90);
    Harmless::line(match random.below(7) {
        0 => format!("要求されたリソースが見つかりませんでした（{count}回試行）。"),
        1 => "一覧から項目を選択してください。".to_owned(),
        2 => format!("1分あたり{count}件までのリクエストが許可されています。"),
        3 => "ファイルのサイズが上限を超えています。".to_owned(),
        4 => format!("{count}番の注文はすでに発送済みです。"),
        5 => "権限がないため、この操作は実行できません。".to_owned(),
        _ => format!("メンテナンス中です。{count}分後にもう一度お試しください。"),
    })
}

/// Names of places and hours.
pub(super) fn names(random: &mut Random) -> Harmless {
    Harmless::word(
        random
            .pick(&[
                "Europe/Berlin",
                "America/Argentina/Buenos_Aires",
                "UTC+02:00",
                "en-GB",
                "zh-Hant-TW",
                "São Paulo",
                "O'Brien & Sons",
                "N/A",
                "TCP/IP",
                "AC/DC",
                "km/h",
                "read/write",
                "true/false",
                "C++/CLI",
                "input/output",
                "client/server",
            ])
            .to_owned(),
    )
}
