import { Type } from 'typebox'
import { administrators } from '../../../access/rule.ts'
import type { Config } from '../../../config.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { atLeastOneOf } from '../../../http/parameters.ts'
import { namedObject, nullableText, optionalBoolean, pageInput } from '../../../http/schema.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { mayAdminProject, type Project, projectLoader } from '../../../subjects/project.ts'
import { ProjectIdentityJson, presentProjectIdentity } from '../../../subjects/project-identity.ts'
import { siteUrl } from '../../../subjects/site-url.ts'
import { recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import { enqueueOwnBlobRemoval } from '../../basics/own-blobs/own-blob.ts'
import {
  findPagesDomainNamesByProject,
  haveAllPagesDomainsCertificates,
} from '../pages-domains/pages-domain.ts'
import {
  deletePagesSite,
  findPagesSiteSettings,
  listPagesSites,
  setPagesHttpsOnly,
} from './pages.store.ts'

const endpoint = endpointFactory<Project>({ tag: 'Pages', on: projectLoader, signIn: 'always' })

const PagesJson = namedObject('PagesSite', {
  url: nullableText,
  is_unique_domain_enabled: Type.Boolean(),
  force_https: Type.Boolean(),
  deployments: Type.Array(
    Type.Object({
      created_at: Type.String(),
      url: nullableText,
      path_prefix: Type.String(),
      root_directory: Type.String(),
    }),
  ),
  primary_domain: Type.Null(),
})

const ListedSiteJson = namedObject('ListedPagesSite', {
  project: ProjectIdentityJson,
  url: nullableText,
  access_level: Type.String(),
  force_https: Type.Boolean(),
  domains: Type.Array(Type.Object({ domain: Type.String(), verified: Type.Boolean() })),
  size: Type.Integer(),
  files: Type.Integer(),
  deployed_at: Type.String(),
})

type Settings = NonNullable<Awaited<ReturnType<typeof findPagesSiteSettings>>>

/** Throws 404 if Pages are disabled for the project and it has no site. */
async function getSettings({ db, subject }: Context<Project, unknown>): Promise<Settings> {
  const settings = await findPagesSiteSettings(db, subject.id)
  if (!settings || (settings.site === undefined && settings.isDisabled)) throw notFound()
  return settings
}

function presentSettings(config: Config, project: Project, { site, isHttpsOnly }: Settings) {
  const url = siteUrl(config.pages, project.full_path)
  const deployment = site && {
    created_at: site.created_at,
    url,
    path_prefix: '',
    root_directory: site.root,
  }
  return {
    url,
    is_unique_domain_enabled: false,
    force_https: isHttpsOnly,
    deployments: deployment ? [deployment] : [],
    primary_domain: null,
  }
}

export const pagesEndpoints = [
  endpointFactory({ tag: 'Pages' })({
    route: 'GET /pages/sites',
    summary: 'List all Pages sites, most recently published first',
    allow: administrators,
    input: Type.Object(pageInput),
    answer: Type.Array(ListedSiteJson),
    async run({ db, config, range }) {
      const { rows, total } = await listPagesSites(db, range)
      const domains = await findPagesDomainNamesByProject(
        db,
        rows.map(({ id }) => id),
      )
      const items = rows.map((row) => ({
        project: presentProjectIdentity(row, row),
        url: siteUrl(config.pages, `${row.full_path}/${row.path}`),
        access_level: row.pages_access_level,
        force_https: row.pages_https_only,
        domains: (domains.get(row.id) ?? []).map(({ domain, verified }) => ({ domain, verified })),
        size: row.size,
        files: row.files,
        deployed_at: row.deployed_at,
      }))
      return new Page({ items, total })
    },
  }),

  endpoint({
    route: 'GET /projects/:id/pages',
    summary: 'Get the Pages settings and deployments of a project',
    allow: mayAdminProject,
    answer: PagesJson,
    async run(context) {
      return presentSettings(context.config, context.subject, await getSettings(context))
    },
  }),

  endpoint({
    route: 'PATCH /projects/:id/pages',
    summary: 'Update the Pages settings of a project',
    allow: mayAdminProject,
    input: Type.Object({
      pages_unique_domain_enabled: optionalBoolean,
      pages_https_only: optionalBoolean,
    }),
    rules: [atLeastOneOf('pages_unique_domain_enabled', 'pages_https_only')],
    answer: PagesJson,
    async run(context) {
      const { db, subject: project, input } = context
      await getSettings(context)
      if (input.pages_unique_domain_enabled) {
        throw invalid({ pages_unique_domain_enabled: ['is not supported'] })
      }
      const { pages_https_only: isOn } = input
      if (isOn && !(await haveAllPagesDomainsCertificates(db, project.id))) {
        throw invalid({
          pages_https_only: ['cannot be enabled unless all domains have TLS certificates'],
        })
      }
      if (isOn !== undefined) {
        await setPagesHttpsOnly(db, { project_id: project.id, isOn })
        const details = { pages_https_only: isOn }
        const entity = { kind: 'project', id: project.id } as const
        await recordAuditEvent(context, { action: 'site_changed', entity, details })
      }
      return presentSettings(context.config, project, await getSettings(context))
    },
  }),

  endpoint({
    route: 'DELETE /projects/:id/pages',
    summary: 'Unpublish the Pages site of a project',
    allow: mayAdminProject,
    status: 204,
    async run(context) {
      const { db, clock, subject: project } = context
      const blob = await deletePagesSite(db, project.id)
      if (!blob) throw notFound()
      await enqueueOwnBlobRemoval(db, clock, { kind: 'pages', name: blob })
      const entity = { kind: 'project', id: project.id } as const
      await recordAuditEvent(context, { action: 'site_removed', entity })
    },
  }),
]
