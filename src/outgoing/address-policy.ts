// Which addresses this server may connect to for a user. Names are resolved and checked at each use, since they may
// change at any time.
import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { FairLimiter } from '../kernel/fair-limiter.ts'
import { createIpMatcher, isPublicAddress } from '../kernel/ip-addresses.ts'
import { limits } from '../kernel/limits.ts'

/** Whether the server may connect to an address, which belongs to the host name `host`. */
export type AddressPolicy = (address: string, host: string) => boolean

export const allowAnyAddress: AddressPolicy = () => true
export const allowPublicAddresses: AddressPolicy = (address) => isPublicAddress(address)

/**
 * Allows public addresses and those in the list: host names, addresses, and ranges of addresses (`10.0.0.0/8`). A
 * malformed entry allows nothing.
 */
export function allowPublicAndListed(listed: readonly string[]): AddressPolicy {
  const names = new Set(listed.map((entry) => entry.trim().toLowerCase()))
  const isListed = createIpMatcher(names)
  return (address, host) =>
    isPublicAddress(address) || names.has(host.toLowerCase()) || isListed(address)
}

/** Thrown for an address that the server must not connect to. */
export class UnreachableError extends Error {
  constructor() {
    super('its address is not public')
  }
}

/** Returns the host of a URL to connect to: an IPv6 address without its brackets. */
export function hostOfUrl({ hostname }: Pick<URL, 'hostname'>): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

/** Throws if the host is an IP address that is not allowed. Such a host is not looked up. */
export function ensureHostAllowed(url: Pick<URL, 'hostname'>, reach: AddressPolicy): void {
  const host = hostOfUrl(url)
  if (isIP(host) !== 0 && !reach(host, host)) throw new UnreachableError()
}

// The system looks names up on the threads that files are read on; slow names must not take all of them.
const lookups = new FairLimiter(limits.name_lookups)

/** Returns a DNS lookup that finds only allowed addresses. */
export function createGuardedLookup(reach: AddressPolicy): LookupFunction {
  return (host, options, done) => {
    lookups
      .run(() => lookup(host, { ...options, all: true }))
      .then((addresses) => {
        const open = addresses.filter(({ address }) => reach(address, host))
        const [first] = open
        if (!first) throw new UnreachableError()
        if (options.all) done(null, open)
        else done(null, first.address, first.family)
      })
      .catch((error) => done(error, '', 0))
  }
}
