import { Type } from 'typebox'
import { Level } from '../../../access/level.ts'
import { endpointFactory } from '../../../http/endpoint.ts'
import { namedObject, oneOf, optionalText } from '../../../http/schema.ts'
import { mayDownloadCode, projectLoader, projectRepository } from '../../../subjects/project.ts'
import { BasicUserJson, findUsersByIds, presentBasicUser } from '../../../subjects/user.ts'
import {
  entryForTooLargeCodeOwnersFile,
  findCodeOwnerIds,
  findCodeOwnersFile,
  listVisibleGroups,
  matchCodeOwnersEntries,
  pickCodeOwnerIds,
} from '../code-owners/code-owners.ts'
import { checkFilePath, getFile } from './file.ts'

const endpoint = endpointFactory({
  tag: 'Repository files',
  on: projectLoader,
  scope: 'read_repository',
})

const roles = ['developer', 'maintainer', 'owner'] as const
const levelOfRole = { developer: Level.developer, maintainer: Level.maintainer, owner: Level.owner }

const CodeOwnersJson = namedObject('CodeOwners', {
  section: Type.String(),
  pattern: Type.String(),
  optional: Type.Boolean(),
  approvals_required: Type.Integer(),
  users: Type.Array(BasicUserJson),
  groups: Type.Array(
    namedObject('CodeOwnersGroup', {
      id: Type.Integer(),
      name: Type.String(),
      full_path: Type.String(),
      web_url: Type.String(),
    }),
  ),
  roles: Type.Array(oneOf(roles)),
})

export const fileOwnerEndpoints = [
  endpoint({
    route: 'GET /projects/:id/repository/files/:file_path/code_owners',
    summary: 'List the code owners of a file',
    tier: 'premium',
    allow: mayDownloadCode,
    input: Type.Object({
      file_path: Type.String({ description: 'URL-encoded full path of the file.' }),
      ref: optionalText,
    }),
    answer: Type.Array(CodeOwnersJson),
    async run({ db, git, config, actor, subject, input, baseUrl }) {
      checkFilePath(input.file_path)
      const repository = projectRepository(config, subject)
      const at = { ref: input.ref || 'HEAD', path: input.file_path }
      const { commit } = await getFile(git, repository, at)
      const file = await findCodeOwnersFile(git, repository, commit)
      if (!file) return []
      const changed = [input.file_path]
      const entries = (await matchCodeOwnersEntries(git, repository, { file, changed })) ?? [
        entryForTooLargeCodeOwnersFile,
      ]
      const ids = await findCodeOwnerIds(
        db,
        entries.map(({ owners }) => owners),
      )
      const users = await findUsersByIds(db, [
        ...ids.usersByName.values(),
        ...ids.usersByEmail.values(),
      ])
      const groups = await listVisibleGroups(db, actor, [...ids.groupsByName.values()])
      return entries.map(({ pattern, section, owners }) => {
        const { user_ids, group_ids } = pickCodeOwnerIds(owners, ids)
        return {
          section: section.name,
          pattern,
          optional: section.isOptional,
          approvals_required: section.isOptional ? 0 : section.approvals_required,
          users: [...user_ids]
            .flatMap((id) => users.get(id) ?? [])
            .filter(({ state }) => state === 'active')
            .map((user) => presentBasicUser(user, baseUrl)),
          groups: groups
            .filter(({ id }) => group_ids.has(id))
            .map((group) => ({ ...group, web_url: `${baseUrl}/groups/${group.full_path}` })),
          roles: roles.filter((role) => owners.levels.includes(levelOfRole[role])),
        }
      })
    },
  }),
]
