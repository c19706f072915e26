import { Type } from 'typebox'
import { endpointsWith } from '../../../http/endpoint.ts'
import { aProject, readProject } from '../../../subjects/project.ts'
import { countLanguages } from './count-languages.ts'
import { listLanguages } from './language.store.ts'

const endpoint = endpointsWith({ tag: 'Projects', on: aProject })

export const languageEndpoints = [
  endpoint({
    route: 'GET /projects/:id/languages',
    summary: 'Get what a project is written in, in per cent',
    allow: readProject,
    answer: Type.Record(Type.String(), Type.Number()),
    async run(context) {
      const { db, subject: project } = context
      const languages = (await countLanguages(context, project))
        ? await listLanguages(db, project.id)
        : []
      const total = languages.reduce((sum, { bytes }) => sum + bytes, 0)
      return Object.fromEntries(
        languages.map(({ name, bytes }) => [name, Math.round((bytes * 10_000) / total) / 100]),
      )
    },
  }),
]
