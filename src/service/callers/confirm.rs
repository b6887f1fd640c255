//! Confirms callers: checks again, after a request was authenticated, that the caller still has its rights. A write is
//! confirmed in its own transaction. If nothing was written, the caller is confirmed before the response is sent. So a
//! revocation, a deactivation or a sign-out also stops requests in progress, however long a request has waited for its
//! body, a password hash or a queue (`docs/decisions/0030-revocations-and-answers.md`).

use crate::service::{
    World,
    callers::{
        Caller, ShownConversation, principal::CallerPrincipal, request::WrittenFlag, session,
        shown_conversation::ConfirmShown,
    },
    refuse,
};
use crate::{
    domain::{ids::AccountId, refusal::Code, time::Timestamp},
    store::{AsOf, Db, Error, LockKey, Locks, Op, ReadOp, ReadSql, Result, Sql},
};

/// A caller whose credentials can be revoked. Such a caller is confirmed in writes and before responses.
pub(in crate::service) trait Revocable: Send + Sync + 'static {
    /// The current rights that [`Revocable::check_rights`] checks after the operation; `()` if it checks none.
    type Current: Send;

    /// Returns the locks under which the caller is confirmed. They are taken in shared mode. An operation that revokes
    /// the caller waits until the transactions that hold one of these locks have ended.
    fn locks(&self) -> Vec<LockKey>;

    /// Returns the flag that is set after a committed write. If it is set, the response is sent without another
    /// confirmation, because the response reports the write. Returns `None` for callers without such a flag.
    fn written(&self) -> Option<WrittenFlag> {
        None
    }

    /// Returns the caller's current rights. Rejects the request if the caller was revoked after the request was
    /// authenticated. Runs while [`Revocable::locks`] are held.
    ///
    /// # Errors
    /// The code of the caller's API for revoked credentials.
    fn confirm<C: ReadSql>(&self, c: &mut C) -> impl Future<Output = Result<Self::Current>> + Send;

    /// Does the same as [`Revocable::confirm`], in the transaction of a write, before the operation runs. An
    /// implementation for a caller without advisory locks must also lock the row whose change revokes the caller.
    ///
    /// # Errors
    /// Those of [`Revocable::confirm`].
    fn confirm_for_write<C: Sql>(&self, c: &mut C) -> impl Future<Output = Result<Self::Current>> + Send {
        self.confirm(c)
    }

    /// Rejects an operation that relied on rights which the caller has lost. The writes of the operation are then
    /// rolled back.
    ///
    /// # Errors
    /// The code of the caller's API for missing rights.
    fn check_rights(&self, current: &Self::Current) -> Result<()> {
        let _ = current;
        Ok(())
    }
}

/// An operation on behalf of a caller. Its transaction confirms the caller first.
struct OnBehalf<K, O> {
    caller: K,
    op: O,
}

impl<K: Revocable, O: Op> Op for OnBehalf<K, O> {
    const NAME: &'static str = O::NAME;
    const SNAPSHOT: bool = O::SNAPSHOT;
    /// The result of the operation, and whether its transaction changed anything.
    type Out = (O::Out, bool);

    fn locks(&self) -> Locks {
        let mut locks = self.op.locks();
        locks.shared.extend(self.caller.locks());
        locks
    }

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        let current = self.caller.confirm_for_write(c).await?;
        let out = self.op.run(c).await;
        // The rights are checked even if the operation was rejected, because the rejection may depend on lost rights.
        if !matches!(out, Err(Error::Store(_))) {
            self.caller.check_rights(&current)?;
        }
        Ok((out?, c.has_changed()))
    }
}

/// Confirms a signed-in account before a response, while the account's locks are held. A revocation waits for these
/// locks.
struct HoldSession {
    caller: SessionCaller,
    /// Returns whether the authenticated rights, the first argument, are still part of the current rights, the second.
    keeps_rights: fn(&CallerPrincipal, &CallerPrincipal) -> bool,
    /// The conversations that the response shows. Their locks ([`LockKey::audience`]) are held too.
    shown: Vec<ShownConversation>,
}

impl ReadOp for HoldSession {
    const NAME: &'static str = "hold_session";
    type Out = ();

    fn locks(&self) -> Locks {
        let audiences = self.shown.iter().filter_map(ShownConversation::audience);
        Locks::shared(self.caller.locks().into_iter().chain(audiences))
    }

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<()> {
        let current = self.caller.confirm(c).await?;
        if !(self.keeps_rights)(&self.caller.principal, &current) {
            return refuse(Code::Forbidden);
        }
        ShownConversation::check_all(c, &self.shown).await
    }
}

/// Confirms a bot or an assistant before a response, while the caller's locks are held. A revocation waits for these
/// locks.
struct HoldCaller<K> {
    caller: K,
    /// The conversations that the response shows. Their locks ([`LockKey::audience`]) are held too.
    shown: Vec<ShownConversation>,
}

