import { Type } from 'typebox'
import { findViolatedIndex, lockUntilCommit } from '../../../db/dialect.ts'
import { Answer } from '../../../http/answer.ts'
import { checkIfUnmodifiedSince } from '../../../http/conditional.ts'
import {
  type Context,
  type Endpoint,
  endpoint,
  type SubjectLoader,
} from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { atLeastOneOf, type ParameterRule } from '../../../http/parameters.ts'
import {
  nullable,
  nullableText,
  optionalInteger,
  optionalText,
  pageInput,
} from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { badRequest, conflict, invalid, notFound } from '../../../kernel/errors.ts'
import { findGroup } from '../../../subjects/group.ts'
import {
  groupAsOwner,
  groupAsOwnerLoader,
  type OwningProjectOrGroup,
  projectAsOwnerLoader,
} from '../../../subjects/owner.ts'
import { mayReadLabels, mayWriteLabels } from './label.policy.ts'
import { LabelJson, presentLabel } from './label.present.ts'
import {
  countIssuablesByLabel,
  deleteLabel,
  findDescendantLabelIds,
  findLabel,
  insertLabel,
  isLabelTitleInherited,
  type LabelFilter,
  type ListedLabel,
  listLabels,
  mergeLabels,
  setLabelPriority,
  setLabelSubscription,
  updateLabel,
} from './label.store.ts'
import { labelProblems, parseLabelColor } from './label-problems.ts'

const tag = 'Labels'
/** Serializes the creation of labels in a group, above it and below it, so that their titles stay unique. */
const label_lock = 4

type LabelContext<Input = unknown> = Context<OwningProjectOrGroup, Input>

const includesInput = Type.Optional(Type.Boolean({ default: true }))
const changesInput = {
  new_name: optionalText,
  color: optionalText,
  description: Type.Optional(nullableText),
  priority: Type.Optional(nullable(Type.Integer({ minimum: 0 }))),
}
type Changes = {
  new_name?: string
  color?: string
  description?: string | null
  priority?: number | null
}

function namedBy(text: string): NonNullable<LabelFilter['named']> {
  return { id: /^\d{1,15}$/.test(text) ? Number(text) : undefined, title: text }
}

/** Returns the label with this id or name. Throws 404 if it does not exist. */
async function getLabel(
  { db, subject: owner, actor }: LabelContext,
  name: string,
  { includesAncestors }: { includesAncestors: boolean },
): Promise<ListedLabel> {
  const user_id = actor.user?.id ?? 0
  const filter = { named: namedBy(name), includesAncestors }
  const found = await findLabel(db, { owner, user_id, filter })
  if (!found) throw notFound('Label')
  return found
}

const show = ({ subject: owner }: LabelContext, label: ListedLabel) =>
  presentLabel(label, { owner, counts: undefined })

async function change(context: LabelContext<Changes>, name: string) {
  const { db, clock, subject: owner, input } = context
  const label = await getLabel(context, name, { includesAncestors: false })
  const title = input.new_name?.trim() ?? label.title
  const color = input.color === undefined ? label.color : parseLabelColor(input.color)
  const problems = labelProblems({ title, color })
  if (Object.keys(problems).length > 0) throw invalid(problems)
  const taken = invalid({ title: ['has already been taken'] })
  if (title !== label.title) {
    await lockUntilCommit(db, label_lock)
    if (await isLabelTitleInherited(db, owner, title)) throw taken
  }
  const { description = label.description } = input
  const updated_at = timestamp(clock)
  try {
    await updateLabel(db, label.id, { title, color, description, updated_at })
  } catch (error) {
    if (findViolatedIndex(error) !== undefined) throw taken
    throw error
  }
  if (owner.kind === 'project' && input.priority !== undefined) {
    await setLabelPriority(db, {
      label_id: label.id,
      project_id: owner.id,
      priority: input.priority,
    })
  }
  return show(context, await getLabel(context, String(label.id), { includesAncestors: false }))
}

async function remove(context: LabelContext, name: string): Promise<void> {
  const label = await getLabel(context, name, { includesAncestors: false })
  checkIfUnmodifiedSince(context.request, label.updated_at)
  await deleteLabel(context.db, label.id)
}

async function subscribe(context: LabelContext<{ name: string }>, subscribed: boolean) {
  const { db, user, input } = context
  const label = await getLabel(context, input.name, { includesAncestors: true })
  const hasChanged = await setLabelSubscription(db, {
    label_id: label.id,
    user_id: user.id,
    subscribed,
  })
  return hasChanged ? show(context, { ...label, subscribed }) : Answer.empty(304)
}

