//! Confirms callers again: in the transaction that writes for them, and before responses without a write. So a
//! revocation, deactivation or sign-out also stops requests in progress. It does so however long a request has waited
//! for its body, a password hash or a queue (`docs/decisions/0030-revocations-and-answers.md`).

use crate::service::{
    World,
    callers::{Caller, principal::CallerPrincipal, request::WrittenFlag},
    refuse,
    sign_in::sessions,
    web_client::{ConfirmShown, ShownConversation},
};
use crate::{
    domain::{ids::AccountId, refusal::Code, time::Timestamp},
    store::{AsOf, Db, Error, LockKey, Locks, Op, ReadOp, ReadSql, Result, Sql},
};

/// A caller whose credentials can be revoked, and who is confirmed for writes and responses.
pub(in crate::service) trait Revocable: Send + Sync + 'static {
    /// The caller's current rights, if they are checked after the operation.
    type Current: Send;

    /// Returns the locks that are taken in shared mode to confirm the caller. An operation that revokes the caller
    /// waits for the holders of one of these locks.
    fn locks(&self) -> Vec<LockKey>;

    /// Returns the flag that records a committed write; `None` for callers without one.
    fn written(&self) -> Option<WrittenFlag> {
        None
    }

    /// Refuses if the caller was revoked since the request was authenticated. Runs under [`Revocable::locks`].
    ///
    /// # Errors
    /// The code of the caller's API for revoked credentials.
    fn confirm<C: ReadSql>(&self, c: &mut C) -> impl Future<Output = Result<Self::Current>> + Send;

    /// As [`Revocable::confirm`], in the writing transaction before the operation. For a caller without advisory locks,
    /// also locks the row whose change revokes the caller.
    ///
    /// # Errors
    /// Those of [`Revocable::confirm`].
    fn confirm_for_write<C: Sql>(&self, c: &mut C) -> impl Future<Output = Result<Self::Current>> + Send {
        self.confirm(c)
    }

    /// Rejects the operation if the caller has lost rights that it relied on. Its writes are then rolled back.
    ///
    /// # Errors
    /// The code of the caller's API for missing rights.
    fn check_rights(&self, current: &Self::Current) -> Result<()> {
        let _ = current;
        Ok(())
    }
}

/// An operation on behalf of a caller, who is confirmed first in the same transaction.
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
        // checked also if the operation was rejected, because the rejection depended on the caller's rights too
        if !matches!(out, Err(Error::Store(_))) {
            self.caller.check_rights(&current)?;
        }
        Ok((out?, c.has_changed()))
    }
}

/// Confirms an account for a response, under the locks whose holders a revocation waits for.
struct HoldSession {
    caller: SessionCaller,
    keeps_rights: fn(&CallerPrincipal, &CallerPrincipal) -> bool,
    /// The conversations that the response shows. Their audience locks are held as well.
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

/// Confirms a bot or an assistant for a response, under the locks whose holders a revocation waits for.
struct HoldCaller<K> {
    caller: K,
    /// The conversations that the response shows. Their audience locks are held as well.
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

/// Writes on behalf of a caller, who is confirmed in the same transaction, and notes whether anything was changed.
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
        sessions::find(c, self.session, self.now).await
    }

    fn check_rights(&self, current: &CallerPrincipal) -> Result<()> {
        if self.principal.keeps_checked_rights(current) { Ok(()) } else { refuse(Code::Forbidden) }
    }
}

impl World {
    /// Returns the current read time. To be called before rights are looked up.
    #[must_use]
    pub fn as_of(&self) -> ReadTime {
        ReadTime(self.db.as_of())
    }

    /// Returns whether no revocation acknowledged since `as_of` can affect rights that were read at that time.
    #[must_use]
    pub fn is_current(&self, as_of: &ReadTime) -> bool {
        self.db.is_current(&as_of.0)
    }

    /// Confirms a bot or an assistant, and that its employee still sees what the response shows of conversations. The
    /// query holds the caller's locks, and keeps them for a further 20 ms, in which the response is sent. Returns
    /// `false` on SQLite, where this is not needed.
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

    /// Confirms that people still see what was read of conversations.
    ///
    /// # Errors
    /// `conversation_not_found` if they do not; store errors.
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
    /// Confirms the caller before a response with data of the companies that the request is about.
    ///
    /// # Errors
    /// - `invalid_auth` if the session has ended or can act as none of its persons.
    /// - `forbidden` if the caller has lost rights in one of these companies.
    /// - Store errors.
    pub async fn confirm(&self) -> Result<()> {
        self.confirm_by(CallerPrincipal::keeps_checked_rights).await
    }

    /// Confirms the caller before a page is returned. A page may show all companies of the caller, and the
    /// conversations `shown`.
    ///
    /// # Errors
    /// As [`Caller::confirm`], for rights in any company; `conversation_not_found` if the person no longer sees what
    /// the page shows of a conversation.
    pub async fn confirm_everywhere(&self, shown: Vec<ShownConversation>) -> Result<()> {
        self.confirm_by(CallerPrincipal::rights_are_kept_by).await?;
        self.world().confirm_shown(shown).await
    }

    async fn confirm_by(&self, keeps_rights: fn(&CallerPrincipal, &CallerPrincipal) -> bool) -> Result<()> {
        let CallerPrincipal::Account { session, .. } = self.principal() else { return Ok(()) };
        let current = self.world().find_session(*session).await?;
        if keeps_rights(self.principal(), &current) { Ok(()) } else { refuse(Code::Forbidden) }
    }

    /// As [`Caller::confirm`], but the query holds the caller's locks, and keeps them for a further 20 ms, in which the
    /// response is sent. So the result stays valid however long the query takes. Returns `false` for a session on
    /// SQLite, where this is not needed.
    ///
    /// # Errors
    /// Those of [`Caller::confirm`].
    pub async fn hold(&self) -> Result<bool> {
        self.hold_by(CallerPrincipal::keeps_checked_rights, Vec::new()).await
    }

    /// As [`Caller::hold`], for [`Caller::confirm_everywhere`].
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

    /// Returns the caller for a write, which may outlive the request.
    ///
    /// # Errors
    /// Unavailable while this node's clock is too far from the database's ([`World::trusted_now`]). This applies to the
    /// operator too, because writes store and compare times that decide when something ends, such as an app's old
    /// signing secret.
    pub(in crate::service) fn writer(&self) -> Result<WritingCaller> {
        if let Some(caller) = self.session_caller()? {
            return Ok(WritingCaller::Session(caller));
        }
        self.world().trusted_now()?;
        Ok(WritingCaller::Operator)
    }

    /// Returns the caller with the session; `None` for the operator.
    ///
    /// # Errors
    /// For a session, unavailable while this node's clock is too far from the database's ([`World::trusted_now`]).
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

/// A caller of the admin API or the pages in a write. The operator's key is part of the configuration and cannot be
/// revoked at run time.
pub(in crate::service) enum WritingCaller {
    Operator,
    Session(SessionCaller),
}

impl WritingCaller {
    /// Writes on the caller's behalf.
    ///
    /// # Errors
    /// As [`Caller::write`].
    pub(in crate::service) async fn write<O: Op>(self, db: &Db, op: O) -> Result<O::Out> {
        match self {
            Self::Operator => db.write(op).await,
            Self::Session(caller) => write(db, caller, op).await,
        }
    }
}
