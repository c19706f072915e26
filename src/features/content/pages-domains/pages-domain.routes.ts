import { Type } from 'typebox'
import { administrators } from '../../../access/rule.ts'
import { type Context, endpoint as declare, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { allOrNoneOf } from '../../../http/parameters.ts'
import { nullable, pageInput, textOrFile } from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { type FieldErrors, invalid, notFound } from '../../../kernel/errors.ts'
import { randomHex } from '../../../kernel/ids.ts'
import { limits } from '../../../kernel/limits.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import { sealSecret } from '../../../kernel/secrets.ts'
import { lockOwner } from '../../../subjects/lock-owner.ts'
import { mayAdminProject, type Project, projectLoader } from '../../../subjects/project.ts'
import { recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import { enqueueCertificateIfNeeded } from './certificate.tasks.ts'
import { pagesDomainProblems } from './domain-problems.ts'
import {
  ListedPagesDomainJson,
  PagesDomainJson,
  presentListedPagesDomain,
  presentPagesDomain,
} from './pages-domain.present.ts'
import {
  deletePagesDomain,
  findPagesDomain,
  hasPagesDomainsAtLeast,
  insertPagesDomain,
  isPagesHttpsOnly,
  listAllPagesDomains,
  listPagesDomainsOfProject,
  updatePagesDomain,
} from './pages-domain.store.ts'
import { enqueuePagesDomainVerification } from './pages-domain.tasks.ts'
import { decryptCertificate, type PagesDomain } from './pages-domain.ts'
import { domainCertificateProblems, parsePemCertificates } from './read-certificate.ts'
import { verifyPagesDomain } from './verify-domain.ts'

const tag = 'Pages domains'
const endpoint = endpointFactory<Project>({ tag, on: projectLoader, signIn: 'always' })
const one = '/projects/:id/pages/domains/:domain' as const
const domainInput = { domain: Type.String() }
const certificateInput = {
  certificate: Type.Optional(nullable(textOrFile())),
  key: Type.Optional(nullable(textOrFile())),
}

async function getDomain({
  db,
  subject,
  input,
}: Context<Project, { domain: string }>): Promise<PagesDomain> {
  const found = await findPagesDomain(db, { project_id: subject.id, domain: input.domain })
  if (!found) throw notFound('PagesDomain')
  return found
}

/** Throws 400 with the messages of every field. */
function refuse(problems: FieldErrors): void {
  const wrong = Object.entries(problems).filter(([, texts]) => texts.length > 0)
  if (wrong.length > 0) throw invalid(Object.fromEntries(wrong))
}

/** Returns a problem for a domain without a certificate if the site has "HTTPS only". */
async function httpsProblems(
  { db, subject }: Context<Project, unknown>,
  { certificate, key, isAutomatic }: { certificate: string; key: string; isAutomatic: boolean },
): Promise<FieldErrors> {
  if (isAutomatic || !(await isPagesHttpsOnly(db, subject.id))) return {}
  const absent = (value: string) =>
    value === '' ? ['must be present if HTTPS-only is enabled'] : []
  return { certificate: absent(certificate), key: absent(key) }
}

/** Returns the columns of a validated certificate. An empty text means no certificate. */
function certificateColumns(
  secretKey: Buffer,
  { certificate, key }: Record<'certificate' | 'key', string>,
) {
  const [own] = certificate === '' ? [] : (parsePemCertificates(certificate) ?? [])
  return {
    certificate: own ? certificate : null,
    key: own ? sealSecret(secretKey, key) : null,
    certificate_source: 'user' as const,
    not_before: own ? own.validFromDate.toISOString() : null,
    not_after: own ? own.validToDate.toISOString() : null,
  }
}

function merged(...all: FieldErrors[]): FieldErrors {
  const result: FieldErrors = {}
  for (const problems of all) {
    for (const [field, texts] of Object.entries(problems)) {
      result[field] = [...(ownValue(result, field) ?? []), ...texts]
    }
  }
  return result
}

async function recordDomainEvent(
  context: Context<Project, unknown>,
  action: 'pages_domain_added' | 'pages_domain_changed' | 'pages_domain_removed',
  { id, domain, certificate }: Pick<PagesDomain, 'id' | 'domain' | 'certificate'>,
): Promise<void> {
  await recordAuditEvent(context, {
    action,
    entity: { kind: 'project', id: context.subject.id },
    target: { kind: 'pages_domain', id, name: domain },
    details: { has_certificate: certificate !== null },
  })
}

export const pagesDomainEndpoints = [
  declare({
    route: 'GET /pages/domains',
    summary: 'List all Pages domains',
    tag,
    allow: administrators,
    input: Type.Object(pageInput),
    answer: Type.Array(ListedPagesDomainJson),
    async run({ db, clock, range }) {
      const { rows, total } = await listAllPagesDomains(db, range)
      const now = timestamp(clock)
      return new Page({ items: rows.map((row) => presentListedPagesDomain(row, now)), total })
    },
  }),

  endpoint({
    route: 'GET /projects/:id/pages/domains',
    summary: 'List the Pages domains of a project',
    allow: mayAdminProject,
    input: Type.Object(pageInput),
    answer: Type.Array(PagesDomainJson),
    async run({ db, clock, subject: project, range }) {
      const { rows, total } = await listPagesDomainsOfProject(db, project.id, range)
      const now = timestamp(clock)
      return new Page({ items: rows.map((row) => presentPagesDomain(row, now)), total })
    },
  }),

  endpoint({
    route: `GET ${one}`,
    summary: 'Get a Pages domain of a project',
    allow: mayAdminProject,
    input: Type.Object(domainInput),
    answer: PagesDomainJson,
    async run(context) {
      return presentPagesDomain(await getDomain(context), timestamp(context.clock))
    },
  }),

  endpoint({
    route: 'POST /projects/:id/pages/domains',
    summary: 'Add a Pages domain to a project',
    allow: mayAdminProject,
    body_bytes_max: limits.pages.body_bytes,
    input: Type.Object({
      ...domainInput,
      ...certificateInput,
      auto_ssl_enabled: Type.Optional(Type.Boolean({ default: false, notBlank: true })),
    }),
    rules: [allOrNoneOf('certificate', 'key')],
    status: 201,
    answer: PagesDomainJson,
    async run(context) {
      const { db, clock, config, subject: project, input, secretKey } = context
      const { domain, auto_ssl_enabled = false } = input
      const given = { certificate: input.certificate ?? '', key: input.key ?? '' }
      const required = await httpsProblems(context, { ...given, isAutomatic: auto_ssl_enabled })
      const about = { domain: pagesDomainProblems(domain, config) }
      refuse(merged(about, required, domainCertificateProblems(given, { isNew: true })))
      const { domains_max, unverified_ms } = limits.pages
      await lockOwner(db, { kind: 'project', id: project.id })
      if (await hasPagesDomainsAtLeast(db, project.id, domains_max)) {
        throw invalid({ base: [`Maximum number of domains (${domains_max}) exceeded`] })
      }
      const now = timestamp(clock)
      const row = await insertPagesDomain(db, {
        ...certificateColumns(secretKey, given),
        project_id: project.id,
        domain,
        verification_code: randomHex(32),
        remove_at: new Date(clock().getTime() + unverified_ms).toISOString(),
        auto_ssl_enabled,
        created_at: now,
        updated_at: now,
      })
      if (!row) throw invalid({ domain: ['has already been taken'] })
      await recordDomainEvent(context, 'pages_domain_added', row)
      await enqueuePagesDomainVerification(db, clock, row)
      return presentPagesDomain(row, now)
    },
  }),

  endpoint({
    route: `PUT ${one}`,
    summary: 'Update a Pages domain of a project',
    allow: mayAdminProject,
    body_bytes_max: limits.pages.body_bytes,
    input: Type.Object({
      ...domainInput,
      ...certificateInput,
      auto_ssl_enabled: Type.Optional(Type.Boolean()),
    }),
    answer: PagesDomainJson,
    async run(context) {
      const { db, clock, input, secretKey } = context
      const before = await getDomain(context)
      const stored = decryptCertificate(secretKey, before)
      const { auto_ssl_enabled = before.auto_ssl_enabled } = input
      const isGiven = input.certificate !== undefined || input.key !== undefined
      const wanted = {
        certificate:
          input.certificate === undefined ? (stored?.cert ?? '') : (input.certificate ?? ''),
        key: input.key === undefined ? (stored?.key ?? '') : (input.key ?? ''),
      }
      const isNew = wanted.certificate !== (stored?.cert ?? '')
      const required = await httpsProblems(context, { ...wanted, isAutomatic: auto_ssl_enabled })
      refuse(merged(required, isGiven ? domainCertificateProblems(wanted, { isNew }) : {}))
      const now = timestamp(clock)
      const row = await updatePagesDomain(db, before.id, {
        ...(isGiven ? certificateColumns(secretKey, wanted) : {}),
        auto_ssl_enabled,
        // Setting the parameter again means that the owner has fixed the problem, so certificates are
        // requested again.
        ...(input.auto_ssl_enabled === undefined ? {} : { auto_ssl_failed: false }),
        updated_at: now,
      })
      if (!row) throw notFound('PagesDomain')
      await recordDomainEvent(context, 'pages_domain_changed', row)
      await enqueueCertificateIfNeeded(context, row)
      return presentPagesDomain(row, now)
    },
  }),

  endpoint({
    route: `PUT ${one}/verify`,
    summary: 'Verify a Pages domain now',
    allow: mayAdminProject,
    transaction: 'none',
    input: Type.Object(domainInput),
    answer: PagesDomainJson,
    async run(context) {
      const before = await getDomain(context)
      const { row, problem } = await verifyPagesDomain(context, before)
      if (problem !== undefined) throw invalid(problem)
      if (!row) throw notFound('PagesDomain')
      return presentPagesDomain(row, timestamp(context.clock))
    },
  }),

  endpoint({
    route: `DELETE ${one}`,
    summary: 'Delete a Pages domain of a project',
    allow: mayAdminProject,
    input: Type.Object(domainInput),
    status: 204,
    async run(context) {
      const domain = await getDomain(context)
      await deletePagesDomain(context.db, domain.id)
      await recordDomainEvent(context, 'pages_domain_removed', domain)
    },
  }),
]
