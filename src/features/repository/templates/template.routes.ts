import { type Static, Type } from 'typebox'
import { anyone } from '../../../access/rule.ts'
import { endpointsWith } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import {
  nullableText,
  optionalBoolean,
  optionalText,
  pageInput,
  record,
} from '../../../http/schema.ts'
import { today } from '../../../kernel/clock.ts'
import { notFound } from '../../../kernel/errors.ts'
import {
  ciSource,
  dockerfileSource,
  gitignoreSource,
  type License,
  readLicenses,
  type TemplateSource,
} from './read-templates.ts'

const endpoint = endpointsWith({ tag: 'Templates', signIn: 'for-writes' })

const ListedJson = record('ListedTemplate', { key: Type.String(), name: Type.String() })
const TemplateJson = record('Template', { name: Type.String(), content: Type.String() })
const texts = Type.Array(Type.String())
const LicenseJson = record('LicenseTemplate', {
  key: Type.String(),
  name: Type.String(),
  nickname: nullableText,
  popular: Type.Boolean(),
  html_url: Type.String(),
  source_url: Type.String(),
  description: nullableText,
  conditions: texts,
  permissions: texts,
  limitations: texts,
  content: Type.String(),
})

type Range = { offset: number; per_page: number }

function pageOf<Item>(items: readonly Item[], { offset, per_page }: Range): Page {
  return new Page({ items: items.slice(offset, offset + per_page), total: items.length })
}

function endpointsOf(kind: string, { noun, source }: { noun: string; source: TemplateSource }) {
  return [
    endpoint({
      route: `GET /templates/${kind}` as `GET /${string}`,
      summary: `List the templates: ${noun}`,
      allow: anyone,
      input: Type.Object(pageInput),
      answer: Type.Array(ListedJson),
      run: async ({ range }) =>
        pageOf(
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

function present(license: License): Static<typeof LicenseJson> {
  const html_url = `https://choosealicense.com/licenses/${license.key}/`
  return { ...license, html_url, source_url: html_url, description: null }
}

export const templateEndpoints = [
  ...endpointsOf('dockerfiles', { noun: 'Dockerfile', source: dockerfileSource }),
  ...endpointsOf('gitignores', { noun: 'Gitignore', source: gitignoreSource }),
  ...endpointsOf('gitlab_ci_ymls', { noun: 'Gitlab ci yml', source: ciSource }),

  endpoint({
    route: 'GET /templates/licenses',
    summary: 'List the licences',
    allow: anyone,
    input: Type.Object({ popular: optionalBoolean, ...pageInput }),
    answer: Type.Array(LicenseJson),
    async run({ input, range }) {
      const licenses = await readLicenses()
      const asked = input.popular ? licenses.filter(({ popular }) => popular) : licenses
      return pageOf(asked.map(present), range)
    },
  }),

  endpoint({
    route: 'GET /templates/licenses/:name',
    summary: 'Get a licence, with who holds it if that is said',
    allow: anyone,
    input: Type.Object({ name: Type.String(), project: optionalText, fullname: optionalText }),
    answer: LicenseJson,
    async run({ input, clock, actor }) {
      const found = (await readLicenses()).find(({ key }) => key === input.name.toLowerCase())
      if (!found) throw notFound('License')
      const holder = input.fullname ?? actor.user?.name
      const content = found.content
        .replaceAll('[year]', today(clock).slice(0, 4))
        .replaceAll('[fullname]', () => holder ?? '[fullname]')
        .replaceAll('[project]', () => input.project ?? '[project]')
      return present({ ...found, content })
    },
  }),
]
