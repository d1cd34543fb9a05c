//! Asks the server, and again if that can do no harm.

use super::life::{Failed, Life, Stop};
use super::{Admitted, Pipeline};
use crate::envelope::{Frame, Params};
use crate::peer::{Came, Loss};

/// What a server has answered.
#[derive(Debug)]
pub(super) struct Answer(pub(super) Frame);

impl Pipeline {
    /// Asks until there is an answer, or no point in asking.
    pub(super) async fn attempt(
        &self,
        admitted: Admitted,
        life: &mut Life,
    ) -> Result<Answer, Stop> {
        let (frame, params) = admitted.into_inner().into_parts();
        self.send(frame, params, life).await.map(Answer)
    }

    /// Asks once.
    async fn send(&self, frame: Frame, params: Params, life: &mut Life) -> Result<Frame, Stop> {
        let (ticket, watch) = life.give().ok_or(Stop::TakenBack)?.watched();
        self.link.request_with(frame, params, ticket);
        // Whoever takes a request back takes the duty to answer it along.
        match watch.await.map_err(|_| Stop::TakenBack)? {
            Came::Answer(frame, ticket) => {
                life.take_back(ticket);
                Ok(frame)
            }
            Came::Lost(loss) => {
                let Loss {
                    ticket,
                    fault,
                    is_written,
                    challenge,
                } = *loss;
                life.take_back(ticket);
                let fault = crate::relay::honest(fault, &life.asked, is_written);
                Err(Stop::Failed(Box::new(Failed {
                    fault,
                    is_malformed: false,
                    challenge,
                })))
            }
        }
    }
}
