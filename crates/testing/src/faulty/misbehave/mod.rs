//! The tool that does not behave.

mod answers;
mod ask;
mod ends;
mod floods;
mod lines;

use std::sync::Arc;

use serde_json::json;

use super::behaviour::{Behaviour, Leaves, When};
use super::call::{Call, said};
use super::server::Server;
use super::tools::aside;

pub(super) use ends::exit;

/// Does what the argument `how` names.
pub(super) fn call(server: &Arc<Server>, call: Call) {
    let how = call.argument("how").as_str().unwrap_or_default();
    let known = Behaviour::named(how).filter(|each| each.when() == When::Call);
    match known {
        Some(Behaviour::StopsReading) => {
            // On the thread that reads, for it is the one that has to stop.
            server.reply(&call, said("not listening any more"));
            super::start::forever();
        }
        Some(behaviour) => match (work(behaviour), behaviour.leaves()) {
            (Some(work), Leaves::Serving) => aside(server, call, work),
            // After these no later call is answered, so none may be read in the meantime.
            (Some(work), Leaves::Dead) => work(server, &call),
            (Some(work), Leaves::Stuck) => {
                aside(server, call, work);
                server.board.wait(|notes| notes.stuck.then_some(()));
            }
            (None, _) => {}
        },
        None => call.fail(-32602, &format!("no behaviour is called {how:?}")),
    }
}

type Work = fn(&Server, &Call);

/// What a behaviour does; none for those of the start and for doing nothing.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the other half of the table is below"
)]
fn work(behaviour: Behaviour) -> Option<Work> {
    use Behaviour as B;
    let work: Work = match behaviour {
        B::WrongId => |_, call| answers::with_id(call, json!(987_654_321)),
        B::IdOfAnotherType => answers::id_of_another_type,
        B::IdWithAPoint => answers::id_with_a_point,
        B::NullId => |_, call| answers::with_id(call, json!(null)),
        B::NoId => answers::no_id,
        B::AnswerAfterCancel => answers::after_cancel,
        B::TwoAnswers => answers::several,
        B::ProgressAfterAnswer => answers::then_progress,
        B::ProgressOfNobody => answers::progress_of_unknown_token,
        B::CancelsTheCall => answers::cancels_the_call,
        B::OutOfOrder => answers::out_of_order,
        B::ResultAndError => answers::result_and_error,
        B::NullError => answers::null_error,
        B::NeitherResultNorError => answers::neither,
        B::TextErrorCode => answers::text_error_code,
        B::NoErrorMessage => answers::no_error_message,
        B::ErrorIsText => answers::error_is_text,
        B::ResultIsText => answers::result_is_text,
        B::NoVersion => answers::no_version,
        B::Batch => answers::batch,
        B::HugeAnswer => floods::huge_answer,
        B::FloodNotifications => floods::notifications,
        B::FloodStderr => |server, call| floods::stderr(server, call, b"a line of the log\n"),
        B::FloodStderrGarbage => |server, call| floods::stderr(server, call, b"\xff\xfe\xc3\n"),
        B::FloodStderrOneLine => |server, call| floods::stderr(server, call, b"no end in sight "),
        B::AskPing => |server, call| ask::ask(server, call, "ping"),
        B::AskRoots => |server, call| ask::ask(server, call, "roots/list"),
        B::AskSampling => |server, call| ask::ask(server, call, "sampling/createMessage"),
        B::AskElicitation => |server, call| ask::ask(server, call, "elicitation/create"),
        B::AskUnknown => |server, call| ask::ask(server, call, "vendor/unknown"),
        B::AskWithTheSameId => ask::with_the_same_id,
        B::AskThenCancel => ask::then_cancel,
        other => return lines_or_ends(other),
    };
    Some(work)
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test holds the table against all behaviours"
)]
fn lines_or_ends(behaviour: Behaviour) -> Option<Work> {
    use Behaviour as B;
    let work: Work = match behaviour {
        B::HalfALineThenExit => lines::half_then_exit,
        B::HalfALineThenSilence => lines::half_then_silence,
        B::BehindHalfALine => lines::behind_half_a_line,
        B::BehindWords => lines::behind_words,
        B::NoNewlineThenExit => lines::no_newline_then_exit,
        B::HugeLineIdFirst => lines::huge_id_first,
        B::HugeLineIdLast => lines::huge_id_last,
        B::GarbageAround => lines::garbage_around,
        B::NoiseWithIds => lines::noise_with_ids,
        B::BrokenOverLines => lines::broken_over_lines,
        B::CarriageReturn => lines::carriage_return,
        B::SlowDrip => lines::drip,
        B::EndlessDrip => lines::drip_without_end,
        B::InvalidUtf8 => lines::invalid_utf8,
        B::Deep => lines::deep,
        B::TwoIds => lines::two_ids,
        B::ExitZero => |_, _| exit(0),
        B::ExitThree => |_, _| exit(3),
        B::Abort => |_, _| std::process::abort(),
        B::Killed => |_, _| ends::killed(),
        B::AnswerThenExit => ends::answer_then_exit,
        B::EofWhileLiving => |server, _| ends::close_stdout(server),
        B::Grandchild => ends::grandchild,
        B::GrandchildThenExit => ends::grandchild_then_exit,
        _ => return None,
    };
    Some(work)
}

#[cfg(test)]
mod tests {
    use super::{Behaviour, When, work};

    #[test]
    fn every_behaviour_of_a_call_does_something_unless_it_is_silence() {
        for behaviour in Behaviour::of(When::Call) {
            let elsewhere = [Behaviour::Silence, Behaviour::StopsReading].contains(&behaviour);
            assert_eq!(work(behaviour).is_none(), elsewhere, "{behaviour:?}");
        }
    }
}
