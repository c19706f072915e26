/** A changelog cannot be generated; the message is for the client. */
export class ChangelogError extends Error {}
