import { isIPv4 } from 'node:net'

/** An address as one family has it: `::ffff:192.0.2.1` is `192.0.2.1`. */
export function plainAddress(address: string): string {
  const inside = /^::ffff:([\d.]{7,15})$/i.exec(address)?.[1]
  return inside ?? address
}

/** Whether it is the machine's own, where behind a proxy everybody comes from. */
export function isLoopbackAddress(address: string): boolean {
  const plain = plainAddress(address)
  return plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'))
}
