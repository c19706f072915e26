/** Why a node cannot start beside the running ones. The message is for its operator. */
export class NodeConflictError extends Error {}
