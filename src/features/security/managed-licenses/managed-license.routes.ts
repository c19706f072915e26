import { Type } from 'typebox'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { oneOf, pageInput } from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { lockOwner } from '../../../subjects/lock-owner.ts'
import { type Project, projectLoader } from '../../../subjects/project.ts'
import { type AuditAction, recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import { mayReadLicenses, mayWriteLicenses } from './managed-license.policy.ts'
import { ManagedLicenseJson, presentManagedLicense } from './managed-license.present.ts'
import {
  deleteManagedLicense,
  findManagedLicense,
  hasManagedLicenses,
  insertManagedLicense,
  listManagedLicenses,
  updateManagedLicense,
} from './managed-license.store.ts'
import type { ManagedLicense } from './managed-license.ts'

const endpoint = endpointFactory({ tag: 'Managed licences', tier: 'ultimate', on: projectLoader })

const idInput = {
  managed_license_id: Type.String({ description: 'ID or URL-encoded name of the licence.' }),
}
/** `approved` and `blacklisted` are the names in release 14 of the other two. */
const statuses = {
  approved: 'allowed',
  blacklisted: 'denied',
  allowed: 'allowed',
  denied: 'denied',
}
const statusInput = {
  approval_status: oneOf(Object.keys(statuses) as (keyof typeof statuses)[]),
}

const statusOf = (given: keyof typeof statuses) =>
  statuses[given] as ManagedLicense['approval_status']

async function getManagedLicense({
  db,
  subject,
  input,
}: Context<Project, { managed_license_id: string }>): Promise<ManagedLicense> {
  const license = await findManagedLicense(db, subject.id, input.managed_license_id)
  if (!license) throw notFound('SoftwareLicensePolicy')
  return license
}

/** Throws 400 with the problems of a new name. */
async function checkName({ db, subject }: Context<Project, unknown>, name: string): Promise<void> {
  const problems: string[] = []
  if (name.trim() === '') problems.push("can't be blank")
  const maximum = limits.name_characters
  if ([...name].length > maximum) problems.push(`is too long (maximum is ${maximum} characters)`)
  if (problems.length > 0) throw invalid({ name: problems })
  const count = limits.managed_licenses_max
  await lockOwner(db, { kind: 'project', id: subject.id })
  if (await hasManagedLicenses(db, subject.id, count)) {
    throw invalid({ base: [`Maximum number of managed licenses (${count}) exceeded`] })
  }
}

function recordEvent(
  context: Context<Project, unknown>,
  action: AuditAction,
  { id, name, approval_status }: ManagedLicense,
): Promise<void> {
  return recordAuditEvent(context, {
    action,
    entity: { kind: 'project', id: context.subject.id },
    target: { kind: 'license_policy', id, name },
    details: { approval_status },
  })
}

export const managedLicenseEndpoints = [
  endpoint({
    route: 'GET /projects/:id/managed_licenses',
    summary: 'List the managed licenses of a project',
    allow: mayReadLicenses,
    input: Type.Object(pageInput),
    answer: Type.Array(ManagedLicenseJson),
    async run({ db, subject, range }) {
      const { rows, total } = await listManagedLicenses(db, subject.id, range)
      return new Page({ items: rows.map(presentManagedLicense), total })
    },
  }),

  endpoint({
    route: 'GET /projects/:id/managed_licenses/:managed_license_id',
    summary: 'Get a managed license',
    allow: mayReadLicenses,
    input: Type.Object(idInput),
    answer: ManagedLicenseJson,
    async run(context) {
      return presentManagedLicense(await getManagedLicense(context))
    },
  }),

  endpoint({
    route: 'POST /projects/:id/managed_licenses',
    summary: 'Create a managed license',
    allow: mayWriteLicenses,
    input: Type.Object({ name: Type.String(), ...statusInput }),
    status: 201,
    answer: ManagedLicenseJson,
    async run(context) {
      const { db, clock, subject, input } = context
      await checkName(context, input.name)
      const now = timestamp(clock)
      const license = await insertManagedLicense(db, {
        project_id: subject.id,
        name: input.name,
        approval_status: statusOf(input.approval_status),
        created_at: now,
        updated_at: now,
      })
      if (!license) throw invalid({ name: ['has already been taken'] })
      await recordEvent(context, 'license_policy_added', license)
      return presentManagedLicense(license)
    },
  }),

  endpoint({
    route: 'PATCH /projects/:id/managed_licenses/:managed_license_id',
    summary: 'Update a managed license',
    allow: mayWriteLicenses,
    input: Type.Object({ ...idInput, ...statusInput }),
    answer: ManagedLicenseJson,
    async run(context) {
      const { db, clock, input } = context
      const { id } = await getManagedLicense(context)
      const changes = {
        approval_status: statusOf(input.approval_status),
        updated_at: timestamp(clock),
      }
      const license = await updateManagedLicense(db, id, changes)
      await recordEvent(context, 'license_policy_changed', license)
      return presentManagedLicense(license)
    },
  }),

  endpoint({
    route: 'DELETE /projects/:id/managed_licenses/:managed_license_id',
    summary: 'Delete a managed license',
    allow: mayWriteLicenses,
    input: Type.Object(idInput),
    status: 204,
    async run(context) {
      const license = await getManagedLicense(context)
      await deleteManagedLicense(context.db, license.id)
      await recordEvent(context, 'license_policy_removed', license)
    },
  }),
]
