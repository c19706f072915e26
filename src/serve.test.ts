import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { runCommand } from '../test/kit/command.ts'
import { newFolder } from '../test/kit/git.ts'

it('says which port is in use, shows the first sign-in all the same, and exits', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => {
    other.close()
  })
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const settings = { BLOOMERY_PORT: String(port), BLOOMERY_RUNNER: 'off', BLOOMERY_SSH_PORT: '0' }
  const { status, stderr } = await runCommand({ data: newFolder() }, ['serve'], settings)
  expect([status, stderr.replaceAll(/(password:|token:) .*/g, '$1 ...').split('\n')]).toEqual([
    1,
    [
      `Port ${port} of 127.0.0.1 is in use. Stop the program that listens there, or set another port (the one of HTTP is BLOOMERY_PORT).`,
      'First start. Administrator: root',
      '  password: ...',
      '  token: ...',
      'They are not shown again.',
      '',
    ],
  ])
})
