import { Type } from 'typebox'
import { endpointFactory } from '../../../http/endpoint.ts'
import { mayReadProject, projectLoader } from '../../../subjects/project.ts'
import { ensureLanguageCounts } from './ensure-language-counts.ts'
import { listLanguages } from './language.store.ts'

const endpoint = endpointFactory({ tag: 'Projects', on: projectLoader })

export const languageEndpoints = [
  endpoint({
    route: 'GET /projects/:id/languages',
    summary: 'Get the languages of a project',
    allow: mayReadProject,
    answer: Type.Record(Type.String(), Type.Number()),
    async run(context) {
      const { db, subject: project } = context
      const languages = (await ensureLanguageCounts(context, project))
        ? await listLanguages(db, project.id)
        : []
      const total = languages.reduce((sum, { bytes }) => sum + bytes, 0)
      return Object.fromEntries(
        languages.map(({ name, bytes }) => [name, Math.round((bytes * 10_000) / total) / 100]),
      )
    },
  }),
]