type Promoting = LabelContext<{ name: string }>
/** The label to promote, the group that it will belong to, and the caller's level on that group. */
type Promoted = { label: ListedLabel; subject: OwningProjectOrGroup; level: number }

async function loadPromoted(context: Promoting): Promise<Promoted> {
  const { db, subject: owner, actor, input } = context
  const label = await getLabel(context, input.name, { includesAncestors: false })
  const found = await findGroup(db, actor, { id: owner.namespace_id })
  if (!found) throw badRequest('Failed to promote project label to group label')
  return { label, subject: groupAsOwner(found.group), level: found.level }
}

/** Creates a group label from the label, and merges the labels of the same name below the group into it. */
async function promote(context: Promoting & { loaded: Promoted }) {
  const { db, clock, user, loaded } = context
  const { label, subject: group } = loaded
  await lockUntilCommit(db, label_lock)
  const now = timestamp(clock)
  const { title, color, description } = label
  await insertLabel(db, group, { title, color, description, created_at: now, updated_at: now })
  const filter = { named: { id: undefined, title }, includesAncestors: true }
  const made = await findLabel(db, { owner: group, user_id: user.id, filter })
  if (!made) throw badRequest('Failed to promote project label to group label')
  await mergeLabels(db, {
    from: await findDescendantLabelIds(db, { group_id: group.id, title }),
    to: made.id,
  })
  const merged = await findLabel(db, { owner: group, user_id: user.id, filter })
  return presentLabel(merged ?? made, { owner: group, counts: undefined })
}

const exactlyOneName: ParameterRule = ({ name, label_id }) => {
  if (name === undefined && label_id === undefined) {
    return 'label_id, name are missing, exactly one parameter must be provided'
  }
  return name !== undefined && label_id !== undefined
    ? 'label_id, name are mutually exclusive'
    : undefined
}
const nameOf = ({ name, label_id }: { name?: string; label_id?: number }) =>
  name ?? String(label_id ?? '')

