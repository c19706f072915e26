// A project that is deleted while git reads its references: the clone fails, and is not taken for that of an empty project.
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { newFolder, processesOf, runRealGit } from '../kit/git.ts'
import { newSshWorld, type SshWorld } from '../kit/ssh.ts'

let world: SshWorld
beforeAll(async () => {
  world = await newSshWorld()
})

it.each([
  ['HTTP', '0'],
  ['HTTP', '2'],
  ['SSH', '0'],
  ['SSH', '2'],
])('a clone over %s by protocol version %s fails', async (transport, version) => {
  const project = await world.newProject({ files: { a: 'a' } })
  const config = { 'protocol.version': version }
  const { remote, env } =
    transport === 'HTTP'
      ? { remote: world.remote(project), env: {} }
      : { remote: world.sshUrl(project), env: world.env(await world.keyOf('owner')) }
  const clone = () => runRealGit(['clone', remote, join(newFolder(), 'copy')], { config, env })
  expect((await clone()).status).toBe(0)
  const repository = world.repository(project)
  const path = join(repository, 'config')
  const text = readFileSync(path)
  rmSync(path)
  // git waits for its settings, before it reads any reference.
  execFileSync('mkfifo', [path])
  const fifo = openSync(path, 'r+')
  const cloning = clone()
  await expect.poll(() => processesOf(repository)).not.toEqual([])
  await world.as('owner').delete(`/projects/${project.id}`)
  await world.app.worker.drain()
  writeSync(fifo, text)
  closeSync(fifo)
  const { status, stderr } = await cloning
  expect([status, stderr]).toEqual([128, expect.stringContaining('was deleted')])
})
