import { Type } from 'typebox'
import { checkIfUnmodifiedSince } from '../../../http/conditional.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { optionalText, pageInput } from '../../../http/schema.ts'
import { recordNotFound } from '../../../kernel/errors.ts'
import {
  mayAdminBranches,
  mayDownloadCode,
  type Project,
  projectLoader,
} from '../../../subjects/project.ts'
import {
  changeProtectionEntries,
  mayUnprotectBranch,
  protectBranch,
  recordBranchProtectionEvent,
} from './protect-branch.ts'
import { ProtectedBranchJson, presentProtectedBranch } from './protected-branch.present.ts'
import {
  deleteProtectedBranch,
  findEffectiveProtection,
  findProtectedBranch,
  listProtectedBranches,
  type ProtectedBranch,
  updateProtectedBranch,
} from './protected-branch.store.ts'
import {
  changeProtectedBranchInput,
  parseProtectionEntries,
  parseProtectionEntryChanges,
  protectBranchInput,
  protectedBranchNameInput,
} from './protection-input.ts'

const endpoint = endpointFactory({ tag: 'Protected branches', on: projectLoader })
type NamedContext = Context<Project, { name: string }>

async function getProtectedBranch({
  db,
  subject,
  actor,
  input,
}: NamedContext): Promise<ProtectedBranch> {
  const found = await findProtectedBranch(db, { project_id: subject.id, name: input.name, actor })
  if (!found) throw recordNotFound()
  return found
}

/** Returns whether the rule's own unprotect levels admit the caller. */
function mayChangeRule({
  db,
  subject,
  actor,
  level,
  loaded: { name },
}: NamedContext & { loaded: ProtectedBranch }): Promise<boolean> {
  return mayUnprotectBranch(db, { project_id: subject.id, name, caller: { actor, level } })
}

export const protectedBranchEndpoints = [
  endpoint({
    route: 'GET /projects/:id/protected_branches',
    summary: 'List the protected branches and wildcards of a project',
    allow: mayDownloadCode,
    input: Type.Object({ ...pageInput, search: optionalText }),
    answer: Type.Array(ProtectedBranchJson),
    async run(context) {
      const { db, config, subject, actor, input, range } = context
      const scope = { project_id: subject.id, search: input.search, actor }
      const { rows, total } = await listProtectedBranches(db, scope, range)
      const items = rows.map((row) => presentProtectedBranch(row, { tier: config.tier }))
      return new Page({ items, total })
    },
  }),

  endpoint({
    route: 'GET /projects/:id/protected_branches/:name',
    summary: 'Get a protected branch or wildcard by its exact name',
    allow: mayDownloadCode,
    input: Type.Object(protectedBranchNameInput),
    answer: ProtectedBranchJson,
    async run({ db, config, subject, actor, input }) {
      const found = await findEffectiveProtection(db, {
        project_id: subject.id,
        name: input.name,
        actor,
      })
      if (!found) throw recordNotFound()
      return presentProtectedBranch(found, { tier: config.tier })
    },
  }),

  endpoint({
    route: 'POST /projects/:id/protected_branches',
    summary: 'Protect a branch or all that match a wildcard',
    allow: mayAdminBranches,
    input: protectBranchInput,
    status: 201,
    answer: ProtectedBranchJson,
    async run(context) {
      const { subject: project, config, input } = context
      const isPaidTier = config.tier !== 'free'
      await protectBranch(context, project, {
        name: input.name,
        entries: parseProtectionEntries(input, isPaidTier),
        allow_force_push: input.allow_force_push ?? false,
        code_owner_approval_required: isPaidTier && input.code_owner_approval_required === true,
      })
      const made = await getProtectedBranch(context)
      return presentProtectedBranch(made, { tier: config.tier, isNew: true })
    },
  }),

  endpoint({
    route: 'PATCH /projects/:id/protected_branches/:name',
    summary: 'Change the protection of a branch',
    tier: 'premium',
    allow: mayAdminBranches,
    input: changeProtectedBranchInput,
    answer: ProtectedBranchJson,
    load: getProtectedBranch,
    authorize: mayChangeRule,
    async run(context) {
      const { db, subject, config, input, loaded: rule } = context
      const { id, name } = rule
      const { allow_force_push } = input
      // `code_owner_approval_required` defaults to false (docs/api/repository.md, "Protected branches"), but
      // stays unchanged if the request changes other fields only.
      const isRequired = input.code_owner_approval_required
      const entries = parseProtectionEntryChanges(input, rule)
      const isForOthers =
        allow_force_push !== undefined || Object.values(entries).some(({ length }) => length > 0)
      const code_owner_approval_required = isForOthers ? isRequired : (isRequired ?? false)
      const changes = { allow_force_push, code_owner_approval_required }
      await updateProtectedBranch(db, id, changes)
      await changeProtectionEntries(context, subject, { rule, changes: entries })
      const changed = { id, name, of: subject, ...changes, entries }
      await recordBranchProtectionEvent(context, 'branch_protection_changed', changed)
      return presentProtectedBranch(await getProtectedBranch(context), { tier: config.tier })
    },
  }),

  endpoint({
    route: 'DELETE /projects/:id/protected_branches/:name',
    summary: 'Unprotect a branch or wildcard',
    allow: mayAdminBranches,
    input: Type.Object(protectedBranchNameInput),
    status: 204,
    async load(context) {
      const rule = await getProtectedBranch(context)
      checkIfUnmodifiedSince(context.request, rule.created_at)
      return rule
    },
    authorize: mayChangeRule,
    async run(context) {
      const { db, subject } = context
      const { id, name } = context.loaded
      await deleteProtectedBranch(db, id)
      const ended = { id, name, of: subject }
      await recordBranchProtectionEvent(context, 'branch_unprotected', ended)
    },
  }),
]
