//! What the caller is told.

use breakfall::wire::Rpc;

use super::Pipeline;
use super::attempt::Answer;
use super::life::{Failed, Life, Stop};
use crate::peer::Method;
use crate::relay;

impl Pipeline {
    /// Answers, unless nobody waits.
    pub(super) fn reply(&self, mut life: Life, end: Result<Answer, Stop>) {
        let Some(ticket) = life.give() else { return };
        match end {
            Ok(Answer(frame)) => ticket.answer(frame, Method::ToolsCall),
            Err(Stop::TakenBack) => ticket.withdraw(),
            Err(Stop::Failed(failed)) => {
                let Failed {
                    fault,
                    is_malformed,
                    challenge,
                } = *failed;
                if is_malformed {
                    return ticket.fail(&fault, Some(Rpc::InvalidParams));
                }
                match challenge {
                    Some(challenge) => ticket.challenge(&fault, challenge),
                    None => relay::reply(ticket, &life.asked, fault, self.link.upstream()),
                }
            }
        }
    }
}
