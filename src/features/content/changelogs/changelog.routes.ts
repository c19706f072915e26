import { Type } from 'typebox'
import { type Oid, parseGitOid } from '../../../git/names.ts'
import { resolveCommit } from '../../../git/refs.ts'
import { findTreeEntry } from '../../../git/trees.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import type { ParameterRule } from '../../../http/parameters.ts'
import { dateTime, namedObject, optionalText } from '../../../http/schema.ts'
import { forbidden, unprocessable } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import {
  mayDownloadCode,
  mayPushCode,
  type Project,
  projectLoader,
  projectRepository,
} from '../../../subjects/project.ts'
import { createCommit } from '../../repository/commits/create-commit.ts'
import { mayPush, pushRefusal } from '../../repository/pushes/push.ts'
import { recheckerForCommit } from '../../repository/pushes/recheck-access.ts'
import { versionExpression } from './changelog-config.ts'
import { ChangelogError } from './changelog-error.ts'
import { type ChangelogInput, generateChangelog } from './generate-changelog.ts'
import { insertChangelogSection } from './previous-tag.ts'

const endpoint = endpointFactory({ tag: 'Changelogs', on: projectLoader })

const changelogInput = {
  version: Type.String({ description: 'By semantic versioning, for example `1.2.0`.' }),
  from: Type.Optional(
    Type.String({
      description: 'The last commit before the range; by default the tag of the previous version.',
    }),
  ),
  to: optionalText,
  date: Type.Optional(dateTime()),
  trailer: Type.Optional(Type.String({ default: 'Changelog' })),
  config_file: optionalText,
  config_file_ref: optionalText,
}

const isVersion: ParameterRule = ({ version }) => {
  if (typeof version !== 'string') return undefined
  const isShort = version.length <= limits.changelogs.setting_characters
  return isShort && versionExpression.test(version) ? undefined : 'version is invalid'
}

const isTrailer: ParameterRule = ({ trailer = 'Changelog' }) =>
  trailer === '' || /^[A-Za-z0-9-]{1,255}$/.test(String(trailer)) ? undefined : 'trailer is invalid'

const rules = [isVersion, isTrailer]

async function generate(context: Context<Project, ChangelogInput>): Promise<string> {
  try {
    return await generateChangelog(context)
  } catch (error) {
    if (error instanceof ChangelogError) throw failed(error.message)
    throw error
  }
}

function failed(reason: string) {
  return unprocessable(`Failed to generate the changelog: ${reason}`)
}

/** Returns the content of the changelog file on the branch; undefined if the file does not exist. */
async function readChangelog(
  { git, config, subject }: Context<Project, unknown>,
  { branch, path }: { branch: string; path: string },
): Promise<{ text: string; lastCommit: Oid | undefined } | undefined> {
  const repository = projectRepository(config, subject)
  const tip = await resolveCommit(git.objects, repository, `refs/heads/${branch}`)
  const tree = tip && (await git.objects.commit(repository, tip))?.tree
  const entry = tree && (await findTreeEntry(git.objects, repository, tree, path))
  if (!tip || !entry?.mode.startsWith('100')) return undefined
  const blob = parseGitOid(entry.oid)
  const content = await git.objects.wholeBlob(repository, blob, limits.changelogs.file_bytes)
  if (!content) throw failed(`The file ${path} is too long`)
  const lastCommit = await git.history.lastCommit(repository, tip, path)
  return { text: content.toString(), lastCommit }
}

const branchRefusal = () => forbidden('You are not allowed to commit a changelog on this branch')

export const changelogEndpoints = [
  endpoint({
    route: 'GET /projects/:id/repository/changelog',
    summary: 'Generate the changelog of a version without committing it',
    allow: mayDownloadCode,
    input: Type.Object(changelogInput),
    rules,
    answer: namedObject('Changelog', { notes: Type.String() }),
    run: async (context) => ({ notes: await generate(context) }),
  }),

  endpoint({
    route: 'POST /projects/:id/repository/changelog',
    summary: 'Commit the changelog of a version to a file',
    allow: mayPushCode,
    refusal: pushRefusal,
    transaction: 'none',
    input: Type.Object({
      ...changelogInput,
      branch: optionalText,
      file: Type.Optional(Type.String({ default: 'CHANGELOG.md' })),
      message: optionalText,
    }),
    rules,
    answer: Type.Integer(),
    async run(context) {
      const { subject: project, input, user } = context
      const branch = input.branch || project.default_branch
      if (!branch || !(await mayPush(context, project, branch))) throw branchRefusal()
      const section = await generate(context)
      const path = input.file || 'CHANGELOG.md'
      const known = await readChangelog(context, { branch, path })
      const text = insertChangelogSection(known?.text ?? '', section, input.version)
      await createCommit(context, {
        project,
        user,
        branch,
        message: input.message || `Add changelog for version ${input.version}`,
        actions: [
          {
            action: known ? 'update' : 'create',
            file_path: path,
            content: Buffer.from(text),
            last_commit_id: known?.lastCommit,
          },
        ],
        confirm: recheckerForCommit(context, project, { branch, refusal: branchRefusal }),
        staleMessage: () =>
          'Failed to generate the changelog: the file changed meanwhile. Try again.',
      })
      // The body of the response is the status code, as clients have always received it.
      return 200
    },
  }),
]
