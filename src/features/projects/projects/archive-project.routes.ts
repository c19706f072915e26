import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { mayArchiveProject, type Project, projectLoader } from '../../../subjects/project.ts'
import { recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import { ProjectJson } from './project.present.ts'
import { updateProject } from './project.store.ts'
import { showProject } from './show-projects.ts'

const endpoint = endpointFactory({ tag: 'Projects', on: projectLoader })

/** Archiving an archived project changes nothing and succeeds (docs/api/projects.md, "Archive"). */
async function setArchived(context: Context<Project, unknown>, archived: boolean) {
  const { db, clock, subject: project } = context
  if (project.archived !== archived) {
    await updateProject(db, project.id, { archived, updated_at: timestamp(clock) })
    const action = archived ? 'project_archived' : 'project_unarchived'
    await recordAuditEvent(context, { action, entity: { kind: 'project', id: project.id } })
  }
  return showProject(context, project.id)
}

export const archiveProjectEndpoints = [
  endpoint({
    route: 'POST /projects/:id/archive',
    summary: 'Archive a project',
    allow: mayArchiveProject,
    status: 201,
    answer: ProjectJson,
    run: (context) => setArchived(context, true),
  }),

  endpoint({
    route: 'POST /projects/:id/unarchive',
    summary: 'Unarchive a project',
    allow: mayArchiveProject,
    status: 201,
    answer: ProjectJson,
    run: (context) => setArchived(context, false),
  }),
]
