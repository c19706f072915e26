import type { Endpoint, Instance } from '../http/endpoint.ts'
import type { StorageOwnerDownload, StorageOwnerRequest } from '../http/storage-owner-request.ts'
import type { EffectStep } from '../kernel/effect.ts'
import type { SendEmail } from '../mail/mail.ts'
import type { Task } from '../tasks/task.ts'
import type { RunBackup } from './operating/backups/backup.ts'

/** The parts of the server that tasks receive. */
export type TaskUses = Instance & { sendEmail: SendEmail | undefined; runBackup: RunBackup }

/** Everything that one noun (`issues`, `runners`) adds to the server. families.ts lists all families. */
export type Family = {
  readonly endpoints?: readonly Endpoint[]
  /** Work in the background, recurring work included. */
  // biome-ignore lint/suspicious/noExplicitAny: each task knows its own payload.
  readonly tasks?: readonly Task<any, TaskUses>[]
  /** What servers ask each other of it, where each has disks of its own. */
  // biome-ignore lint/suspicious/noExplicitAny: each request knows its own input.
  readonly storageOwnerRequests?: readonly StorageOwnerRequest<any, unknown>[]
  // biome-ignore lint/suspicious/noExplicitAny: each download knows its own input.
  readonly storageOwnerDownloads?: readonly StorageOwnerDownload<any>[]
  /** What it adds to causes in families before it. */
  readonly effects?: readonly EffectStep[]
}
