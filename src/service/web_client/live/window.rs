//! An open browser window of a person. The window follows the person's list of conversations, and usually also one
//! conversation.

use std::{collections::VecDeque, future::pending, sync::Arc, time::Duration};

use tokio::sync::broadcast::{Receiver, error::RecvError};

use super::{
    LiveWindows,
    audience::{OpenWindow, WindowHandle},
    feed::{Change, ConversationFeed, WindowChange, read_news},
    lists::{FindStates, ListNews},
};
use crate::{
    domain::{
        conversation::ConversationKind,
        ids::{ConversationId, MessageId, UserId},
        live::{Followed, LivePosition},
        refusal::Code,
    },
    platform::shutdown::Stop,
    service::{
        World,
        callers::{Person, principal::CallerPrincipal},
        conversations::NamedConversation,
        employee::Employee,
        maintenance::WINDOW_LIFE,
        refuse,
        web_client::{message::MessageReader, open},
    },
    store::{ReadOp, ReadSql, Result, StoreError, windows::WindowSession},
};

/// Interval of [`News::Alive`]. Without this news, some proxies would close a stream that is silent for a minute.
const ALIVE: Duration = Duration::from_secs(15);
/// Maximum number of batches that a window reads to get the changes that it has missed. If the window has missed more
/// changes, the client has to load its page again.
const MAX_BATCHES: usize = 4;

/// Maximum age of a window's position for which the window gets the missed changes of the list of conversations. If
/// the position is older, the client must load the list itself.
const LIST_CATCH_UP: Duration = Duration::from_secs(60);

/// News for a window.
#[derive(Clone, Debug)]
pub enum News {
    /// A change in the conversation.
    Change(WindowChange),
    /// A change of the list of conversations.
    List(ListNews),
    /// The window has missed too many changes, or continues from a position older than [`WINDOW_LIFE`]. The client has
    /// to load its page again. Nothing is sent after a reset.
    Reset,
    /// There was no news for 15 seconds.
    Alive,
}

/// Counts a window of a person until this value is dropped.
struct WindowAdmission {
    world: Arc<World>,
    user: UserId,
}

impl WindowAdmission {
    /// Counts a window of a person.
    ///
    /// # Errors
    /// `rate_limited` if the person has too many windows open.
    fn of(world: &Arc<World>, user: UserId) -> Result<Self> {
        match world.live.admit(user) {
            true => Ok(Self { world: Arc::clone(world), user }),
            false => refuse(Code::RateLimited),
        }
    }
}

impl Drop for WindowAdmission {
    fn drop(&mut self) {
        self.world.live.dismiss(self.user);
    }
}

/// An open list of a person's conversations. Dropping the value closes the list.
struct OpenList {
    world: Arc<World>,
    user: UserId,
    news: Receiver<ListNews>,
}

impl OpenList {
    async fn of(world: &Arc<World>, user: UserId) -> Result<Self> {
        let news = world.live.lists.add(user);
        // the value is created before the first `await`, so that the list is closed if the request is dropped during
        // the `await`
        let open = Self { world: Arc::clone(world), user, news };
        world.live.lists.read_once(world, user).await?;
        Ok(open)
    }
}

impl Drop for OpenList {
    fn drop(&mut self) {
        self.world.live.lists.close(self.user);
    }
}

/// An open window, which returns the news for its client.
pub struct LiveWindow {
    world: Arc<World>,
    _admission: WindowAdmission,
    opened: Arc<OpenWindow>,
    list: OpenList,
    list_handle: WindowHandle,
    view: Option<WindowView>,
    /// News that is sent before all other news; `None` if there is no such news.
    first: Option<ListNews>,
    /// Whether [`News::Reset`] was returned. Nothing is returned after a reset.
    has_ended: bool,
    stop: Stop,
}

/// The conversation that a window shows.
struct WindowView {
    feed: Arc<ConversationFeed>,
    feed_handle: WindowHandle,
    reader: MessageReader,
    changes: Receiver<Arc<Change>>,
    /// The position up to which changes were read for the window.
    at: Followed,
    /// Changes that were read, but not sent yet.
    missed: VecDeque<Arc<Change>>,
    /// Number of batches that the window may still read from the database to catch up with the feed. 0 if the window
    /// has caught up or `is_too_late`.
    behind: usize,
    /// Whether the window gets [`News::Reset`] after the changes in `missed`.
    is_too_late: bool,
}

