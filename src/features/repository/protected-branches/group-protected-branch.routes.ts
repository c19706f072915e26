import { Type } from 'typebox'
import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import { checkIfUnmodifiedSince } from '../../../http/conditional.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { optionalText, pageInput } from '../../../http/schema.ts'
import { recordNotFound, unprocessable } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { type Group, groupLoader } from '../../../subjects/group.ts'
import {
  changeProtectionEntries,
  mayUnprotectBranchByRule,
  protectBranch,
  recordBranchProtectionEvent,
} from './protect-branch.ts'
import { ProtectedBranchJson, presentProtectedBranch } from './protected-branch.present.ts'
import {
  deleteProtectedBranch,
  findProtectedBranch,
  isBelowProtectionRuleLimit,
  listProtectedBranches,
  type ProtectedBranch,
  updateProtectedBranch,
} from './protected-branch.store.ts'
import { findBranchProtectionRule } from './protected-branch.ts'
import {
  changeProtectedBranchInput,
  parseProtectionEntries,
  parseProtectionEntryChanges,
  protectBranchInput,
  protectedBranchNameInput,
} from './protection-input.ts'

/** Rules for all projects of a group are for its Owners, reading included. */
const adminRules: Rule<Group> = ({ level }) => level >= Level.owner

const endpoint = endpointFactory({
  tag: 'Protected branches',
  on: groupLoader,
  tier: 'premium',
  signIn: 'always',
})
const base = '/groups/:id/protected_branches'

type NamedContext = Context<Group, { name: string }>

async function getRule({ db, subject, actor, input }: NamedContext): Promise<ProtectedBranch> {
  const { name } = input
  const found = await findProtectedBranch(db, { namespace_id: subject.id, name, actor })
  if (!found) throw recordNotFound()
  return found
}

/** Returns whether the rule's own unprotect levels admit the caller. */
async function mayChangeRule({
  db,
  actor,
  level,
  loaded: { id },
}: NamedContext & { loaded: ProtectedBranch }): Promise<boolean> {
  return mayUnprotectBranchByRule(await findBranchProtectionRule(db, id, actor), { actor, level })
}

function present(rule: ProtectedBranch, { config }: Pick<NamedContext, 'config'>) {
  return presentProtectedBranch(rule, { tier: config.tier, isOfGroup: true })
}

export const groupProtectedBranchEndpoints = [
  endpoint({
    route: `GET ${base}`,
    summary: 'List the branches and wildcards protected for all projects of a group',
    allow: adminRules,
    input: Type.Object({ ...pageInput, search: optionalText }),
    answer: Type.Array(ProtectedBranchJson),
    async run(context) {
      const { db, subject, actor, input, range } = context
      const scope = { namespace_id: subject.id, search: input.search, actor }
      const { rows, total } = await listProtectedBranches(db, scope, range)
      return new Page({ items: rows.map((row) => present(row, context)), total })
    },
  }),

  endpoint({
    route: `GET ${base}/:name`,
    summary: 'Get a protected branch or wildcard of a group by its exact name',
    allow: adminRules,
    input: Type.Object(protectedBranchNameInput),
    answer: ProtectedBranchJson,
    run: async (context) => present(await getRule(context), context),
  }),

  endpoint({
    route: `POST ${base}`,
    summary: 'Protect a branch or wildcard for all projects of a group',
    allow: adminRules,
    input: protectBranchInput,
    status: 201,
    answer: ProtectedBranchJson,
    async run(context) {
      const { db, subject, input } = context
      if (subject.parent_id !== null) throw unprocessable(['cannot be associated with a subgroup'])
      const most = limits.group_protected_branches_max
      if (!(await isBelowProtectionRuleLimit(db, subject.id, most))) {
        throw unprocessable([`A group has at most ${most} protected branches`])
      }
      await protectBranch(
        context,
        { group_id: subject.id },
        {
          name: input.name,
          entries: parseProtectionEntries(input, true),
          allow_force_push: input.allow_force_push ?? false,
          code_owner_approval_required: input.code_owner_approval_required === true,
        },
      )
      return present(await getRule(context), context)
    },
  }),

  endpoint({
    route: `PATCH ${base}/:name`,
    summary: 'Change a protected branch or wildcard of a group',
    allow: adminRules,
    input: changeProtectedBranchInput,
    answer: ProtectedBranchJson,
    load: getRule,
    authorize: mayChangeRule,
    async run(context) {
      const { db, subject, input, loaded: rule } = context
      const { id, name } = rule
      const { allow_force_push, code_owner_approval_required } = input
      const entries = parseProtectionEntryChanges(input, rule)
      const changes = { allow_force_push, code_owner_approval_required }
      await updateProtectedBranch(db, id, changes)
      const of = { group_id: subject.id }
      await changeProtectionEntries(context, of, { rule, changes: entries })
      const changed = { id, name, of, ...changes, entries }
      await recordBranchProtectionEvent(context, 'branch_protection_changed', changed)
      return present(await getRule(context), context)
    },
  }),

  endpoint({
    route: `DELETE ${base}/:name`,
    summary: 'Unprotect a branch or wildcard for all projects of a group',
    allow: adminRules,
    input: Type.Object(protectedBranchNameInput),
    status: 204,
    async load(context) {
      const rule = await getRule(context)
      checkIfUnmodifiedSince(context.request, rule.created_at)
      return rule
    },
    authorize: mayChangeRule,
    async run(context) {
      const { db, subject } = context
      const { id, name } = context.loaded
      await deleteProtectedBranch(db, id)
      const ended = { id, name, of: { group_id: subject.id } }
      await recordBranchProtectionEvent(context, 'branch_unprotected', ended)
    },
  }),
]
