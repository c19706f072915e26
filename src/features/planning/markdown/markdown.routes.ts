import { Type } from 'typebox'
import { anyone } from '../../../access/rule.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { optionalBoolean, optionalText } from '../../../http/schema.ts'
import { notFound } from '../../../kernel/errors.ts'
import { findVisibleProject } from '../../../subjects/project.ts'
import { showHtml } from './show-html.ts'

export const markdownEndpoints = [
  endpoint({
    tag: 'Markdown',
    route: 'POST /markdown',
    summary: 'Render a text in Markdown',
    signIn: 'never',
    transaction: 'none',
    allow: anyone,
    input: Type.Object({ text: Type.String(), gfm: optionalBoolean, project: optionalText }),
    status: 201,
    answer: Type.Object({ html: Type.String() }),
    async run(context) {
      const { db, actor, input } = context
      if (input.project === undefined)
        return { html: await showHtml(context, { text: input.text }) }
      const found = await findVisibleProject(db, actor, { path: input.project })
      if (!found) throw notFound('Project')
      const project = input.gfm === true ? found.project : undefined
      return { html: await showHtml(context, { text: input.text, project }) }
    },
  }),
]
