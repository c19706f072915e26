import { Type } from 'typebox'
import { anyone } from '../../../access/rule.ts'
import { type Context, endpoint } from '../../../http/endpoint.ts'
import { namedObject, nonBlankText, nullable, nullableText, oneOf } from '../../../http/schema.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { Group } from '../../../subjects/group.ts'
import { mayDownloadCode, projectRepository } from '../../../subjects/project.ts'
import {
  describeGroup,
  GroupWithAbilitiesJson,
  resolveGroupAbilities,
} from '../../groups/groups/describe-group.ts'
import {
  ProjectWithAbilitiesJson,
  resolveProjectAbilities,
  showProject,
} from '../../projects/projects/show-projects.ts'
import {
  emptyRepositoryLocation,
  resolveRepositoryLocation,
} from './resolve-repository-location.ts'
import { resolveWebAddress } from './resolve-web-address.ts'
import { formatWebAddress, parseWebAddress, splitUrlPath } from './web-address.ts'

const AddressJson = namedObject('ResolvedAddress', {
  kind: oneOf(['project', 'group', 'user']),
  id: Type.Integer(),
  canonical_path: Type.String(),
  section: nullableText,
  rest: nullableText,
  ref: nullableText,
  ref_type: nullable(oneOf(['branch', 'tag', 'commit'])),
  commit: nullableText,
  path: nullableText,
  entry_type: nullable(oneOf(['tree', 'blob', 'commit'])),
  from: nullableText,
  from_commit: nullableText,
  project: Type.Optional(ProjectWithAbilitiesJson),
  group: Type.Optional(GroupWithAbilitiesJson),
})

/** `/edit` is the older address of the settings of a project or group. */
function currentSection(inside: readonly string[]): readonly string[] {
  return inside.length === 1 && inside[0] === 'edit' ? ['settings', 'general'] : inside
}

type Viewer = Context<unknown, unknown>

/** Returns the record of `GET /projects/:id?with_abilities=true`. */
async function recordOfProject(viewer: Viewer, id: number) {
  const { value } = await showProject(viewer, id)
  return { ...value, ...(await resolveProjectAbilities(viewer, id)) }
}

/** Returns the record of `GET /groups/:id?with_abilities=true&with_projects=false`. */
async function recordOfGroup(viewer: Viewer, found: { group: Group; level: number }) {
  return {
    ...(await describeGroup(viewer, found)),
    ...(await resolveGroupAbilities(viewer, found)),
  }
}

export const addressEndpoints = [
  endpoint({
    tag: 'Addresses',
    route: 'GET /resolve',
    summary: 'Resolve an address of the web interface',
    signIn: 'never',
    allow: anyone,
    input: Type.Object({
      path: nonBlankText({ description: 'Path of the address, as a browser has it.' }),
      with_record: Type.Optional(
        Type.Boolean({
          description: 'Adds the record of the project or group, with `abilities`, to the answer.',
        }),
      ),
    }),
    answer: AddressJson,
    async run(context) {
      const { db, actor, git, config, input } = context
      const segments = splitUrlPath(input.path.split(/[?#]/, 1)[0] ?? '')
      const place = segments && (await resolveWebAddress({ db, actor }, parseWebAddress(segments)))
      if (!place) throw notFound('Address')
      const { kind } = place
      const inside = currentSection(place.inside)
      const [section = null, ...rest] = inside
      const told = { section, rest: section === null ? null : rest.join('/') }
      if (kind !== 'project') {
        const canonical_path = formatWebAddress(place.owner, inside)
        return {
          kind,
          id: place.id,
          canonical_path,
          ...told,
          ...emptyRepositoryLocation,
          ...(kind === 'group' &&
            input.with_record && { group: await recordOfGroup(context, place) }),
        }
      }
      const { project, level } = place
      const readsCode = mayDownloadCode({ subject: project, level, actor })
      const repository = projectRepository(config, project)
      return {
        kind,
        id: project.id,
        canonical_path: formatWebAddress(project.full_path, inside),
        ...told,
        ...(readsCode
          ? await resolveRepositoryLocation(git, repository, inside)
          : emptyRepositoryLocation),
        ...(input.with_record && { project: await recordOfProject(context, project.id) }),
      }
    },
  }),
]
