import { setTimeout } from 'node:timers/promises'
import { deleteBlobMarker, isBlobMarkerCurrent } from '../blobs/blob-marker.ts'
import { blobStoreOf } from '../blobs/blob-store.ts'
import { moveBlobs } from '../blobs/move-blobs.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/db.ts'
import { systemClock } from '../kernel/clock.ts'
import { limits } from '../kernel/limits.ts'
import { pauseLanes } from '../tasks/lane-pause.ts'
import { type Command, CommandError, parseOptions, UsageError } from './command.ts'
import { withDatabase } from './with-database.ts'

const progress_blobs = 1000

export const blobsCommand: Command = {
  usage: `Usage: bloomery blobs move

Moves all blobs (LFS objects, artifacts, logs, uploads, sites) to where BLOOMERY_BLOBS says new ones are stored: from
the data folder to S3, or with new=disk back. The server runs meanwhile, with the same setting. If the command is
interrupted, run it again: it goes on where it ended.
`,
  async run({ config, args, print }) {
    const [word, ...others] = parseOptions(args, {}).positionals
    if (word !== 'move' || others.length > 0) throw new UsageError('Missing word: move')
    const { blobs } = config
    if (!blobs) throw new CommandError('BLOOMERY_BLOBS is not set: all blobs are on the disk.')
    if (!isBlobMarkerCurrent(config)) {
      throw new CommandError(
        'The server was not started with this BLOOMERY_BLOBS. Restart it with the setting first, ' +
          'or it does not find the blobs that are moved.',
      )
    }
    const counts = await withDatabase(config, (db) => move(db, config, print))
    const megabytes = Math.ceil(counts.bytes / 1024 / 1024)
    const goal = blobs.storesNewBlobs ? blobs.name : 'the disk'
    print(`Moved ${counts.moved} blobs to ${goal}, ${megabytes} MB; ${counts.damaged} damaged.`)
    if (counts.damaged > 0) return 1
    if (!blobs.storesNewBlobs) {
      deleteBlobMarker(config)
      print('No blobs are in S3 any more. Restart the server without BLOOMERY_BLOBS.')
    }
    return 0
  },
}

async function move(db: Db, config: Config, print: (line: string) => void) {
  const lost = new AbortController()
  const hold = await pauseLanes(db, systemClock, {
    lanes: ['removal'],
    onLost: (error) => lost.abort(new CommandError(`Lost the hold on the lane removal: ${error}`)),
  })
  try {
    while ((await hold.countRunning()) > 0) await setTimeout(limits.tasks.poll_ms)
    return await moveBlobs(blobStoreOf(config), {
      at_once: limits.s3.moves_at_once,
      signal: lost.signal,
      onDamaged: (problem) => print(`DAMAGED ${problem}`),
      onMoved({ moved }) {
        if (moved % progress_blobs === 0) print(`Moved ${moved} blobs.`)
      },
    })
  } finally {
    await hold.release()
  }
}
