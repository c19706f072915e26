// Blocks addresses with too many failed sign-ins (docs/api/git-access.md, "Who may fetch and push"). Failures are
// counted in memory, and each worker of the server sends its own to the others. Failures by account are rows in the
// database, which all servers share.

import { isIPv4 } from 'node:net'
import type { Config } from '../../../config.ts'
import { forbidden } from '../../../kernel/errors.ts'
import { isLoopbackAddress, normalizeIpAddress } from '../../../kernel/ip-addresses.ts'

/** This many failures within the window block an address for `barred_ms`. */
const failures_max = 20
const window_ms = 60_000
const barred_ms = 10 * 60_000
const addresses_max = 100_000

type Failures = { startedAt_ms: number; count: number; barredUntil_ms: number }

export class IpThrottle {
  readonly #failures = new Map<string, Failures>()
  /** Sends a failure to the other workers of the server. */
  #send: (ip: string) => void = () => {}

  /** Returns whether the address is blocked, so that passwords from it are not checked. */
  isBarred(ip: string, now_ms: number): boolean {
    const key = keyOf(ip)
    return key !== undefined && (this.#failures.get(key)?.barredUntil_ms ?? 0) > now_ms
  }

  /** Throws 403 if the address is blocked. */
  refuseBarred(ip: string, now_ms: number): void {
    if (this.isBarred(ip, now_ms)) throw forbidden()
  }

  /** Calls `send` with the address of each failure that is recorded here. */
  onFailure(send: (ip: string) => void): void {
    this.#send = send
  }

  /** Counts a failure. Returns whether the address is blocked now. */
  recordFailure(ip: string, now_ms: number): boolean {
    this.#send(ip)
    return this.recordFailureElsewhere(ip, now_ms)
  }

  /** Counts a failure that another worker reported. Returns whether the address is blocked now. */
  recordFailureElsewhere(ip: string, now_ms: number): boolean {
    const key = keyOf(ip)
    if (key === undefined) return false
    let entry = this.#failures.get(key)
    if (!entry || now_ms - entry.startedAt_ms >= window_ms) {
      // The entry is inserted again, so that the map stays ordered by the start of the windows.
      this.#failures.delete(key)
      entry = { startedAt_ms: now_ms, count: 0, barredUntil_ms: entry?.barredUntil_ms ?? 0 }
      this.#failures.set(key, entry)
      this.#dropOldest(now_ms)
    }
    entry.count++
    if (entry.count < failures_max) return false
    const isNew = entry.barredUntil_ms <= now_ms
    entry.barredUntil_ms = now_ms + barred_ms
    return isNew
  }

  #dropOldest(now_ms: number): void {
    for (const [key, { startedAt_ms, barredUntil_ms }] of this.#failures) {
      const isPast = barredUntil_ms <= now_ms && now_ms - startedAt_ms >= window_ms
      if (!isPast && this.#failures.size <= addresses_max) break
      this.#failures.delete(key)
    }
  }
}

/**
 * Returns the key that an address counts under: an IPv4 address, or a /64 network, since one customer has that much of
 * IPv6. Loopback addresses do not count: behind a proxy all requests come from there.
 */
function keyOf(ip: string): string | undefined {
  if (isLoopbackAddress(ip)) return undefined
  const plain = normalizeIpAddress(ip)
  if (isIPv4(plain)) return plain
  const [address = ''] = plain.split('%', 1)
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = new Array<string>(Math.max(8 - head.length - tail.length, 0)).fill('0')
  return [...head, ...zeros, ...tail].slice(0, 4).join(':')
}

const throttles = new WeakMap<Config, IpThrottle>()

/** Returns the throttle of a running instance, found by its settings. */
export function ipThrottleOf(config: Config): IpThrottle {
  let throttle = throttles.get(config)
  if (!throttle) {
    throttle = new IpThrottle()
    throttles.set(config, throttle)
  }
  return throttle
}
