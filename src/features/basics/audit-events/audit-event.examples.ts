import { type Examples, group, keep, nothing, project } from '../../../../test/kit/examples.ts'
import type { World } from '../../../../test/kit/world.ts'

/** Returns the id of the newest event of the entity. */
async function lastEvent(world: World, entity_type: string, entity_id: number): Promise<number> {
  const { id } = await world.app.db
    .selectFrom('audit_events')
    .select('id')
    .where('entity_type', '=', entity_type)
    .where('entity_id', '=', entity_id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return id
}

const ofGroup = keep(async (world) => {
  const { path } = await group(world)
  await world.as('admin').post(`/groups/${path.id}/variables`, { key: 'AUDITED', value: 'v' })
  const audit_event_id = await lastEvent(world, 'Group', Number(path.id))
  return { path: { ...path, audit_event_id } }
})

const ofProject = keep(async (world) => {
  const { path } = await project(world)
  await world.as('admin').post(`/projects/${path.id}/protected_branches`, { name: 'audited-*' })
  const audit_event_id = await lastEvent(world, 'Project', Number(path.id))
  return { path: { ...path, audit_event_id } }
})

export const examples: Examples = {
  'GET /audit_events': nothing,
  'GET /audit_events/export': nothing,
  'GET /audit_events/:audit_event_id': keep(async (world) => {
    const { audit_event_id = 0 } = (await ofProject(world)).path
    return { path: { audit_event_id } }
  }),
  'GET /groups/:id/audit_events': group,
  'GET /groups/:id/audit_events/export': group,
  'GET /groups/:id/audit_events/:audit_event_id': ofGroup,
  'GET /projects/:id/audit_events': project,
  'GET /projects/:id/audit_events/export': project,
  'GET /projects/:id/audit_events/:audit_event_id': ofProject,
}