impl<K: Revocable> ReadOp for HoldCaller<K> {
    const NAME: &'static str = "hold_caller";
    type Out = ();

    fn locks(&self) -> Locks {
        let audiences = self.shown.iter().filter_map(ShownConversation::audience);
        Locks::shared(self.caller.locks().into_iter().chain(audiences))
    }

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<()> {
        let current = self.caller.confirm(c).await?;
        self.caller.check_rights(&current)?;
        ShownConversation::check_all(c, &self.shown).await
    }
}

/// Confirms the caller and runs the operation, in one transaction. If the transaction changed anything, sets the
/// flag [`Revocable::written`] after the commit.
async fn write<K: Revocable, O: Op>(db: &Db, caller: K, op: O) -> Result<O::Out> {
    let written = caller.written();
    let (out, has_changed) = db.write(OnBehalf { caller, op }).await?;
    if let Some(written) = written.filter(|_| has_changed) {
        written.note();
    }
    Ok(out)
}

/// When the rights of a caller were read.
#[derive(Clone, Copy, Debug)]
pub struct ReadTime(pub(in crate::service) AsOf);

/// An account, as authenticated by its session for one request.
#[derive(Clone, Debug)]
pub(in crate::service) struct SessionCaller {
    principal: CallerPrincipal,
    account: AccountId,
    session: [u8; 32],
    now: Timestamp,
}

impl Revocable for SessionCaller {
    type Current = CallerPrincipal;

    fn locks(&self) -> Vec<LockKey> {
        let persons = self.principal.persons().iter().map(|person| LockKey::user(person.user_id));
        persons.chain([LockKey::account(self.account), LockKey::session(&self.session)]).collect()
    }

    fn written(&self) -> Option<WrittenFlag> {
        self.principal.written().cloned()
    }

    async fn confirm<C: ReadSql>(&self, c: &mut C) -> Result<CallerPrincipal> {
        session::find(c, self.session, self.now).await
    }

    fn check_rights(&self, current: &CallerPrincipal) -> Result<()> {
        if self.principal.keeps_checked_rights(current) { Ok(()) } else { refuse(Code::Forbidden) }
    }
}

impl World {
    /// Returns the current time, as the read time of rights. Call this before the rights are looked up.
    #[must_use]
    pub fn as_of(&self) -> ReadTime {
        ReadTime(self.db.as_of())
    }

    /// Returns whether rights that were read at `as_of` are certainly still current: they reflect every revocation that
    /// was acknowledged until now.
    #[must_use]
    pub fn is_current(&self, as_of: &ReadTime) -> bool {
        self.db.is_current(&as_of.0)
    }

    /// On PostgreSQL, confirms a bot or an assistant and returns `true`. Also confirms that the assistant's employee
    /// still sees the messages that the response shows. The query takes the locks of the bot or assistant and of the
    /// conversations `shown`. They are held until 20 ms after the query. In these 20 ms the response must be sent. A
    /// revocation waits for these locks. On SQLite, returns `false` and confirms nothing.
    ///
    /// # Errors
    /// `token_revoked` if the caller was revoked; those of [`World::confirm_shown`].
    pub(in crate::service) async fn hold_caller<K: Revocable>(
        &self,
        caller: K,
        shown: Vec<ShownConversation>,
    ) -> Result<bool> {
        Ok(self.db.hold(HoldCaller { caller, shown }).await?.is_some())
    }

    /// Confirms that a person still sees the messages that were read from the conversations `shown`.
    ///
    /// # Errors
    /// `conversation_not_found` if the person no longer sees these messages; store errors.
    pub async fn confirm_shown(&self, shown: Vec<ShownConversation>) -> Result<()> {
        if shown.is_empty() { Ok(()) } else { self.db.read(ConfirmShown(shown)).await }
    }

    /// Writes on behalf of a bot, an assistant or an app.
    ///
    /// # Errors
    /// - `token_revoked` if the bot or the assistant was revoked.
    /// - `invalid_client` if the app was disabled or its secret replaced.
    /// - Errors of the operation.
    pub(in crate::service) async fn write_for<K: Revocable, O: Op>(
        &self,
        caller: K,
        op: O,
    ) -> Result<O::Out> {
        write(&self.db, caller, op).await
    }
}

impl Caller {
    /// Confirms the caller before a response with data of the companies that the request concerns. Does nothing for the
    /// operator.
    ///
    /// # Errors
    /// - `invalid_auth` if the session has ended, or no longer gives access to any company.
    /// - `forbidden` if the caller has lost rights in one of the companies that the request concerns.
    /// - Store errors.
    pub async fn confirm(&self) -> Result<()> {
        self.confirm_by(CallerPrincipal::keeps_checked_rights).await
    }

