//! Handlers for the test clock and for the reset of rate limits.

use std::time::Duration;

use super::{Admin, DONE};
use crate::{
    contract::OperationError,
    domain::refusal::{Code, Refusal},
    generated::admin::{
        GetClockError, GetClockRequest, GetClockSuccess, ResetRateLimitsError, ResetRateLimitsRequest,
        ResetRateLimitsSuccess, SandboxHandlers, UpdateClockError, UpdateClockRequest, UpdateClockSuccess,
        types,
    },
    service::{
        callers::Caller,
        sandbox::{ClockMove, ClockReading},
    },
};

impl From<ClockReading> for types::ClockResult {
    fn from(reading: ClockReading) -> Self {
        let offset_seconds = i64::try_from(reading.offset.as_secs()).unwrap_or(i64::MAX);
        Self { ok: types::True, now: reading.now, offset_seconds }
    }
}

impl SandboxHandlers for Admin {
    async fn get_clock(
        &self,
        caller: Caller,
        _: GetClockRequest,
    ) -> Result<GetClockSuccess, OperationError<GetClockError>> {
        Ok(types::ClockResult::from(caller.operator()?.clock_reading()).into())
    }

    async fn update_clock(
        &self,
        caller: Caller,
        request: UpdateClockRequest,
    ) -> Result<UpdateClockSuccess, OperationError<UpdateClockError>> {
        let by = match (request.body.advance_seconds, request.body.reset) {
            (Some(seconds), None) => ClockMove::Advance(Duration::from_secs(seconds.unsigned_abs())),
            (None, Some(_)) => ClockMove::Reset,
            _ => {
                let why = "exactly one of advance_seconds and reset is required";
                return Err(Refusal::because(Code::InvalidRequest, why).into());
            }
        };
        Ok(types::ClockResult::from(caller.operator()?.move_clock(by).await?).into())
    }

    async fn reset_rate_limits(
        &self,
        caller: Caller,
        _: ResetRateLimitsRequest,
    ) -> Result<ResetRateLimitsSuccess, OperationError<ResetRateLimitsError>> {
        caller.operator()?.reset_limits().await?;
        Ok(DONE.into())
    }
}