impl Person<'_> {
    /// Opens a window on the person's list of conversations.
    ///
    /// # Errors
    /// - `forbidden` for a caller without a session.
    /// - `Unavailable` before [`World::run_live`] was called.
    /// - `rate_limited` if the person has too many windows open.
    /// - Store errors.
    pub async fn follow_conversations(self) -> Result<LiveWindow> {
        self.open(self.window_session(MessageId(0))?).await
    }

    /// Returns the person and the session of a window that shows messages from `visible_from` on.
    ///
    /// # Errors
    /// `forbidden` for a caller without a session.
    pub(in crate::service::web_client) fn window_session(
        self,
        visible_from: MessageId,
    ) -> Result<WindowSession> {
        let CallerPrincipal::Account { session, account_id, .. } = self.caller().principal() else {
            return refuse(Code::Forbidden);
        };
        Ok(WindowSession { session: *session, account: *account_id, user: self.user_id(), visible_from })
    }

    async fn open(self, window_session: WindowSession) -> Result<LiveWindow> {
        let world = self.world();
        let Some(stop) = world.live.stop.get() else {
            return Err(StoreError::Unavailable("windows cannot be opened yet".into()).into());
        };
        let admission = WindowAdmission::of(world, window_session.user)?;
        let list = OpenList::of(world, window_session.user).await?;
        let opened = OpenWindow::new(window_session);
        let list_handle = world.live.lists.audience.join(&opened);
        let (world, stop) = (Arc::clone(world), stop.clone());
        Ok(LiveWindow {
            world,
            _admission: admission,
            opened,
            list,
            list_handle,
            view: None,
            first: None,
            has_ended: false,
            stop,
        })
    }

    /// Opens a window on a conversation. The window also follows the person's list of conversations.
    ///
    /// `from` is the position at which the page was rendered, or the position that the window had reached before it
    /// reconnected. If `from` is `None`, the window receives only changes after this call. `state` is the hash of the
    /// conversation's properties, such as its name, when the page was rendered. If the hash has changed,
    /// [`ListNews::Renamed`] is sent first.
    ///
    /// # Errors
    /// `conversation_not_found` unless the person is a member; errors of [`Person::follow_conversations`].
    pub async fn follow(
        self,
        id: NamedConversation,
        from: Option<LivePosition>,
        state: Option<&str>,
    ) -> Result<LiveWindow> {
        let world = self.world();
        let (conversation, visible_from) = world.db.read(FindView { employee: self.into(), id }).await?;
        let mut window = self.open(self.window_session(visible_from)?).await?;
        let live: &Arc<LiveWindows> = &world.live;
        let (feed, feed_handle) = live.enter(world, &window.stop, conversation, |feed| {
            (Arc::clone(feed), feed.audience.join(&window.opened))
        });
        let changes = feed.changes();
        let at = from.map_or(Followed::START, |position| position.followed);
        let is_too_late = from.is_some_and(|position| world.clock.now().since(position.at) > WINDOW_LIFE);
        let behind = if from.is_some() { MAX_BATCHES } else { 0 };
        let view = WindowView {
            feed,
            feed_handle,
            reader: MessageReader { person: self.user_id(), visible_from },
            changes,
            at,
            missed: VecDeque::new(),
            behind,
            is_too_late,
        };
        let view = window.view.insert(view);
        view.feed.start(world).await?;
        match from {
            None => view.at = view.feed.newest(world).await?,
            Some(position) if world.clock.now().since(position.at) <= LIST_CATCH_UP => {
                world.live.lists.catch_up(world, window.list.user, position.at).await?;
            }
            Some(_) => {}
        }
        if let Some(shown) = state {
            let (kind, id) = conversation;
            // read after the list was opened, so that the list receives every later change
            let now = world.db.read(FindStates(vec![id])).await?.pop().map(|(_, state)| state);
            window.first = now.filter(|now| now != shown).map(|_| ListNews::Renamed { kind, id });
        }
        Ok(window)
    }
}

impl WindowView {
    /// Whether the person sees the message of a change.
    fn sees(&self, change: &Change) -> bool {
        change.message >= self.reader.visible_from
    }

    /// Reads a batch of the changes that the window has missed.
    async fn catch_up(&mut self, world: &World) -> Result<()> {
        let (news, is_end) = read_news(world, self.feed.conversation, self.at).await?;
        self.at = news.end;
        let seen: Vec<_> = news.changes.into_iter().filter(|change| self.sees(change)).collect();
        self.missed.extend(seen);
        self.behind = if is_end { 0 } else { self.behind - 1 };
        self.is_too_late = self.behind == 0 && !is_end;
        Ok(())
    }

