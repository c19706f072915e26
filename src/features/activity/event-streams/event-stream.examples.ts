import type { Examples } from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'GET /events/stream': async (world) => ({
    body: { topics: `project:${world.projects.shut.id}`, follow: 'false' },
  }),
}
