import { Type } from 'typebox'
import { anyone } from '../../../access/rule.ts'
import { endpointFactory } from '../../../http/endpoint.ts'
import { slicePage } from '../../../http/pagination.ts'
import { optionalBoolean, optionalText, pageInput } from '../../../http/schema.ts'
import { notFound } from '../../../kernel/errors.ts'
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

const endpoint = endpointFactory({ tag: 'Templates', signIn: 'for-writes' })

function endpointsOf(kind: string, { noun, source }: { noun: string; source: TemplateSource }) {
  return [
    endpoint({
      route: `GET /templates/${kind}` as `GET /${string}`,
      summary: `List the templates: ${noun}`,
      allow: anyone,
      input: Type.Object(pageInput),
      answer: Type.Array(ListedTemplateJson),
      run: async ({ range }) =>
        slicePage(
          source.names.map((name) => ({ key: name, name })),
          range,
        ),
    }),
    endpoint({
      route: `GET /templates/${kind}/:name` as `GET /${string}`,
      summary: `Get a template: ${noun}`,
      allow: anyone,
      input: Type.Object({ name: Type.String() }),
      answer: TemplateJson,
      async run({ input }) {
        const content = await source.read(input.name)
        if (content === undefined) throw notFound(noun)
        return { name: input.name, content }
      },
    }),
  ]
}

export const templateEndpoints = [
  ...endpointsOf('dockerfiles', { noun: 'Dockerfile', source: dockerfileTemplateSource }),
  ...endpointsOf('gitignores', { noun: 'Gitignore', source: gitignoreTemplateSource }),
  ...endpointsOf('gitlab_ci_ymls', { noun: 'Gitlab ci yml', source: ciTemplateSource }),

  endpoint({
    route: 'GET /templates/licenses',
    summary: 'List license templates',
    allow: anyone,
    input: Type.Object({ popular: optionalBoolean, ...pageInput }),
    answer: Type.Array(LicenseTemplateJson),
    async run({ input, range }) {
      const licenses = await readLicenseTemplates()
      const asked = input.popular ? licenses.filter(({ popular }) => popular) : licenses
      return slicePage(asked.map(presentLicenseTemplate), range)
    },
  }),

  endpoint({
    route: 'GET /templates/licenses/:name',
    summary: 'Get a license template',
    allow: anyone,
    input: Type.Object({ name: Type.String(), project: optionalText, fullname: optionalText }),
    answer: LicenseTemplateJson,
    async run({ input, clock, actor }) {
      const found = (await readLicenseTemplates()).find(
        ({ key }) => key === input.name.toLowerCase(),
      )
      if (!found) throw notFound('License')
      const holder = { project: input.project, fullname: input.fullname ?? actor.user?.name }
      return presentLicenseTemplate({
        ...found,
        content: fillLicensePlaceholders(found.content, holder, clock),
      })
    },
  }),
]
