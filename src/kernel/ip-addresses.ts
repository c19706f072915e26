import { BlockList, isIP, isIPv4 } from 'node:net'

/** Returns the IPv4 address for an IPv4-mapped IPv6 one: `::ffff:192.0.2.1` becomes `192.0.2.1`. */
export function normalizeIpAddress(address: string): string {
  const inside = /^::ffff:([\d.]{7,15})$/i.exec(address)?.[1]
  return inside ?? address
}

/** Whether the address is the machine's own. Behind a proxy, all requests come from it. */
export function isLoopbackAddress(address: string): boolean {
  const plain = normalizeIpAddress(address)
  return plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'))
}

/**
 * Returns a function that says whether an address is in the list of addresses and ranges (`10.0.0.0/8`). Malformed
 * entries match no address.
 */
export function createIpMatcher(listed: Iterable<string>): (address: string) => boolean {
  const ranges = new BlockList()
  for (const entry of listed) addRange(ranges, entry)
  return (address) => {
    const plain = normalizeIpAddress(address)
    const family = isIP(plain)
    return family !== 0 && ranges.check(plain, family === 4 ? 'ipv4' : 'ipv6')
  }
}

function addRange(ranges: BlockList, entry: string): void {
  const [net = '', length, more] = entry.split('/')
  const family = isIP(net)
  if (family === 0 || more !== undefined) return
  const bits_max = family === 4 ? 32 : 128
  const bits = /^\d{1,3}$/.test(length ?? '') ? Number(length) : bits_max
  if (bits <= bits_max) ranges.addSubnet(net, bits, family === 4 ? 'ipv4' : 'ipv6')
}

/** Ranges that do not belong to hosts on the internet (IANA's registries of special-purpose addresses). */
const isSpecial = createIpMatcher([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16'],
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  // IPv4 addresses in IPv6 ones stand for the same machines: compatible (RFC 4291) and translated (RFC 2765).
  ...[
    '::/96',
    '::ffff:0:0:0/96',
    '64:ff9b::/96',
    '64:ff9b:1::/48',
    '100::/64',
    '2001::/23',
    '2001:db8::/32',
  ],
  ...['2002::/16', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
])

/** Whether the address is a public one on the internet, not one of this machine or its local network. */
export function isPublicAddress(address: string): boolean {
  return isIP(normalizeIpAddress(address)) !== 0 && !isSpecial(address)
}
