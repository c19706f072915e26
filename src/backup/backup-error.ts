/** Why a backup or a restore does not go on, in words for whoever asked for it. */
export class BackupError extends Error {}
