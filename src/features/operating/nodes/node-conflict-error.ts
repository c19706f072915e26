/** Why a node does not start beside those that run; the message is for its operator. */
export class NodeConflictError extends Error {}
