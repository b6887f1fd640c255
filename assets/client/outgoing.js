// The message that this window sends.

export const outgoing = {
  // The message while it is sent, or else null. Its fields:
  // - `files`: its files
  // - `removed`: a file that was removed while the message was being sent; null if none was
  // - `stop`: a function that ends the check whether a file can be read; null before the first check
  // - `request`: the request that uploads the files
  // - `isUploaded`: whether the request has been sent completely. A removal of a file could then no longer stop the
  //   request, so the buttons that remove its files are hidden.
  current: null,
  // Whether the server has accepted a message of this window whose event has not arrived yet.
  isAwaited: false,
  // Whether the event of a message by this person has arrived since this window last began to send a message. The event
  // may be that of the message which this window sends, or of a message from another window.
  hasArrived: false,
};
