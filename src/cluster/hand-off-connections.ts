// Hands off connections to a dead worker. Node's cluster module accepts connections in the supervisor, sends each to a
// worker in turn, and forgets it when the worker reports that it has taken it
// (lib/internal/cluster/round_robin_handle.js). If the worker dies before, nothing reports it: the connection would stay
// open in the supervisor, and the client would wait forever.
import type { Worker } from 'node:cluster'

/** A message that Node sends with a connection, and the reply of the worker with the same number (`seq`, `ack`). */
type Handoff = { cmd?: unknown; act?: unknown; seq?: number; ack?: number }

/** The time in which the last messages of a dead worker are read. */
const unread_ms = 100
const internal = 'NODE_CLUSTER'

/** Makes another worker take the connections that were sent to this one and that it had not accepted when it died. */
export function handOffConnections(worker: Worker): void {
  const { process: child } = worker
  const untaken = new Set<number>()
  const send = child.send.bind(child) as (...args: unknown[]) => boolean
  child.send = (...args: unknown[]) => {
    const message = args[0] as Handoff
    if (message.cmd === internal && message.act === 'newconn' && message.seq !== undefined) {
      untaken.add(message.seq)
    }
    return send(...args)
  }
  child.on('internalMessage', ({ ack }: Handoff) => {
    if (ack !== undefined) untaken.delete(ack)
  })
  // A worker that is shutting down answers with this message, and Node then gives the connection to the next
  // worker.
  const refuse = () => {
    for (const ack of untaken) {
      child.emit('internalMessage', { cmd: internal, ack, accepted: false }, undefined)
    }
  }
  worker.once('exit', () => setTimeout(refuse, unread_ms))
}
