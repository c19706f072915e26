// Payloads of issues, merge requests and notes (docs/api/webhooks.md, "Issues").

import type { Config } from '../../../config.ts'
import type { Oid } from '../../../git/names.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import { type Issuable, issuableUrl } from '../../../subjects/issuable.ts'
import { hasUnresolvedThread } from '../../../subjects/note.ts'
import { findNewestPipeline } from '../../../subjects/pipeline.ts'
import { projectRepository } from '../../../subjects/project.ts'
import { serverUrl } from '../../../subjects/server-url.ts'
import { findUsersByIds, type User } from '../../../subjects/user.ts'
import { formatTrackedSeconds } from '../../planning/issuables/duration.ts'
import {
  findLabelsByIds,
  findMergeRequestForPayload,
  type Label,
  listAssigneesOfIssuable,
  listLabelsOfIssuable,
  listReviewersOfRequest,
} from './issuable-payload.store.ts'
import {
  formatWebhookTime,
  presentCommitBlock,
  presentProjectBlock,
  presentRepositoryBlock,
  presentUserBlock,
  webUrlOfProject,
  withAbsoluteImageUrls,
} from './payload-blocks.ts'
import {
  findIssuableRow,
  findNote,
  findProjectForPayload,
  type Note,
  type ProjectForPayload,
} from './webhook-payload.ts'
import type { WebhookChanges, WebhookSubject } from './webhook-subject.ts'

type Of<Kind extends WebhookSubject['kind']> = Extract<WebhookSubject, { kind: Kind }>

export async function buildIssuablePayload(uses: Instance, about: Of<'issuable'>) {
  const { db, config } = uses
  const { issuable_id, action, user_id, oldrev } = about
  const issuable = await findIssuableRow(db, issuable_id)
  const project = issuable && (await findProjectForPayload(db, issuable.project_id))
  if (!issuable || !project) return undefined
  if (issuable.confidential && !about.isConfidential) return undefined
  const { kind } = issuable
  const users = await findUsersByIds(db, [user_id])
  const user = users.get(user_id)
  const facts = await readFacts(uses, issuable)
  const labels = facts.labels.map(labelBlock)
  const reviewers = kind === 'merge_request' ? await listReviewersOfRequest(db, issuable_id) : []
  const changes = await presentChanges({ db, config }, about.changes)
  return {
    object_kind: kind,
    event_type: kind === 'issue' && issuable.confidential ? 'confidential_issue' : kind,
    user: user ? presentUserBlock(config, user) : null,
    project: presentProjectBlock(config, project),
    object_attributes: {
      ...(await attributesOf(uses, project, facts)),
      ...timesOf(issuable, about.changes),
      action,
      ...(oldrev === undefined ? {} : { oldrev }),
    },
    labels,
    changes,
    repository: presentRepositoryBlock(config, project),
    ...(facts.assignees.length === 0
      ? {}
      : { assignees: facts.assignees.map((assignee) => presentUserBlock(config, assignee)) }),
    ...(reviewers.length === 0
      ? {}
      : { reviewers: reviewers.map((reviewer) => presentUserBlock(config, reviewer)) }),
  }
}

type Facts = { issuable: Issuable; labels: Label[]; assignees: User[] }

async function readFacts({ db }: Instance, issuable: Issuable): Promise<Facts> {
  const labels = await listLabelsOfIssuable(db, issuable.id)
  return { issuable, labels, assignees: await listAssigneesOfIssuable(db, issuable.id) }
}

const stateIds = { opened: 1, closed: 2, merged: 3, locked: 4 } as const

