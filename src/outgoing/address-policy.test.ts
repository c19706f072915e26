import { describe, expect, it } from 'vitest'
import {
  type AddressPolicy,
  allowAnyAddress,
  allowPublicAddresses,
  allowPublicAndListed,
  createGuardedLookup,
  ensureHostAllowed,
} from './address-policy.ts'

const nowhere: AddressPolicy = () => false

describe('Addresses that are public or listed', () => {
  const reach = allowPublicAndListed([' Build.Example ', '10.1.0.0/16', '192.168.1.5'])

  it.each([
    ['a public address', '8.8.8.8', 'dns.example', true],
    ['a neighbour', '10.2.0.1', 'other.example', false],
    ['a neighbour by a listed name, in any case', '10.2.0.1', 'BUILD.example', true],
    ['an address of a listed range', '10.1.2.3', 'other.example', true],
    ['a listed address', '192.168.1.5', 'other.example', true],
    ['the address beside it', '192.168.1.6', 'other.example', false],
  ])('%s', (_what, address, host, isOpen) => {
    expect(reach(address, host)).toBe(isOpen)
  })

  it('without a list are the public ones', () => {
    expect(allowPublicAddresses('8.8.8.8', 'x')).toBe(true)
    expect(allowPublicAddresses('127.0.0.1', 'x')).toBe(false)
  })

  it('are all addresses where the settings say so', () => {
    expect(allowAnyAddress('127.0.0.1', 'x')).toBe(true)
  })
})

describe('A host that is an address', () => {
  it.each(['http://127.0.0.1/', 'http://[::1]/', 'http://169.254.169.254/'])(
    'is refused where it is out of reach: %s',
    (url) => {
      expect(() => ensureHostAllowed(new URL(url), allowPublicAddresses)).toThrow(
        'its address is not public',
      )
    },
  )

  it('is taken where it is within reach, and a name is left to the lookup', () => {
    expect(() => ensureHostAllowed(new URL('http://8.8.8.8/'), allowPublicAddresses)).not.toThrow()
    expect(() => ensureHostAllowed(new URL('http://localhost/'), nowhere)).not.toThrow()
  })
})

describe('A lookup', () => {
  const loopback: AddressPolicy = (address) => address === '127.0.0.1'
  const look = (reach: AddressPolicy, all: boolean) =>
    new Promise((resolve) =>
      createGuardedLookup(reach)('localhost', { all, family: 4 }, (error, found, family) =>
        resolve(error ? error.message : [found, family]),
      ),
    )

  it('finds only addresses within reach', async () => {
    expect(await look(loopback, true)).toEqual([[{ address: '127.0.0.1', family: 4 }], undefined])
    expect(await look(loopback, false)).toEqual(['127.0.0.1', 4])
    expect(await look(nowhere, true)).toBe('its address is not public')
    expect(await look(allowPublicAddresses, false)).toBe('its address is not public')
  })
})
