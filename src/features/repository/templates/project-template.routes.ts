import { Type } from 'typebox'
import { endpointFactory } from '../../../http/endpoint.ts'
import { slicePage } from '../../../http/pagination.ts'
import { oneOf, optionalInteger, optionalText, pageInput } from '../../../http/schema.ts'
import { notFound } from '../../../kernel/errors.ts'
import { mayReadProject, projectLoader } from '../../../subjects/project.ts'
import {
  listStoredTemplates,
  readTemplate,
  type TemplateKind,
  templateKinds,
} from './project-templates.ts'
import {
  ciTemplateSource,
  dockerfileTemplateSource,
  gitignoreTemplateSource,
  readLicenseTemplates,
  type TemplateSource,
} from './read-templates.ts'
import {
  fillLicensePlaceholders,
  LicenseTemplateJson,
  ListedTemplateJson,
  presentLicenseTemplate,
  TemplateJson,
} from './template.present.ts'

const endpoint = endpointFactory({ tag: 'Templates', on: projectLoader })

const sources: Partial<Record<TemplateKind, TemplateSource>> = {
  dockerfiles: dockerfileTemplateSource,
  gitignores: gitignoreTemplateSource,
  gitlab_ci_ymls: ciTemplateSource,
}

const type = oneOf(templateKinds)

type Listed = { key: string; name: string }

/** Lists the built-in templates, which are available in all projects. */
async function listOfServer(kind: TemplateKind): Promise<Listed[]> {
  if (kind === 'licenses')
    return (await readLicenseTemplates()).map(({ key, name }) => ({ key, name }))
  return (sources[kind]?.names ?? []).map((name) => ({ key: name, name }))
}

const customLicense = {
  nickname: null,
  popular: false,
  html_url: null,
  source_url: null,
  description: null,
  conditions: [],
  permissions: [],
  limitations: [],
}

export const projectTemplateEndpoints = [
  endpoint({
    route: 'GET /projects/:id/templates/:type',
    summary: 'List the templates of a kind for a project',
    allow: mayReadProject,
    input: Type.Object({ type, ...pageInput }),
    answer: Type.Array(ListedTemplateJson),
    async run(context) {
      const { input, range } = context
      const stored = await listStoredTemplates(context, input.type)
      const all = [
        ...stored.map(({ name }) => ({ key: name, name })),
        ...(await listOfServer(input.type)),
      ]
      // A template of a group hides one of the server that has the same key.
      const byKey = new Map(all.toReversed().map((item) => [item.key, item]))
      const items = all.filter((item) => byKey.get(item.key) === item)
      return slicePage(items, range)
    },
  }),

  endpoint({
    route: 'GET /projects/:id/templates/:type/:name',
    summary: 'Get a template for a project',
    allow: mayReadProject,
    input: Type.Object({
      type,
      name: Type.String(),
      source_template_project_id: optionalInteger,
      project: optionalText,
      fullname: optionalText,
    }),
    answer: Type.Union([TemplateJson, LicenseTemplateJson]),
    async run(context) {
      const { input, clock, actor } = context
      const { name, source_template_project_id: wanted } = input
      const stored = await listStoredTemplates(context, input.type)
      const found = stored.find(
        (one) => one.name === name && (wanted === undefined || one.project_id === wanted),
      )
      const holder = { project: input.project, fullname: input.fullname ?? actor.user?.name }
      if (found) {
        const content = await readTemplate(context, found)
        if (content === undefined) throw notFound('Template')
        if (input.type !== 'licenses') return { name, content }
        return {
          key: name,
          name,
          ...customLicense,
          content: fillLicensePlaceholders(content, holder, clock),
        }
      }
      if (wanted !== undefined) throw notFound('Template')
      if (input.type === 'licenses') {
        const license = (await readLicenseTemplates()).find(({ key }) => key === name.toLowerCase())
        if (!license) throw notFound('Template')
        return presentLicenseTemplate({
          ...license,
          content: fillLicensePlaceholders(license.content, holder, clock),
        })
      }
      const content = await sources[input.type]?.read(name)
      if (content === undefined) throw notFound('Template')
      return { name, content }
    },
  }),
]
