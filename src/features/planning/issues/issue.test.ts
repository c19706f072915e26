import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const issuesOf = (project: { id: number }) => `/projects/${project.id}/issues`

describe('Creating an issue', () => {
  it('answers the whole record', async () => {
    const { shut } = world.projects
    const made = await world.as('guest').post(issuesOf(shut), {
      title: ' A title ',
      description: 'Text with - a list\n\n- [ ] one\n- [x] two',
    })
    expect(made.statusCode).toBe(201)
    expect(made.json()).toMatchObject({
      iid: 1,
      title: 'A title',
      task_status: '1 of 2 tasks completed',
    })
  })
})
