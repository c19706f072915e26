import { type Examples, keep, nothing } from '../../../../test/kit/examples.ts'

const body = { name: 'App', redirect_uri: 'https://app.example.test/back', scopes: 'read_user' }

const application = keep(async (world) => {
  const made = await world.as('admin').post('/applications', body)
  return { path: { id: made.json().id } }
})

export const examples: Examples = {
  'GET /applications': nothing,
  'POST /applications': async () => ({ body }),
  'POST /applications/:id/renew-secret': application,
  'DELETE /applications/:id': async (world) => {
    const made = await world.as('admin').post('/applications', body)
    return { path: { id: made.json().id } }
  },
}
