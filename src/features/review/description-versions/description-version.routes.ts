// Operations of this server for the history of a description, used below its system note.
import { Type } from 'typebox'
import {
  type Context,
  type Endpoint,
  endpoint,
  type SubjectLoader,
} from '../../../http/endpoint.ts'
import { namedObject, nullableText } from '../../../http/schema.ts'
import { recordNotFound } from '../../../kernel/errors.ts'
import {
  type IssuableSubject,
  mayReadIssuable,
  mayUpdateIssuable,
} from '../../../subjects/issuable.ts'
import {
  type DescriptionVersion,
  deleteDescriptionVersion,
  findDescriptionVersion,
} from '../../planning/description-versions/description-version.ts'
import { findNote } from '../notes/note.ts'

const DescriptionVersionJson = namedObject('DescriptionVersion', {
  id: Type.Integer(),
  created_at: Type.String(),
  description: nullableText,
  previous_description: nullableText,
})

/**
 * Returns the version of the description that the note is about. Throws 404 if the caller cannot see the note
 * or it has no stored version.
 */
async function getVersion({
  db,
  actor,
  level,
  subject,
  input,
}: Context<IssuableSubject, { note_id: number }>): Promise<DescriptionVersion> {
  const of = { issuable_id: subject.issuable.id, id: input.note_id }
  const note = await findNote(db, { reader: { actor, level }, ...of })
  const version = note && (await findDescriptionVersion(db, note.id))
  if (!version) throw recordNotFound()
  return version
}

export function descriptionVersionEndpointsOf({
  noun,
  on,
  base,
}: {
  noun: string
  on: SubjectLoader<IssuableSubject>
  base: string
}): readonly Endpoint[] {
  const route = `${base}/notes/:note_id/description_version`
  const common = {
    tag: 'Notes',
    on,
    signIn: 'always' as const,
    input: Type.Object({ note_id: Type.Integer() }),
  }
  return [
    endpoint({
      ...common,
      route: `GET ${route}` as `GET /${string}`,
      summary: `Get a description version of ${noun}`,
      allow: mayReadIssuable,
      answer: DescriptionVersionJson,
      async run(context) {
        const { id, created_at, description, previous_description } = await getVersion(context)
        return { id, created_at, description, previous_description }
      },
    }),

    endpoint({
      ...common,
      route: `DELETE ${route}` as `DELETE /${string}`,
      summary: `Delete a description version of ${noun}`,
      allow: mayUpdateIssuable,
      status: 204,
      async run(context) {
        await deleteDescriptionVersion(context.db, (await getVersion(context)).id)
      },
    }),
  ]
}
