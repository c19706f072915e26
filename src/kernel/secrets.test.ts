import { expect, it } from 'vitest'
import { asked } from '../../test/kit/password-cost.ts'
import { hashPassword, verifyPassword } from './secrets.ts'

it('a password costs as much to hash as to try, whether there is a digest or not', async () => {
  const cost = { N: 2 ** 15, r: 8, p: 1 }
  const turn = { name: 'n', begin: () => {} }
  const digest = await hashPassword('a password')
  expect(asked.options).toMatchObject(cost)
  for (const [password, known, isRight] of [
    ['a password', digest, true],
    ['another', digest, false],
    ['a password', null, false],
  ] as const) {
    asked.options = undefined
    expect(await verifyPassword(password, known, turn)).toBe(isRight)
    expect(asked.options).toMatchObject(cost)
  }
})
