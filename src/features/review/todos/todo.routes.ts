// To-do items of users and their counts (docs/api/todos.md).
import { Type } from 'typebox'
import type { ActorUser } from '../../../access/actor.ts'
import type { Rule } from '../../../access/rule.ts'
import { anyone } from '../../../access/rule.ts'
import { Answer } from '../../../http/answer.ts'
import {
  type Context,
  type Endpoint,
  endpoint,
  endpointFactory,
  type SubjectLoader,
} from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { namedObject, nullable, oneOf, optionalInteger, pageInput } from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { recordNotFound } from '../../../kernel/errors.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import {
  type IssuableSubject,
  issuableUrl,
  issueLoader,
  mayReadIssuable,
  mergeRequestLoader,
} from '../../../subjects/issuable.ts'
import { ProjectIdentityJson, presentProjectIdentity } from '../../../subjects/project-identity.ts'
import { BasicUserJson, presentBasicUser } from '../../../subjects/user.ts'
import { insertTodos } from '../../planning/issuables/issuable.ts'
import { IssueJson, showIssues } from '../../planning/issues/show-issues.ts'
import { BasicMergeRequestJson, showMergeRequests } from '../merge-requests/show-requests.ts'
import {
  countOpenWork,
  findPendingTodoIdOfIssuable,
  listTodos,
  markTodosDone,
  type TodoWithTarget,
} from './todo.store.ts'

const tag = 'To-do items'
const ofUser = endpointFactory({ tag, signIn: 'always' })

const TodoJson = namedObject('Todo', {
  id: Type.Integer(),
  project: ProjectIdentityJson,
  author: BasicUserJson,
  action_name: Type.String(),
  target_type: Type.String(),
  target: nullable(Type.Union([IssueJson, BasicMergeRequestJson])),
  target_url: Type.String(),
  body: Type.String(),
  state: oneOf(['pending', 'done']),
  created_at: Type.String(),
  updated_at: Type.String(),
})

const actions = [
  'assigned',
  'review_requested',
  'mentioned',
  'build_failed',
  'marked',
  'unmergeable',
  'directly_addressed',
  'approval_required',
  'merge_train_removed',
] as const
const types = [
  'Issue',
  'MergeRequest',
  'Commit',
  'Epic',
  'DesignManagement::Design',
  'AlertManagement::Alert',
] as const
const kinds: Readonly<Record<string, 'issue' | 'merge_request'>> = {
  Issue: 'issue',
  MergeRequest: 'merge_request',
}

type TodoContext = Pick<Context<unknown, unknown>, 'db' | 'baseUrl' | 'clock' | 'config'>

/** Presents to-do items in the given order. Their targets are loaded together. */
async function show(context: TodoContext, rows: readonly TodoWithTarget[]) {
  const { baseUrl } = context
  const of = (kind: 'issue' | 'merge_request') =>
    rows.flatMap(({ issuable }) => (issuable?.kind === kind ? [issuable] : []))
  const issues = await showIssues(context, of('issue'))
  const requests = await showMergeRequests(context, of('merge_request'))
  const targets = new Map<number, (typeof issues)[number] | (typeof requests)[number]>(
    [...issues, ...requests].map((target) => [target.id, target]),
  )
  return rows.map(({ todo, author, project, issuable, note }) => {
    const path_with_namespace = `${project.namespace_path}/${project.path}`
    const url = issuable
      ? issuableUrl(baseUrl, { full_path: path_with_namespace }, issuable)
      : `${baseUrl}/${path_with_namespace}`
    return {
      id: todo.id,
      project: presentProjectIdentity(project, {
        full_path: project.namespace_path,
        full_name: project.namespace_name,
      }),
      author: presentBasicUser(author, baseUrl),
      action_name: todo.action,
      target_type:
        issuable?.kind === 'merge_request' ? 'MergeRequest' : issuable ? 'Issue' : 'Commit',
      target: (issuable && targets.get(issuable.id)) ?? null,
      target_url: todo.note_id === null ? url : `${url}#note_${todo.note_id}`,
      body: note ?? issuable?.title ?? '',
      state: todo.state,
      created_at: todo.created_at,
      updated_at: todo.updated_at,
    }
  })
}

