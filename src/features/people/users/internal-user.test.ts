import { expect, it } from 'vitest'
import { newWorld } from '../../../../test/kit/world.ts'
import { ensureInternalUser } from './internal-user.ts'

it('gives a user of the server a name and an address that nobody has', async () => {
  const world = await newWorld()
  await world.newUser({ username: 'alert-bot' })
  await world.newUser({ email: 'Alert-Bot1@example.com' })
  const group = await world.as('owner').post('/groups', { name: 'Bots', path: 'alert-bot2' })
  expect(group.statusCode).toBe(201)
  const { db, clock } = world.app
  const made = await db
    .transaction()
    .execute((tx) => ensureInternalUser(tx, clock.now, 'alert_bot'))
  expect(made).toMatchObject({ username: 'alert-bot3', email: 'alert-bot3@example.com' })
})
