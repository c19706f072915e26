import type { Selectable } from 'kysely'
import type { Db, InvitationTable } from '../../../db/db.ts'
import type { User } from '../../../subjects/user.ts'

export type InvitationDetails = Pick<
  Selectable<InvitationTable>,
  'email' | 'access_level' | 'expires_at'
> & {
  created_by_name: string | null
  created_by_language: User['language'] | null
  kind: 'group' | 'project'
  name: string
  full_path: string
}

/** Returns an invitation with its project or group; undefined if either is gone. */
export async function findInvitationDetails(
  db: Db,
  id: number,
): Promise<InvitationDetails | undefined> {
  const row = await db
    .selectFrom('invitations')
    .leftJoin('projects', 'projects.id', 'invitations.project_id')
    .innerJoin('namespaces', (join) =>
      join.on((eb) =>
        eb(
          'namespaces.id',
          '=',
          eb.fn.coalesce('invitations.namespace_id', 'projects.namespace_id'),
        ),
      ),
    )
    .leftJoin('users as inviter', 'inviter.id', 'invitations.created_by_id')
    .select([
      'invitations.email',
      'invitations.access_level',
      'invitations.expires_at',
      'inviter.name as created_by_name',
      'inviter.language as created_by_language',
      'namespaces.name as namespace_name',
      'namespaces.full_path as namespace_path',
      'projects.name as project_name',
      'projects.path as project_path',
    ])
    .where('invitations.id', '=', id)
    .where('namespaces.state', '=', 'ready')
    .where((eb) => eb.or([eb('projects.id', 'is', null), eb('projects.state', '=', 'ready')]))
    .executeTakeFirst()
  if (!row) return undefined
  const { namespace_name, namespace_path, project_name, project_path, ...invitation } = row
  return project_name === null || project_path === null
    ? { ...invitation, kind: 'group', name: namespace_name, full_path: namespace_path }
    : {
        ...invitation,
        kind: 'project',
        name: project_name,
        full_path: `${namespace_path}/${project_path}`,
      }
}