async function showOne(context: TodoContext & { user: ActorUser }, id: number) {
  const filter = { id, state: 'pending' as const }
  const asked = { viewer: { user: context.user }, filter }
  const { rows } = await listTodos(context.db, asked, { offset: 0, per_page: 1 })
  const [shown] = await show(context, rows)
  if (!shown) throw recordNotFound()
  return shown
}

const signedInReader: Rule<IssuableSubject> = (facts) =>
  facts.actor.user !== undefined && mayReadIssuable(facts)

function markEndpoint(base: string, noun: string, on: SubjectLoader<IssuableSubject>): Endpoint {
  return endpoint({
    tag,
    on,
    signIn: 'always',
    route: `POST /projects/:id/${base}/todo`,
    summary: `Create a to-do item for ${noun}`,
    allow: signedInReader,
    status: 201,
    answer: TodoJson,
    otherAnswers: { 304: undefined },
    async run(context) {
      const { db, clock, user, subject } = context
      const { issuable } = subject
      const of = { user_id: user.id, issuable_id: issuable.id }
      if ((await findPendingTodoIdOfIssuable(db, of)) !== undefined) return Answer.empty(304)
      const todo = { issuable, author_id: user.id, user_ids: [user.id], action: 'marked' as const }
      await insertTodos(db, clock, todo)
      return showOne(context, (await findPendingTodoIdOfIssuable(db, of)) ?? 0)
    },
  })
}

export const todoEndpoints: readonly Endpoint[] = [
  ofUser({
    route: 'GET /todos',
    summary: 'List your to-do items',
    allow: anyone,
    input: Type.Object({
      action: Type.Optional(oneOf(actions)),
      author_id: optionalInteger,
      project_id: optionalInteger,
      group_id: optionalInteger,
      state: Type.Optional(oneOf(['pending', 'done'], { default: 'pending' })),
      type: Type.Optional(oneOf(types)),
      ...pageInput,
    }),
    answer: Type.Array(TodoJson),
    async run(context) {
      const { db, user, input, range } = context
      const { action, author_id, project_id, group_id, state = 'pending', type } = input
      const filter = {
        ...(action && { action }),
        author_id,
        project_id,
        group_id,
        state,
        ...(type && { kind: ownValue(kinds, type) ?? ('none' as const) }),
      }
      const { rows, total } = await listTodos(db, { viewer: { user }, filter }, range)
      return new Page({ items: await show(context, rows), total })
    },
  }),

  ofUser({
    route: 'POST /todos/:todo_id/mark_as_done',
    summary: 'Mark a to-do item as done',
    allow: anyone,
    input: Type.Object({ todo_id: Type.Integer() }),
    status: 201,
    answer: TodoJson,
    async run(context) {
      const { db, clock, user, input } = context
      await markTodosDone(db, { user_id: user.id, id: input.todo_id, now: timestamp(clock) })
      return showOne(context, input.todo_id)
    },
  }),

  ofUser({
    route: 'POST /todos/mark_as_done',
    summary: 'Mark all to-do items as done',
    allow: anyone,
    status: 204,
    run: ({ db, clock, user }) => markTodosDone(db, { user_id: user.id, now: timestamp(clock) }),
  }),

  markEndpoint('issues/:issue_iid', 'an issue', issueLoader),
  markEndpoint('merge_requests/:merge_request_iid', 'a merge request', mergeRequestLoader),

  ofUser({
    route: 'GET /user_counts',
    summary: 'Count your assigned issues, merge requests, review requests and to-do items',
    scope: 'read_user',
    allow: anyone,
    answer: Type.Object({
      merge_requests: Type.Integer(),
      assigned_issues: Type.Integer(),
      assigned_merge_requests: Type.Integer(),
      review_requested_merge_requests: Type.Integer(),
      todos: Type.Integer(),
      attention_requests: Type.Integer(),
    }),
    async run({ db, user }) {
      const counts = await countOpenWork(db, user)
      return {
        merge_requests: counts.merge_requests,
        assigned_issues: counts.issues,
        assigned_merge_requests: counts.merge_requests,
        review_requested_merge_requests: counts.reviews,
        todos: counts.todos,
        attention_requests: 0,
      }
    },
  }),
]
