//! The test clock and the rate limits.

use std::time::Duration;

use super::{Admin, DONE};
use crate::{
    contract::Problem,
    domain::refusal::{Code, Refusal},
    generated::admin::{
        GetClockError, GetClockRequest, GetClockSuccess, ResetRateLimitsError, ResetRateLimitsRequest,
        ResetRateLimitsSuccess, SandboxHandlers, UpdateClockError, UpdateClockRequest, UpdateClockSuccess,
        types,
    },
    workspace::{
        principal::Principal,
        sandbox::{ClockMove, ClockReading},
    },
};

fn wire(reading: ClockReading) -> types::ClockResult {
    let offset_seconds = i64::try_from(reading.offset.as_secs()).unwrap_or(i64::MAX);
    types::ClockResult { ok: types::True, now: reading.now, offset_seconds }
}

impl SandboxHandlers for Admin {
    async fn get_clock(
        &self,
        caller: Principal,
        _: GetClockRequest,
    ) -> Result<GetClockSuccess, Problem<GetClockError>> {
        Ok(wire(self.world.clock_reading(&caller)?).into())
    }

    async fn update_clock(
        &self,
        caller: Principal,
        request: UpdateClockRequest,
    ) -> Result<UpdateClockSuccess, Problem<UpdateClockError>> {
        let by = match (request.body.advance_seconds, request.body.reset) {
            (Some(seconds), None) => ClockMove::Advance(Duration::from_secs(seconds.unsigned_abs())),
            (None, Some(_)) => ClockMove::Reset,
            _ => {
                let why = "exactly one of advance_seconds and reset is needed";
                return Err(Refusal::because(Code::InvalidRequest, why).into());
            }
        };
        Ok(wire(self.world.move_clock(&caller, by).await?).into())
    }

    async fn reset_rate_limits(
        &self,
        caller: Principal,
        _: ResetRateLimitsRequest,
    ) -> Result<ResetRateLimitsSuccess, Problem<ResetRateLimitsError>> {
        self.world.reset_limits(&caller).await?;
        Ok(DONE.into())
    }
}