/** Returns the attributes: those that issues and merge requests share come first. */
async function attributesOf(uses: Instance, project: ProjectForPayload, facts: Facts) {
  const { config } = uses
  const { issuable, labels, assignees } = facts
  const common = {
    id: issuable.id,
    iid: issuable.iid,
    title: issuable.title,
    description: withAbsoluteImageUrls(config, project, issuable.description),
    author_id: issuable.author_id,
    assignee_id: assignees[0]?.id ?? null,
    assignee_ids: assignees.map(({ id }) => id),
    milestone_id: issuable.milestone_id,
    state: issuable.state,
    state_id: stateIds[issuable.state],
    created_at: formatWebhookTime(issuable.created_at),
    updated_at: formatWebhookTime(issuable.updated_at),
    last_edited_at: formatWebhookTime(issuable.last_edited_at),
    last_edited_by_id: issuable.last_edited_by_id,
    updated_by_id: issuable.updated_by_id,
    ...timesOf(issuable, {}),
    url: issuableUrl(serverUrl(config), project, issuable),
    labels: labels.map(labelBlock),
  }
  if (issuable.kind === 'merge_request') {
    return { ...common, ...(await requestAttributes(uses, project, issuable)) }
  }
  return {
    ...common,
    project_id: issuable.project_id,
    confidential: issuable.confidential,
    discussion_locked: issuable.discussion_locked,
    due_date: issuable.due_date,
    closed_at: formatWebhookTime(issuable.closed_at),
    moved_to_id: issuable.moved_to_id,
    duplicated_to_id: null,
    relative_position: issuable.position,
    weight: issuable.weight,
    severity: 'unknown',
  }
}

/** Returns the attributes that only merge requests have. */
async function requestAttributes(
  { db, git, config }: Instance,
  target: ProjectForPayload,
  issuable: Issuable,
) {
  const request = await findMergeRequestForPayload(db, issuable.id)
  if (!request) return {}
  const { source_project_id, head_sha, draft } = request
  const isOwn = source_project_id === target.id
  const source =
    isOwn || source_project_id === null
      ? target
      : await findProjectForPayload(db, source_project_id)
  const commit =
    source && head_sha !== null
      ? await git.objects.commit(projectRepository(config, source), head_sha as Oid)
      : undefined
  const pipeline =
    source_project_id !== null && head_sha !== null
      ? await findNewestPipeline(db, { project_id: source_project_id, sha: head_sha })
      : undefined
  return {
    head_pipeline_id: pipeline?.id ?? null,
    merge_commit_sha: request.merge_commit_sha,
    merge_error: request.merge_error,
    merge_params: {
      force_remove_source_branch: request.force_remove_source_branch === true ? '1' : '0',
    },
    merge_status: request.merge_status,
    merge_user_id: request.merge_user_id,
    merge_when_pipeline_succeeds: request.merge_when_pipeline_succeeds,
    source_branch: request.source_branch,
    source_project_id,
    target_branch: request.target_branch,
    target_project_id: target.id,
    source: source ? presentProjectBlock(config, source) : null,
    target: presentProjectBlock(config, target),
    last_commit:
      commit && source ? presentCommitBlock(commit, webUrlOfProject(config, source)) : null,
    work_in_progress: draft,
    draft,
    blocking_discussions_resolved: !(await hasUnresolvedThread(db, issuable.id)),
  }
}

/** Returns the time fields. The time spent just now is the difference of the totals. */
function timesOf(
  { time_estimate_s, time_spent_s }: Issuable,
  { total_time_spent }: WebhookChanges,
) {
  const { previous, current } = total_time_spent ?? { previous: 0, current: 0 }
  const time_change = Number(current ?? 0) - Number(previous ?? 0)
  return {
    time_estimate: time_estimate_s,
    total_time_spent: time_spent_s,
    time_change,
    human_time_estimate: formatTrackedSeconds(time_estimate_s),
    human_total_time_spent: formatTrackedSeconds(time_spent_s),
    human_time_change: formatTrackedSeconds(time_change),
  }
}

function labelBlock(label: Label) {
  return {
    id: label.id,
    title: label.title,
    color: label.color,
    project_id: label.project_id,
    created_at: formatWebhookTime(label.created_at),
    updated_at: formatWebhookTime(label.updated_at),
    template: false,
    description: label.description,
    type: label.project_id === null ? 'GroupLabel' : 'ProjectLabel',
    group_id: label.namespace_id,
  }
}

