import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RepositoryReader } from '../backup/repository-reader.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/db.ts'
import { listNodes } from '../features/operating/nodes/list-nodes.ts'
import { Forwarder } from '../forwarding/forwarder.ts'
import { RemoteRepositoryReader } from '../forwarding/remote-repository-reader.ts'
import { createStorageOwnerClient } from '../forwarding/storage-owner-client.ts'
import { setStorageOwnerClient } from '../http/storage-owner-request.ts'
import { systemClock } from '../kernel/clock.ts'

/** Reads repositories for a backup from the servers that run on the same database and have their disks. */
export function openRemoteReader(
  config: Config,
  db: Db,
): { reader: RepositoryReader; close: () => void } {
  const look = async () => {
    const nodes = await listNodes({ db, config })
    forwarder.setNodes(nodes.filter(({ state }) => state === 'running'))
  }
  const forwarder = new Forwarder({
    ...{ db, config, look, clock: systemClock },
    secretKey: readFileSync(join(config.data, 'secret.key')),
    // What fails ends the command, which says so.
    log: { warn: () => {} },
  })
  setStorageOwnerClient(db, createStorageOwnerClient(forwarder))
  return { reader: new RemoteRepositoryReader(db), close: () => forwarder.close() }
}
