// The thread that copies SQLite's write-ahead log into the database file, which waits for the disk twice.
import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'

const database = new Database(workerData as string)
// As the server's own connection has it: the log is on the disk before the file is touched, the file before the log
// is used anew.
database.pragma('synchronous = NORMAL')

parentPort?.on('message', (message: 'checkpoint' | 'end') => {
  if (message === 'checkpoint') {
    database.pragma('wal_checkpoint(PASSIVE)')
    parentPort?.postMessage('done')
    return
  }
  database.close()
  parentPort?.close()
})
