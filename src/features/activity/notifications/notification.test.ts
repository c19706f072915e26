// What people are told of issues and merge requests by email (docs/api/notification-settings.md, "Emails").
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type MailApp, startMailApp } from '../../../../test/kit/emails.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import type { Project } from '../../../subjects/project.ts'

let app: MailApp
let world: World
let project: Project
beforeAll(async () => {
  app = await startMailApp()
  world = await newWorld(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  project = await world.newProject()
  await app.deliver()
})

type Role = keyof World['users']

/** Who was told, in the order of their names, with the sentence that says of what. */
async function told(): Promise<Record<string, string>> {
  const emails = await app.deliver()
  const roles = Object.entries(world.users)
  return Object.fromEntries(
    emails
      .map(({ to, text }) => {
        const role = roles.find(([, { email }]) => email === to)?.[0] ?? to
        return [role, text.split('\n\n')[0] ?? ''] as const
      })
      .toSorted(([one], [other]) => one.localeCompare(other)),
  )
}

const newIssue = async (by: Role, fields: object = {}) => {
  const answer = await world.as(by).post(`/projects/${project.id}/issues`, {
    title: 'Leaking pipe',
    ...fields,
  })
  expect(answer.statusCode).toBe(201)
  return answer.json() as { iid: number; id: number }
}
const comment = (by: Role, iid: number, body: string, more: object = {}) =>
  world.as(by).post(`/projects/${project.id}/issues/${iid}/notes`, { body, ...more })
const nameOf = (role: Role) => world.users[role].name

describe('a note on an issue', () => {
  it('is told to the author of the issue, and not to who wrote it', async () => {
    const { iid } = await newIssue('reporter', { description: 'It drips.' })
    expect(await told()).toEqual({})
    await comment('developer', iid, 'I **see** it.')
    expect(await told()).toEqual({ reporter: `${nameOf('developer')} commented:` })
  })
})
