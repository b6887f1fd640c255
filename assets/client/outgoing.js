// The message that this window sends.

export const outgoing = {
  // The message while it is sent, or else null. Its fields:
  // - `files`: its files
  // - `removed`: a file that was removed while the message was being sent; null if none was
  // - `stop`: a function that ends the check of a file
  // - `request`: the request that uploads the files
  // - `isUploaded`: whether the request has been sent completely; removing a file then no longer stops it
  current: null,
  // Whether the server has accepted a message of this window, and the event of the message has not arrived yet.
  isAwaited: false,
  // Whether an event of a message by this person has arrived since this window began to send. It may be the event of
  // the message that is being sent.
  hasArrived: false,
};