    /// Confirms the caller before a page is returned. A page may show data of any of the caller's companies, so the
    /// caller must still have all rights in all of them. `shown` are the conversations that the page shows.
    ///
    /// # Errors
    /// - Those of [`Caller::confirm`], with `forbidden` for lost rights in any company.
    /// - `conversation_not_found` if the person no longer sees the messages that the page shows.
    pub async fn confirm_everywhere(&self, shown: Vec<ShownConversation>) -> Result<()> {
        self.confirm_by(CallerPrincipal::rights_are_kept_by).await?;
        self.world().confirm_shown(shown).await
    }

    async fn confirm_by(&self, keeps_rights: fn(&CallerPrincipal, &CallerPrincipal) -> bool) -> Result<()> {
        let CallerPrincipal::Account { session, .. } = self.principal() else { return Ok(()) };
        let current = self.world().find_session(*session).await?;
        if keeps_rights(self.principal(), &current) { Ok(()) } else { refuse(Code::Forbidden) }
    }

    /// On PostgreSQL, does the same as [`Caller::confirm`] and returns `true`. The query takes the caller's locks,
    /// which are held until 20 ms after the query. In these 20 ms the response must be sent. A revocation waits for
    /// these locks. So the result is still valid when the response is sent, however long the query takes.
    ///
    /// On SQLite, returns `false` for a session and confirms nothing. For the operator there is nothing to confirm, so
    /// both engines return `true`.
    ///
    /// # Errors
    /// Those of [`Caller::confirm`].
    pub async fn hold(&self) -> Result<bool> {
        self.hold_by(CallerPrincipal::keeps_checked_rights, Vec::new()).await
    }

    /// Does the same as [`Caller::confirm_everywhere`], with the locks and the result of [`Caller::hold`].
    ///
    /// # Errors
    /// Those of [`Caller::confirm_everywhere`].
    pub async fn hold_everywhere(&self, shown: Vec<ShownConversation>) -> Result<bool> {
        self.hold_by(CallerPrincipal::rights_are_kept_by, shown).await
    }

    async fn hold_by(
        &self,
        keeps_rights: fn(&CallerPrincipal, &CallerPrincipal) -> bool,
        shown: Vec<ShownConversation>,
    ) -> Result<bool> {
        match self.session_caller()? {
            None => Ok(true),
            Some(caller) => {
                Ok(self.world().db.hold(HoldSession { caller, keeps_rights, shown }).await?.is_some())
            }
        }
    }

    /// Writes on behalf of the caller.
    ///
    /// # Errors
    /// - `invalid_auth` if the session has ended, `forbidden` if the caller has lost rights.
    /// - Errors of [`Caller::writer`].
    /// - Errors of the operation.
    pub(in crate::service) async fn write<O: Op>(&self, op: O) -> Result<O::Out> {
        self.writer()?.write(&self.world().db, op).await
    }

    /// Returns the caller in a form that can write after the request has ended.
    ///
    /// # Errors
    /// `Unavailable` while this node's clock is too far from the database's clock ([`World::trusted_now`]). This
    /// applies to the operator too: a write can store the time at which something expires, for example an app's old
    /// signing secret, and with a wrong clock that time would be wrong.
    pub(in crate::service) fn writer(&self) -> Result<WritingCaller> {
        if let Some(caller) = self.session_caller()? {
            return Ok(WritingCaller::Session(caller));
        }
        self.world().trusted_now()?;
        Ok(WritingCaller::Operator)
    }

    /// Returns the caller as an account with its session; `None` for the operator.
    ///
    /// # Errors
    /// For an account, `Unavailable` while this node's clock is too far from the database's clock
    /// ([`World::trusted_now`]).
    fn session_caller(&self) -> Result<Option<SessionCaller>> {
        Ok(match self.principal() {
            CallerPrincipal::Operator => None,
            CallerPrincipal::Account { account_id, session, .. } => Some(SessionCaller {
                principal: self.principal().clone(),
                account: *account_id,
                session: *session,
                now: self.world().trusted_now()?,
            }),
        })
    }
}

/// A caller of the admin API or the pages that can write after its request has ended. The operator is not confirmed,
/// because the operator key is part of the configuration and cannot be revoked at run time.
pub(in crate::service) enum WritingCaller {
    Operator,
    Session(SessionCaller),
}

impl WritingCaller {
    /// Writes on behalf of the caller.
    ///
    /// # Errors
    /// Those of [`Caller::write`], without those of [`Caller::writer`].
    pub(in crate::service) async fn write<O: Op>(self, db: &Db, op: O) -> Result<O::Out> {
        match self {
            Self::Operator => db.write(op).await,
            Self::Session(caller) => write(db, caller, op).await,
        }
    }
}
