import { Type } from 'typebox'
import type { Config } from '../../../config.ts'
import { type Context, endpointsWith } from '../../../http/endpoint.ts'
import { atLeastOneOf } from '../../../http/parameters.ts'
import { nullableText, optionalBoolean, record } from '../../../http/schema.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { adminProject, aProject, type Project } from '../../../subjects/project.ts'
import { siteUrl } from '../../../subjects/site-url.ts'
import { recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import { releaseOwnBlob } from '../../delivery/pipelines/own-blob.ts'
import { haveCertificates } from '../pages-domains/pages-domain.ts'
import { deleteSite, findStoredSite, setHttpsOnly } from './pages.store.ts'

const endpoint = endpointsWith<Project>({ tag: 'Pages', on: aProject, signIn: 'always' })

const PagesJson = record('PagesSite', {
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

type StoredSite = NonNullable<Awaited<ReturnType<typeof findStoredSite>>>

async function getSite({ db, subject }: Context<Project, unknown>): Promise<StoredSite> {
  const site = await findStoredSite(db, subject.id)
  if (!site) throw notFound()
  return site
}

function presentSite(config: Config, project: Project, site: StoredSite) {
  const url = siteUrl(config.pages, project.full_path)
  return {
    url,
    is_unique_domain_enabled: false,
    force_https: site.pages_https_only,
    deployments: [{ created_at: site.created_at, url, path_prefix: '', root_directory: site.root }],
    primary_domain: null,
  }
}

export const pagesEndpoints = [
  endpoint({
    route: 'GET /projects/:id/pages',
    summary: 'Get the site of a project',
    allow: adminProject,
    answer: PagesJson,
    async run(context) {
      return presentSite(context.config, context.subject, await getSite(context))
    },
  }),

  endpoint({
    route: 'PATCH /projects/:id/pages',
    summary: 'Change how the site of a project is served',
    allow: adminProject,
    input: Type.Object({
      pages_unique_domain_enabled: optionalBoolean,
      pages_https_only: optionalBoolean,
    }),
    rules: [atLeastOneOf('pages_unique_domain_enabled', 'pages_https_only')],
    answer: PagesJson,
    async run(context) {
      const { db, subject: project, input } = context
      await getSite(context)
      if (input.pages_unique_domain_enabled) {
        throw invalid({ pages_unique_domain_enabled: ['is not supported'] })
      }
      const { pages_https_only: isOn } = input
      if (isOn && !(await haveCertificates(db, project.id))) {
        throw invalid({
          pages_https_only: ['cannot be enabled unless all domains have TLS certificates'],
        })
      }
      if (isOn !== undefined) {
        await setHttpsOnly(db, { project_id: project.id, isOn })
        const details = { pages_https_only: isOn }
        const entity = { kind: 'project', id: project.id } as const
        await recordAuditEvent(context, { action: 'site_changed', entity, details })
      }
      return presentSite(context.config, project, await getSite(context))
    },
  }),

  endpoint({
    route: 'DELETE /projects/:id/pages',
    summary: 'Take the site of a project down',
    allow: adminProject,
    status: 204,
    async run(context) {
      const { db, clock, subject: project } = context
      const blob = await deleteSite(db, project.id)
      if (!blob) throw notFound()
      await releaseOwnBlob(db, clock, { kind: 'pages', name: blob })
      const entity = { kind: 'project', id: project.id } as const
      await recordAuditEvent(context, { action: 'site_removed', entity })
    },
  }),
]
