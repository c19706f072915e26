import { Type } from 'typebox'
import { anyone } from '../../../access/rule.ts'
import { type Context, endpoint } from '../../../http/endpoint.ts'
import { filledText, nullable, nullableText, oneOf, record } from '../../../http/schema.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { Group } from '../../../subjects/group.ts'
import { downloadCode, projectRepository } from '../../../subjects/project.ts'
import {
  describeGroup,
  GroupWithAbilitiesJson,
  groupAbilities,
} from '../../groups/groups/describe-group.ts'
import {
  ProjectWithAbilitiesJson,
  projectAbilities,
  showProject,
} from '../../projects/projects/show-projects.ts'
import { findPlace } from './resolve-address.ts'
import { nothingInside, resolveInside } from './resolve-inside.ts'
import { readWebAddress, splitPath, writeWebAddress } from './web-address.ts'

const AddressJson = record('ResolvedAddress', {
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

/** As `GET /projects/:id?with_abilities=true` answers it. */
async function recordOfProject(viewer: Viewer, id: number) {
  const { value } = await showProject(viewer, id)
  return { ...value, ...(await projectAbilities(viewer, id)) }
}

/** As `GET /groups/:id?with_abilities=true&with_projects=false` answers it. */
async function recordOfGroup(viewer: Viewer, found: { group: Group; level: number }) {
  return { ...(await describeGroup(viewer, found)), ...(await groupAbilities(viewer, found)) }
}

export const addressEndpoints = [
  endpoint({
    tag: 'Addresses',
    route: 'GET /resolve',
    summary: 'Tell what an address of the web interface is of',
    signIn: 'never',
    allow: anyone,
    input: Type.Object({
      path: filledText({ description: 'Path of the address, as a browser has it.' }),
      with_record: Type.Optional(
        Type.Boolean({
          description: 'Adds the record of the project or group, with `abilities`, to the answer.',
        }),
      ),
    }),
    answer: AddressJson,
    async run(context) {
      const { db, actor, git, config, input } = context
      const segments = splitPath(input.path.split(/[?#]/, 1)[0] ?? '')
      const place = segments && (await findPlace({ db, actor }, readWebAddress(segments)))
      if (!place) throw notFound('Address')
      const { kind } = place
      const inside = currentSection(place.inside)
      const [section = null, ...rest] = inside
      const told = { section, rest: section === null ? null : rest.join('/') }
      if (kind !== 'project') {
        const canonical_path = writeWebAddress(place.owner, inside)
        return {
          kind,
          id: place.id,
          canonical_path,
          ...told,
          ...nothingInside,
          ...(kind === 'group' &&
            input.with_record && { group: await recordOfGroup(context, place) }),
        }
      }
      const { project, level } = place
      const readsCode = downloadCode({ subject: project, level, actor })
      const repository = projectRepository(config, project)
      return {
        kind,
        id: project.id,
        canonical_path: writeWebAddress(project.full_path, inside),
        ...told,
        ...(readsCode ? await resolveInside(git, repository, inside) : nothingInside),
        ...(input.with_record && { project: await recordOfProject(context, project.id) }),
      }
    },
  }),
]
