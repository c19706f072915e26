// Reads the messages of pushed commits: records mentions of issues and merge requests, and closes issues for commits on
// the default branch (docs/api/issues.md, "Closing").

import type { Actor } from '../../../access/actor.ts'
import { anonymous } from '../../../access/actor.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import { branchNameOf, type Oid } from '../../../git/names.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { limits } from '../../../kernel/limits.ts'
import {
  findProject,
  findVisibleProject,
  type Project,
  projectRepository,
} from '../../../subjects/project.ts'
import { actorUserFromUser, findUser } from '../../../subjects/user.ts'
import { defineTask, enqueue } from '../../../tasks/task.ts'
import { listGainedCommits } from '../../repository/pushes/gained-commits.ts'
import {
  hasRefPushedCommit,
  type LandedPush,
  type Move,
} from '../../repository/pushes/push-landed.ts'
import { insertMentionNotes } from '../issuables/issuable.ts'
import { listReferencedIssuables } from '../issuables/list-references.ts'
import { shortestReferenceFromProject } from '../issuables/mention.ts'
import { parseClosingReferences, parseReferences } from '../issuables/text-references.ts'
import { closeIssues, findIssuesToClose } from './close-issues.ts'

/**
 * Enqueues reading of commit messages for issues after a push to branches has landed. Most pushes are of one commit that
 * refers to nothing: those need no task.
 */
export async function enqueueCommitMessageScan({ uses, push }: LandedPush): Promise<void> {
  const { id, project, user, moves } = push
  const branches = moves.filter(({ name }) => branchNameOf(name) !== undefined)
  if (!user || branches.length === 0 || branches.length > limits.read_branches_max) return
  if (await isOneCommitWithoutReferences(uses, project, branches)) return
  const payload = { project_id: project.id, user_id: user.id, moves: branches }
  await enqueue(uses.db, uses.clock, { task: readPushedCommits, key: id, payload })
}

async function isOneCommitWithoutReferences(
  { git, config }: Pick<Instance, 'git' | 'config'>,
  project: Project,
  branches: readonly Move[],
): Promise<boolean> {
  const [move, ...others] = branches
  if (!move || others.length > 0) return false
  const repository = projectRepository(config, project)
  const commit = await git.objects.commit(repository, move.newOid as Oid)
  if (!commit || commit.parents.length > 1 || commit.parents[0] !== move.oldOid) return false
  const { references, closing } = parseMessage(commit.message, config)
  return references.length === 0 && closing.length === 0
}

type Uses = Pick<Instance, 'db' | 'git' | 'clock' | 'config'>

/** Safe to repeat: each commit is noted only once, and closed issues stay closed. */
const readPushedCommits = defineTask({
  name: 'read-pushed-commits',
  lane: 'events',
  async run(
    uses: Uses,
    { project_id, user_id, moves }: { project_id: number; user_id: number; moves: Move[] },
  ) {
    const { db, git, config } = uses
    const user = await findUser(db, user_id)
    const found = await findProject(db, anonymous, { id: project_id })
    if (!user || !found) return
    const { project } = found
    const actor: Actor = { user: actorUserFromUser(user), token: undefined }
    const repository = projectRepository(config, project)
    for (const move of moves) {
      if (!(await hasRefPushedCommit(git, repository, move))) continue
      const of = { move, default_branch: project.default_branch, limit: limits.read_commits_max }
      const oids = await listGainedCommits(git, repository, of)
      const isDefault = branchNameOf(move.name) === project.default_branch
      for (const oid of oids.toReversed()) {
        const commit = await git.objects.commit(repository, oid)
        if (!commit) continue
        await readMessage(uses, { project, actor, oid, message: commit.message, isDefault })
      }
    }
  },
})

export const issueTasks = [readPushedCommits]

async function readMessage(
  { db, clock, config }: Uses,
  {
    project,
    actor,
    oid,
    message,
    isDefault,
  }: { project: Project; actor: Actor; oid: string; message: string; isDefault: boolean },
): Promise<void> {
  const baseUrl = config.url ?? ''
  const { references, closing } = parseMessage(message, config)
  if (references.length === 0 && closing.length === 0) return
  await runTransaction(db, async (tx) => {
    for (const target of await listReferencedIssuables(tx, actor, { project, references })) {
      const place = await findVisibleProject(tx, actor, { id: target.project_id })
      if (!place || !actor.user) continue
      const name = shortestReferenceFromProject(place.project, {
        from: project,
        reference: place.project.id === project.id ? oid : `@${oid}`,
      })
      await insertMentionNotes(tx, clock, {
        author_id: actor.user.id,
        targets: [{ target, body: `mentioned in commit ${name}` }],
        mentioned_by: { mentioned_by_project_id: project.id, mentioned_by_commit: oid },
      })
    }
    if (!isDefault) return
    const issues = await findIssuesToClose({ db: tx, actor }, { project, references: closing })
    await closeIssues({ db: tx, clock, actor, config, baseUrl }, issues)
  })
}

/**
 * Returns the issues and merge requests that a commit message references, and the issues that it closes on the default
 * branch.
 */
function parseMessage(message: string, { url }: Pick<Instance['config'], 'url'>) {
  const text = message.slice(0, limits.note_characters)
  const { references } = parseReferences(text, url)
  return { references, closing: parseClosingReferences(text, url) }
}