    /// Waits for the next change that the person sees and that the window has not received. Returns `None` if the
    /// window has missed changes.
    async fn next(&mut self) -> Option<Arc<Change>> {
        loop {
            match self.changes.recv().await {
                Ok(change) if change.is_known(self.at) => {}
                Ok(change) => {
                    self.at = change.at.max(self.at);
                    if self.sees(&change) {
                        return Some(change);
                    }
                }
                Err(RecvError::Lagged(_)) => return None,
                // never happens, because the feed is not dropped before its windows
                Err(RecvError::Closed) => pending().await,
            }
        }
    }
}

/// The result of waiting for news.
enum Next {
    End,
    /// `None` if the window has missed changes.
    Change(Option<WindowChange>),
    List(std::result::Result<ListNews, RecvError>),
    Alive,
}

impl LiveWindow {
    /// Waits for the next news. Returns `None` at the end:
    ///
    /// - after [`News::Reset`];
    /// - if the person has lost the right to see what the window shows, for example by a sign-out or by leaving the
    ///   conversation;
    /// - if the server shuts down;
    /// - if the rights of the window cannot be confirmed, or missed changes cannot be read.
    ///
    /// After a reset the client loads its page again. In the other cases the client connects again.
    pub async fn next(&mut self) -> Option<News> {
        if let Some(news) = self.first.take() {
            return self.confirmed(News::List(news)).await;
        }
        loop {
            if let Some(view) = &mut self.view {
                if let Some(change) = view.missed.pop_front() {
                    let change = WindowChange::new(change, view.reader);
                    return self.confirmed(News::Change(change)).await;
                }
                if view.is_too_late {
                    return (!std::mem::replace(&mut self.has_ended, true)).then_some(News::Reset);
                }
                if view.behind > 0 {
                    // boxed, so that the window holds no memory for this future while it waits for news
                    Box::pin(view.catch_up(&self.world)).await.ok()?;
                    continue;
                }
            }
            match self.wait().await {
                Next::End => return None,
                Next::Alive => return Some(News::Alive),
                Next::List(Ok(news)) => return self.confirmed(News::List(news)).await,
                Next::List(Err(_)) => return self.confirmed(News::List(ListNews::Moved)).await,
                Next::Change(Some(change)) => return self.confirmed(News::Change(change)).await,
                Next::Change(None) => self.fall_behind(),
            }
        }
    }

    async fn wait(&mut self) -> Next {
        let Self { world, opened, list, view, stop, .. } = self;
        let change = async {
            match view {
                Some(view) => view.next().await.map(|change| WindowChange::new(change, view.reader)),
                None => pending().await,
            }
        };
        tokio::select! {
            () = stop.draining() => Next::End,
            () = opened.closed() => Next::End,
            change = change => Next::Change(change),
            news = list.news.recv() => Next::List(news),
            () = world.clock.pause(ALIVE) => Next::Alive,
        }
    }

    /// Makes the window read changes from the database, because it has missed changes of the feed.
    fn fall_behind(&mut self) {
        if let Some(view) = &mut self.view {
            view.changes = view.changes.resubscribe();
            view.behind = MAX_BATCHES;
        }
    }

    /// Confirms that the person may still see the news, and returns the news. Returns `None` if the person has lost
    /// this right, or if the right cannot be confirmed.
    async fn confirmed(&mut self, news: News) -> Option<News> {
        let handle = match (&news, &self.view) {
            (News::Change(_), Some(view)) => &view.feed_handle,
            _ => &self.list_handle,
        };
        let confirmed = match handle.is_current(&self.world) {
            true => Ok(()),
            // boxed, so that the window holds no memory for this future while it waits for news
            false => Box::pin(handle.confirm(&self.world)).await,
        };
        if let Err(error) = confirmed {
            tracing::debug!(%error, "failed to confirm the rights of a window; closing it");
            return None;
        }
        (!self.opened.is_closed()).then_some(news)
    }
}

impl Drop for LiveWindow {
    fn drop(&mut self) {
        let live = &self.world.live;
        if let Some(view) = &self.view
            && view.feed.audience.leave(&view.feed_handle)
        {
            view.feed.wake.notify_one();
        }
        live.lists.audience.leave(&self.list_handle);
    }
}

struct FindView {
    employee: Employee,
    id: NamedConversation,
}

impl ReadOp for FindView {
    const NAME: &'static str = "find_view";
    type Out = ((ConversationKind, ConversationId), MessageId);

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        let (conversation, member) = open(c, self.employee, self.id).await?;
        Ok(((conversation.kind, conversation.id), member.visible_from))
    }
}
