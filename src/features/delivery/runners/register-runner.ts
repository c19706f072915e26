// Creates a runner, with a registration token or for a user.
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { type FieldErrors, forbidden, invalid } from '../../../kernel/errors.ts'
import { digestToken, randomText } from '../../../kernel/ids.ts'
import { limits } from '../../../kernel/limits.ts'
import { openSecret, sealSecret } from '../../../kernel/secrets.ts'
import {
  assignRunnerToProject,
  findRegistrationTokenOwner,
  findSealedInstanceRegistrationToken,
  insertRunner,
  type Runner,
  saveSealedInstanceRegistrationToken,
} from './runner.store.ts'
import {
  generateRunnerToken,
  type RunnerInfo,
  runnerTokenColumns,
  toRunnerInfoColumns,
} from './runner-token.ts'

/** The settings of a runner that can be given at its creation or changed. */
export type RunnerSettings = {
  description?: string
  maintenance_note?: string | null
  maintainer_note?: string | null
  tag_list?: string[]
  run_untagged?: boolean
  locked?: boolean
  paused?: boolean
  active?: boolean
  access_level?: Runner['access_level']
  maximum_timeout?: number | null
}

/** The projects that a runner works for. */
export type RunnerScope =
  | { runner_type: 'instance_type' }
  | { runner_type: 'group_type'; group_id: number }
  | { runner_type: 'project_type'; project_id: number }

const note_characters_max = 1024
const timeout_s_min = 600

/** Returns the changes of a runner's row. Throws 400 with all validation problems. */
export function parseRunnerSettings(
  given: RunnerSettings,
  before: Pick<Runner, 'tags' | 'run_untagged'> = { tags: [], run_untagged: true },
) {
  const tags = given.tag_list && [...new Set(given.tag_list)]
  const run_untagged = given.run_untagged ?? before.run_untagged
  const note = given.maintenance_note ?? given.maintainer_note
  const problems: FieldErrors = {}
  if ((tags?.length ?? 0) > limits.pipelines.runner_tags_max) {
    problems.tags_list = [
      `Too many tags specified. Please limit the number of tags to ${limits.pipelines.runner_tags_max}`,
    ]
  } else if (!run_untagged && (tags ?? before.tags).length === 0) {
    problems.tags_list = ['can not be empty when runner is not allowed to pick untagged jobs']
  }
  if (note && [...note].length > note_characters_max) {
    problems.maintenance_note = [`is too long (maximum is ${note_characters_max} characters)`]
  }
  const tooLong = [given.description, ...(tags ?? [])].some(
    (text) => text !== undefined && [...text].length > limits.name_characters,
  )
  if (tooLong) {
    problems.description = [`is too long (maximum is ${limits.name_characters} characters)`]
  }
  const { maximum_timeout } = given
  if (typeof maximum_timeout === 'number' && maximum_timeout < timeout_s_min) {
    problems.maximum_timeout = ['needs to be at least 10 minutes']
  }
  if (Object.keys(problems).length > 0) throw invalid(problems)
  const paused = given.paused ?? (given.active === undefined ? undefined : !given.active)
  return {
    ...(tags ? { tags } : {}),
    ...(given.run_untagged === undefined ? {} : { run_untagged: given.run_untagged }),
    ...(note === undefined ? {} : { maintenance_note: note }),
    ...(given.description === undefined ? {} : { description: given.description }),
    ...(given.locked === undefined ? {} : { locked: given.locked }),
    ...(paused === undefined ? {} : { paused }),
    ...(given.access_level === undefined ? {} : { access_level: given.access_level }),
    ...(maximum_timeout === undefined ? {} : { maximum_timeout }),
  }
}

/** Creates a runner; returns its token, which cannot be read again. */
export async function createRunner(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  {
    scope,
    settings,
    info,
    creator_id,
    builtin = false,
  }: {
    scope: RunnerScope
    settings: RunnerSettings
    info?: RunnerInfo
    creator_id?: number
    builtin?: boolean
  },
): Promise<{ runner: Runner; token: string }> {
  const token = generateRunnerToken({ isMadeByUser: creator_id !== undefined })
  const now = timestamp(clock)
  const runner = await insertRunner(db, {
    tags: [],
    run_untagged: true,
    locked: false,
    paused: false,
    access_level: 'not_protected',
    ...parseRunnerSettings(settings),
    ...(info ? toRunnerInfoColumns(info) : {}),
    ...runnerTokenColumns(token),
    runner_type: scope.runner_type,
    group_id: scope.runner_type === 'group_type' ? scope.group_id : null,
    creator_id: creator_id ?? null,
    builtin,
    created_at: now,
    updated_at: now,
  })
  if (scope.runner_type === 'project_type') {
    await assignRunnerToProject(db, { runner_id: runner.id, project_id: scope.project_id })
  }
  return { runner, token }
}

/** Returns the scope of a registration token. Throws 403 for an unknown token. */
export async function resolveRegistrationToken(
  { db, secretKey }: Pick<Instance, 'db' | 'secretKey'>,
  token: string,
): Promise<RunnerScope> {
  const found = await findRegistrationTokenOwner(db, digestToken(token))
  if (found && 'project_id' in found) return { runner_type: 'project_type', ...found }
  if (found) return { runner_type: 'group_type', ...found }
  const sealed = await findSealedInstanceRegistrationToken(db)
  // The digests are compared, so that the time of the comparison reveals nothing about the token.
  const isInstance =
    sealed !== undefined && digestToken(openSecret(secretKey, sealed)) === digestToken(token)
  if (!isInstance) throw forbidden('invalid token supplied')
  return { runner_type: 'instance_type' }
}

/** Replaces the registration token of the instance; returns the new one. */
export async function resetInstanceRegistrationToken({
  db,
  secretKey,
}: Pick<Instance, 'db' | 'secretKey'>): Promise<string> {
  const token = `GR1348941${randomText(20)}`
  await saveSealedInstanceRegistrationToken(db, sealSecret(secretKey, token), { replaces: true })
  return token
}
