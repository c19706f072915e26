// The users and groups with access to a project, for the project's own lists.
import { Type } from 'typebox'
import { Level, memberLevels } from '../../../access/level.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page, type PageInput } from '../../../http/pagination.ts'
import { oneOfNumbers, optionalBoolean, optionalText, pageInput } from '../../../http/schema.ts'
import { today } from '../../../kernel/clock.ts'
import { GroupSummaryJson, presentGroupSummary } from '../../../subjects/group-summary.ts'
import { mayReadProject, type Project, projectLoader } from '../../../subjects/project.ts'
import { BasicUserJson, presentBasicUser } from '../../../subjects/user.ts'
import { listMembers } from './member.store.ts'
import type { MemberSource } from './member-source.ts'
import { listGroupsOfProject } from './project-group.store.ts'

const endpoint = endpointFactory({ tag: 'Projects', on: projectLoader })

const userInput = Type.Object({
  ...pageInput,
  search: optionalText,
  skip_users: Type.Optional(Type.Array(Type.Integer())),
})

const groupFilter = {
  ...pageInput,
  search: optionalText,
  skip_groups: Type.Optional(Type.Array(Type.Integer())),
}

const groupInput = Type.Object({
  ...groupFilter,
  with_shared: Type.Optional(Type.Boolean({ default: false })),
  shared_visible_only: optionalBoolean,
  shared_min_access_level: Type.Optional(oneOfNumbers(memberLevels)),
})

const invitedInput = Type.Object({
  ...groupFilter,
  min_access_level: Type.Optional(oneOfNumbers(memberLevels)),
})

async function answerGroups(
  context: Context<Project, PageInput>,
  {
    shared_visible_only,
    ...filter
  }: Pick<
    Parameters<typeof listGroupsOfProject>[1],
    'search' | 'skip_groups' | 'with_shared' | 'shared_min_access_level' | 'invited_only'
  > & { shared_visible_only?: boolean },
) {
  const { db, clock, subject: project, actor, level, range, baseUrl } = context
  // Maintainers see all groups that are invited into the project, including groups that they could not see
  // otherwise.
  const isTrusted = level >= Level.maintainer && !shared_visible_only
  const { rows, total } = await listGroupsOfProject(
    db,
    { project, actor: isTrusted ? undefined : actor, today: today(clock), ...filter },
    range,
  )
  const items = rows.map((row) => presentGroupSummary(row, baseUrl))
  return new Page({ items, total })
}

export const projectAccessEndpoints = [
  endpoint<typeof userInput>({
    route: 'GET /projects/:id/users',
    summary: 'List the users of a project',
    allow: mayReadProject,
    input: userInput,
    answer: Type.Array(BasicUserJson),
    async run(context) {
      const { db, clock, subject, actor, level, input, baseUrl } = context
      const { id, namespace_id } = subject
      const source: MemberSource = { kind: 'project', id, namespace_id }
      const scope = { source, today: today(clock), asker: { actor, level } }
      const { range } = context
      const filter = { query: input.search, skip_users: input.skip_users }
      const { rows, total } = await listMembers(db, scope, filter, range)
      const items = rows.map((row) => presentBasicUser(row, baseUrl))
      return new Page({ items, total })
    },
  }),

  endpoint<typeof groupInput>({
    route: 'GET /projects/:id/groups',
    summary: 'List the parent groups and invited groups of a project',
    allow: mayReadProject,
    input: groupInput,
    answer: Type.Array(GroupSummaryJson),
    run: (context) => answerGroups(context, context.input),
  }),

  endpoint<typeof invitedInput>({
    route: 'GET /projects/:id/invited_groups',
    summary: 'List the groups invited to a project',
    allow: mayReadProject,
    input: invitedInput,
    answer: Type.Array(GroupSummaryJson),
    run(context) {
      const { min_access_level: shared_min_access_level, ...input } = context.input
      return answerGroups(context, { ...input, shared_min_access_level, invited_only: true })
    },
  }),
]
