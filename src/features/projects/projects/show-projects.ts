import { Type } from 'typebox'
import { isAdmin } from '../../../access/actor.ts'
import type { Context } from '../../../http/endpoint.ts'
import { JsonText } from '../../../http/json-text.ts'
import { namedObject, optionalBoolean, optionalText } from '../../../http/schema.ts'
import { notFound } from '../../../kernel/errors.ts'
import { abilitiesSchemaField, resolveAbilities } from '../../abilities.ts'
import { describeRepositories, type RepositoryDescription } from './describe-repository.ts'
import {
  isProjectVisible,
  ProjectJson,
  presentProject,
  presentSimpleProject,
  SimpleProjectJson,
} from './project.present.ts'
import { hasUserStarredProject, listProjectRecords, type ProjectRecord } from './project.store.ts'

/** The full record, for features that change a project and return it. */
export const ShownProjectJson = ProjectJson
/** The record in lists with `simple`. */
export const ShownSimpleProjectJson = SimpleProjectJson
/** The record for pages (`with_abilities`). */
export const ProjectWithAbilitiesJson = namedObject('ProjectWithAbilities', {
  ...ProjectJson.properties,
  description_html: optionalText,
  ...abilitiesSchemaField('project', ['clone_by_ssh']),
  starred: optionalBoolean,
})
export const ShownProjectsJson = Type.Array(Type.Union([ProjectJson, SimpleProjectJson]))

type Viewer = Pick<
  Context<unknown, unknown>,
  'db' | 'git' | 'config' | 'actor' | 'baseUrl' | 'secretKey'
>
type Options = { includesStatistics?: boolean }

/**
 * Returns the JSON of these projects in the order of the ids: the simple record for an anonymous caller or if requested,
 * otherwise the full one. Runs one query for any number of projects, and another one if groups are invited.
 */
export async function showProjects(
  viewer: Viewer,
  ids: readonly number[],
  { isSimple = false, ...options }: Options & { isSimple?: boolean } = {},
): Promise<JsonText<ShownProject>[]> {
  const { db, actor } = viewer
  const records = await listProjectRecords(db, actor, ids)
  const isBrief = isSimple || !actor.user
  const described = await describeRepositories(viewer, records)
  return Promise.all(
    records.map((record, at) =>
      show(viewer, record, { ...options, isBrief, described: described[at] }),
    ),
  )
}

/** Returns the full record of a project that the caller can see. Throws 404 if it was deleted meanwhile. */
export async function showProject(
  viewer: Viewer,
  id: number,
  options: Options = {},
): Promise<JsonText<ShownProject>> {
  const [record] = await listProjectRecords(viewer.db, viewer.actor, [id])
  if (!record) throw notFound('Project')
  const [described] = await describeRepositories(viewer, [record])
  return show(viewer, record, { ...options, isBrief: false, described })
}

/**
 * Returns what the caller may do in a project, and whether they have starred it. Cloning over SSH is not an operation, so
 * it is not among them.
 */
export async function resolveProjectAbilities(
  viewer: Viewer,
  id: number,
): Promise<{ abilities: Record<string, boolean>; starred: boolean }> {
  const { db, actor, config } = viewer
  const { abilities } = await resolveAbilities(viewer, 'project', id)
  return {
    abilities: { ...abilities, clone_by_ssh: config.sshPort !== 0 },
    starred: await hasUserStarredProject(db, { project_id: id, user_id: actor.user?.id ?? 0 }),
  }
}

type ShownProject = Record<string, unknown> & { id: number }

/** The last text of each record, with a key of everything else that the text depends on. */
const shownTexts = new WeakMap<ProjectRecord, { key: string; text: JsonText<ShownProject> }>()

/**
 * Returns the JSON text of a project. The text is cached as long as the database returns the same row, which
 * SQLite does until something is written, and nothing changes in the repository that the text depends on.
 */
async function show(
  viewer: Viewer,
  record: ProjectRecord,
  {
    isBrief,
    includesStatistics = false,
    described = { isEmpty: true, tip: undefined, readme: undefined },
  }: Options & { isBrief: boolean; described: RepositoryDescription | undefined },
): Promise<JsonText<ShownProject>> {
  const { actor, baseUrl, config, secretKey } = viewer
  const { isEmpty, readme } = described
  const facts = [isBrief, includesStatistics, actor.user?.id, isAdmin(actor), isEmpty]
  const key = [...facts, baseUrl, readme].join('\n')
  const kept = shownTexts.get(record)
  if (kept?.key === key) return kept.text
  const view = { actor, baseUrl, config, secretKey, includesStatistics, ...described }
  const source = isBrief ? undefined : await showSource(viewer, record)
  const text = new JsonText<ShownProject>(
    isBrief ? presentSimpleProject(record, view) : presentProject(record, { ...view, source }),
  )
  shownTexts.set(record, { key, text })
  return text
}

/** Returns the simple record of the project that it was forked from, if the caller can see that one. */
async function showSource(viewer: Viewer, { source }: ProjectRecord) {
  if (!source || !isProjectVisible(source, viewer.actor)) return undefined
  const [described] = await describeRepositories(viewer, [source])
  const { isEmpty = true, readme } = described ?? {}
  return presentSimpleProject(source, { ...viewer, isEmpty, readme, includesStatistics: false })
}
