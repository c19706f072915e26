/** What keeps a changelog from being generated, in a text for the client. */
export class ChangelogError extends Error {}
