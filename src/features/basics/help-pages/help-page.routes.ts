// The documentation on the server's own pages (docs/api/instance.md, "Help").
import { Type } from 'typebox'
import { anyone } from '../../../access/rule.ts'
import { endpointFactory } from '../../../http/endpoint.ts'
import { namedObject, nullable, oneOf, optionalText } from '../../../http/schema.ts'
import { badParameters, notFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { listHelpPages, renderHelpPage, searchHelpPages } from './help-page.ts'

const { search_characters_max } = limits.help

const endpoint = endpointFactory({ tag: 'Help', signIn: 'never' })

const HelpPageJson = namedObject('HelpPage', {
  path: Type.String({ description: 'Of the file in the source of the server.' }),
  title: Type.String(),
  section: oneOf(['start', 'operating', 'api']),
  excerpt: nullable(Type.String({ description: 'A line with words of the search.' })),
})

const RenderedHelpPageJson = namedObject('RenderedHelpPage', {
  path: Type.String(),
  title: Type.String(),
  html: Type.String(),
})

export const helpPageEndpoints = [
  endpoint({
    route: 'GET /help/pages',
    summary: 'List and search the documentation',
    allow: anyone,
    input: Type.Object({ search: optionalText }),
    answer: Type.Array(HelpPageJson),
    async run({ input: { search = '' } }) {
      if (search.length > search_characters_max) {
        throw badParameters([`search is too long (maximum is ${search_characters_max} characters)`])
      }
      return search.trim() === '' ? listHelpPages() : searchHelpPages(search)
    },
  }),

  endpoint({
    route: 'GET /help/page',
    summary: 'Get a page of the documentation as HTML',
    allow: anyone,
    input: Type.Object({ path: Type.String() }),
    answer: RenderedHelpPageJson,
    async run({ input }) {
      const page = await renderHelpPage(input.path)
      if (!page) throw notFound('Page')
      return page
    },
  }),
]
