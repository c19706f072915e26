/** Why a backup or a restore cannot go on. The message is for the operator. */
export class BackupError extends Error {}