/** Returns the endpoints for labels of projects or groups, which differ in the owner and in priorities. */
function endpointsOf(
  base: '/projects/:id/labels' | '/groups/:id/labels',
  on: SubjectLoader<OwningProjectOrGroup>,
): readonly Endpoint[] {
  const isProject = base.startsWith('/projects')
  const whose = isProject ? 'a project' : 'a group'
  const common = { tag, on, signIn: 'always' as const }
  const changes = isProject
    ? changesInput
    : {
        new_name: changesInput.new_name,
        color: optionalText,
        description: changesInput.description,
      }
  const rules = [atLeastOneOf(...Object.keys(changes))]
  const path = { name: Type.String({ description: 'ID or URL-encoded name of the label.' }) }
  const names = { label_id: optionalInteger, name: optionalText }
  return [
    endpoint({
      ...common,
      route: `GET ${base}`,
      summary: `List the labels of ${whose}`,
      allow: mayReadLabels,
      input: Type.Object({
        with_counts: Type.Optional(Type.Boolean({ default: false })),
        include_ancestor_groups: includesInput,
        search: optionalText,
        ...(!isProject && {
          include_descendant_groups: Type.Optional(Type.Boolean({ default: false })),
          only_group_labels: includesInput,
        }),
        ...pageInput,
      }),
      answer: Type.Array(LabelJson),
      async run(context) {
        const { db, subject: owner, user, input, range } = context
        const given = input as typeof input & {
          include_descendant_groups?: boolean
          only_group_labels?: boolean
        }
        const filter = {
          search: input.search,
          includesAncestors: input.include_ancestor_groups ?? true,
          includesDescendants: given.include_descendant_groups ?? false,
          includesProjects: given.only_group_labels === false,
          viewer: context.actor,
        }
        const { rows, total } = await listLabels(db, { owner, user_id: user.id, filter }, range)
        const label_ids = rows.map(({ id }) => id)
        const counts = input.with_counts
          ? await countIssuablesByLabel(db, { owner, viewer: context.actor, label_ids })
          : undefined
        const none = { opened: 0, closed: 0, merge_requests: 0 }
        const items = rows.map((label) =>
          presentLabel(label, { owner, counts: counts && (counts.get(label.id) ?? none) }),
        )
        return new Page({ items, total })
      },
    }),

    endpoint({
      ...common,
      route: `GET ${base}/:name`,
      summary: `Get a label of ${whose}`,
      allow: mayReadLabels,
      input: Type.Object({ ...path, include_ancestor_groups: includesInput }),
      answer: LabelJson,
      async run(context) {
        const { name, include_ancestor_groups: includesAncestors = true } = context.input
        return show(context, await getLabel(context, name, { includesAncestors }))
      },
    }),

    endpoint({
      ...common,
      route: `POST ${base}`,
      summary: `Create a label of ${whose}`,
      allow: mayWriteLabels,
      input: Type.Object({
        name: Type.String(),
        color: Type.String(),
        description: Type.Optional(nullableText),
        ...(isProject && { priority: changesInput.priority }),
      }),
      status: 201,
      answer: LabelJson,
      async run(context) {
        const { db, clock, subject: owner, input } = context
        const { priority } = input as { priority?: number | null }
        const title = input.name.trim()
        const color = parseLabelColor(input.color)
        await lockUntilCommit(db, label_lock)
        if (title !== '' && (await isLabelTitleInherited(db, owner, title))) {
          throw conflict('Label already exists')
        }
        const problems = labelProblems({ title, color })
        if (Object.keys(problems).length > 0 || color === undefined) throw invalid(problems)
        const now = timestamp(clock)
        const { description = null } = input
        const fields = { title, color, description, created_at: now, updated_at: now }
        const made = await insertLabel(db, owner, fields)
        if (!made) throw conflict('Label already exists')
        if (owner.kind === 'project' && priority !== undefined && priority !== null) {
          await setLabelPriority(db, { label_id: made.id, project_id: owner.id, priority })
        }
        return show(context, { ...made, subscribed: false, priority: priority ?? null })
      },
    }),

    endpoint({
      ...common,
      route: `PUT ${base}/:name`,
      summary: `Change a label of ${whose}`,
      allow: mayWriteLabels,
      input: Type.Object({ ...path, ...changes }),
      rules,
      answer: LabelJson,
      run: (context) => change(context, context.input.name),
    }),

    endpoint({
      ...common,
      route: `PUT ${base}`,
      summary: `Update a label of ${whose}, named in the body`,
      allow: mayWriteLabels,
      input: Type.Object({ ...names, ...changes }),
      rules: [exactlyOneName, ...rules],
      answer: LabelJson,
      run: (context) => change(context, nameOf(context.input)),
    }),

    endpoint({
      ...common,
      route: `DELETE ${base}/:name`,
      summary: `Delete a label of ${whose}`,
      allow: mayWriteLabels,
      input: Type.Object(path),
      status: 204,
      run: (context) => remove(context, context.input.name),
    }),

    endpoint({
      ...common,
      route: `DELETE ${base}`,
      summary: `Delete a label of ${whose}, named in the request`,
      allow: mayWriteLabels,
      input: Type.Object(names),
      rules: [exactlyOneName],
      status: 204,
      run: (context) => remove(context, nameOf(context.input)),
    }),

    ...(['subscribe', 'unsubscribe'] as const).map((verb) =>
      endpoint({
        ...common,
        route: `POST ${base}/:name/${verb}`,
        summary: `${verb === 'subscribe' ? 'Subscribe to' : 'Unsubscribe from'} a label of ${whose}`,
        allow: mayReadLabels,
        input: Type.Object(path),
        status: 201,
        answer: LabelJson,
        otherAnswers: { 304: undefined },
        run: (context) => subscribe(context, verb === 'subscribe'),
      }),
    ),
  ]
}

export const labelEndpoints: readonly Endpoint[] = [
  ...endpointsOf('/projects/:id/labels', projectAsOwnerLoader),
  endpoint({
    tag,
    on: projectAsOwnerLoader,
    signIn: 'always',
    route: 'PUT /projects/:id/labels/promote',
    summary: 'Promote a project label, named in the body, to a group label',
    allow: mayWriteLabels,
    input: Type.Object({ name: Type.String() }),
    answer: LabelJson,
    load: loadPromoted,
    authorize: ({ actor, loaded }) => mayWriteLabels({ ...loaded, actor }),
    run: promote,
  }),
  endpoint({
    tag,
    on: projectAsOwnerLoader,
    signIn: 'always',
    route: 'PUT /projects/:id/labels/:name/promote',
    summary: 'Promote a project label to a group label',
    allow: mayWriteLabels,
    input: Type.Object({ name: Type.String() }),
    answer: LabelJson,
    load: loadPromoted,
    authorize: ({ actor, loaded }) => mayWriteLabels({ ...loaded, actor }),
    run: promote,
  }),
  ...endpointsOf('/groups/:id/labels', groupAsOwnerLoader),
]