/** Presents changes. Labels and users are stored as ids and are presented as in the rest of the payload. */
async function presentChanges(
  { db, config }: Pick<Instance, 'db' | 'config'>,
  changes: WebhookChanges,
): Promise<WebhookChanges> {
  const told: WebhookChanges = { ...changes }
  const { labels, assignees, reviewers } = changes
  if (labels) {
    const found = await findLabelsByIds(db, [...idsOf(labels.previous), ...idsOf(labels.current)])
    const show = (value: unknown) =>
      found.filter(({ id }) => idsOf(value).includes(id)).map(labelBlock)
    told.labels = { previous: show(labels.previous), current: show(labels.current) }
  }
  for (const [name, people] of Object.entries({ assignees, reviewers })) {
    if (!people) continue
    const found = await findUsersByIds(db, [...idsOf(people.previous), ...idsOf(people.current)])
    const show = (value: unknown) =>
      idsOf(value).flatMap((id) => {
        const user = found.get(id)
        return user ? [presentUserBlock(config, user)] : []
      })
    told[name] = { previous: show(people.previous), current: show(people.current) }
  }
  for (const name of ['created_at', 'updated_at', 'closed_at', 'last_edited_at']) {
    const change = ownValue(changes, name)
    if (change) told[name] = { previous: timeOf(change.previous), current: timeOf(change.current) }
  }
  return told
}

const idsOf = (value: unknown): number[] => (Array.isArray(value) ? value : [])
const timeOf = (value: unknown): unknown =>
  typeof value === 'string' ? formatWebhookTime(value) : value

export async function buildNotePayload(uses: Instance, about: Of<'note'>) {
  const { note_id, user_id } = about
  const { db, config } = uses
  const note = await findNote(db, note_id)
  const project = note && (await findProjectForPayload(db, note.project_id))
  if (!note || !project) return undefined
  const users = await findUsersByIds(db, [user_id])
  const user = users.get(user_id)
  const issuable =
    note.issuable_id === null ? undefined : await findIssuableRow(db, note.issuable_id)
  const isConfidential = note.confidential || issuable?.confidential === true
  if (isConfidential && !about.isConfidential) return undefined
  return {
    object_kind: 'note',
    event_type: isConfidential ? 'confidential_note' : 'note',
    user: user ? presentUserBlock(config, user) : null,
    project_id: project.id,
    project: presentProjectBlock(config, project),
    object_attributes: noteAttributes(config, project, { note, issuable }),
    repository: presentRepositoryBlock(config, project),
    ...(await subjectOf(uses, project, { note, issuable })),
  }
}

const noteables = { issue: 'Issue', merge_request: 'MergeRequest' } as const

type Noted = { note: Note; issuable: Issuable | undefined }

function noteAttributes(config: Config, project: ProjectForPayload, { note, issuable }: Noted) {
  const at = issuable
    ? issuableUrl(serverUrl(config), project, issuable)
    : `${webUrlOfProject(config, project)}/-/commit/${note.commit_id}`
  const text = withAbsoluteImageUrls(config, project, note.body)
  return {
    id: note.id,
    note: text,
    description: text,
    noteable_type: issuable ? noteables[issuable.kind] : 'Commit',
    noteable_id: issuable?.id ?? null,
    author_id: note.author_id,
    created_at: formatWebhookTime(note.created_at),
    updated_at: formatWebhookTime(note.updated_at),
    project_id: note.project_id,
    attachment: null,
    line_code: null,
    commit_id: note.commit_id ?? '',
    discussion_id: note.discussion_id,
    system: note.system,
    st_diff: null,
    type: note.type,
    position: note.position,
    resolved_at: formatWebhookTime(note.resolved_at),
    resolved_by_id: note.resolved_by_id,
    updated_by_id: note.updated_by_id,
    url: `${at}#note_${note.id}`,
  }
}

/** Returns the target of a note, under its own key. */
async function subjectOf(uses: Instance, project: ProjectForPayload, { note, issuable }: Noted) {
  const { git, config } = uses
  if (issuable) {
    const facts = await readFacts(uses, issuable)
    return { [issuable.kind]: await attributesOf(uses, project, facts) }
  }
  const repository = projectRepository(config, project)
  const commit = await git.objects.commit(repository, note.commit_id as Oid)
  return { commit: commit ? presentCommitBlock(commit, webUrlOfProject(config, project)) : null }
}
