import { Type } from 'typebox'
import { anyone } from '../../../access/rule.ts'
import { endpoint } from '../../../http/endpoint.ts'
import {
  namedObject,
  nonBlankText,
  oneOf,
  optionalBoolean,
  optionalText,
} from '../../../http/schema.ts'
import { notFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import { findVisibleProject, mayReadProject, projectLoader } from '../../../subjects/project.ts'
import { findReferenceLinks, renderMarkdownWithLinks } from './render-html.ts'

const ReferenceJson = namedObject('Reference', {
  name: Type.String(),
  kind: oneOf(['issue', 'merge_request', 'project_member', 'label', 'milestone', 'commit']),
  url: Type.String(),
  title: Type.String(),
  text: Type.String(),
})

export const markdownEndpoints = [
  endpoint({
    tag: 'Markdown',
    route: 'POST /markdown',
    summary: 'Render Markdown',
    signIn: 'never',
    transaction: 'none',
    allow: anyone,
    input: Type.Object({ text: Type.String(), gfm: optionalBoolean, project: optionalText }),
    status: 201,
    answer: Type.Object({ html: Type.String() }),
    async run(context) {
      const { db, actor, input } = context
      if (input.project === undefined)
        return { html: await renderMarkdownWithLinks(context, { text: input.text }) }
      const found = await findVisibleProject(db, actor, { path: input.project })
      if (!found) throw notFound('Project')
      const project = input.gfm === true ? found.project : undefined
      return { html: await renderMarkdownWithLinks(context, { text: input.text, project }) }
    },
  }),

  endpoint({
    tag: 'Markdown',
    route: 'GET /projects/:id/references',
    summary: 'Get the targets of references in a text',
    on: projectLoader,
    allow: mayReadProject,
    input: Type.Object({
      names: Type.Array(nonBlankText(), { maxItems: limits.text_references_max }),
    }),
    answer: Type.Array(ReferenceJson),
    async run(context) {
      const { input, subject: project } = context
      const texts = [...new Set(input.names)]
      const links = await findReferenceLinks(context, { texts, project })
      return texts.flatMap((name) => {
        const link = ownValue(links, name)
        return link
          ? [{ name, kind: link.kind, url: link.href, title: link.title, text: link.text ?? name }]
          : []
      })
    },
  }),
]
