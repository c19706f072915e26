// Which notes a reader can see, for every list of notes or of what is derived from them; and whether a thread is
// unresolved.
import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import { type Actor, isAdmin, type Viewer } from '../access/actor.ts'
import { Level } from '../access/level.ts'
import {
  type BuilderWith,
  hasProjectLevelCondition,
  visibleProjectCondition,
} from '../access/visibility.ts'
import type { Db, Schema } from '../db/db.ts'
import { type IssuableKind, visibleIssuableCondition } from './issuable.ts'

/** The caller, and their level on the project. */
export type NoteReader = { actor: Actor; level: number }

/**
 * Whether the reader sees a note of an issue or merge request. Internal notes are for Reporters and above; a system note
 * about a mention is hidden from readers who cannot see where it was mentioned.
 */
export function visibleNotesCondition(db: Db, { actor, level }: NoteReader) {
  return <B>(_: B & BuilderWith<'notes', B>): Expression<SqlBool> => {
    const eb = expressionBuilder<Schema, 'notes'>()
    const conditions: Expression<SqlBool>[] = []
    if (!isAdmin(actor)) {
      const isOpen = eb('notes.confidential', '=', false)
      const isOwn = eb('notes.author_id', '=', actor.user?.id ?? 0)
      const isMention = eb('notes.mentioned_by_project_id', 'is not', null)
      const isTrusted = eb.exists(
        eb
          .selectFrom('projects')
          .select('projects.id')
          .whereRef('projects.id', '=', 'notes.mentioned_by_project_id')
          .where((inner) => hasProjectLevelCondition(inner, actor, Level.reporter)),
      )
      conditions.push(
        eb.or([
          isOpen,
          isOwn,
          // What an internal note mentions is told to those who read that note, wherever they read it.
          isTrusted,
          ...(level < Level.reporter ? [] : [eb.not(isMention)]),
        ]),
        eb.or([
          eb('notes.mentioned_by_project_id', 'is', null),
          eb(
            'notes.mentioned_by_project_id',
            'in',
            db.selectFrom('projects').select('projects.id').where(visibleProjectCondition(actor)),
          ),
        ]),
        seesThing(db, actor, 'notes.mentioned_by_id'),
        seesThing(db, actor, 'notes.about_id'),
      )
    }
    return conditions.length === 0 ? eb('notes.id', '>', 0) : eb.and(conditions)
  }
}

/**
 * Whether a note, joined to a row of `projects`, is not confidential, the viewer's own, or the viewer is a Reporter there.
 * Whether the viewer sees what the note mentions is not checked.
 */
export function noteOpenToViewerCondition<B>(
  _: B & BuilderWith<'projects', B>,
  viewer: Viewer,
  note: 'notes' | 'noted',
): Expression<SqlBool> {
  const eb = expressionBuilder<Schema, 'projects'>()
  return eb.or([
    sql<SqlBool>`${sql.ref(`${note}.confidential`)} = ${sql.lit(false)}`,
    sql<SqlBool>`${sql.ref(`${note}.author_id`)} = ${viewer.user?.id ?? 0}`,
    hasProjectLevelCondition(eb, viewer, Level.reporter),
  ])
}

/** Whether the issue or merge request has an unresolved thread. */
export async function hasUnresolvedThread(db: Db, issuable_id: number): Promise<boolean> {
  const row = await db
    .selectFrom('notes')
    .select('id')
    .where('issuable_id', '=', issuable_id)
    // In the words of the index `notes_open`.
    .where(sql<boolean>`resolvable and resolved_at is null`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether the issue or the merge request of that id is one the actor sees. */
function seesThing(
  db: Db,
  actor: Actor,
  column: 'notes.mentioned_by_id' | 'notes.about_id',
): Expression<SqlBool> {
  const { eb, exists, or } = expressionBuilder<Schema, 'notes'>()
  const seen = (kind: IssuableKind) =>
    exists(
      db
        .selectFrom('issuables')
        .innerJoin('projects', 'projects.id', 'issuables.project_id')
        .select('issuables.id')
        .where('issuables.kind', '=', kind)
        .where(visibleIssuableCondition(actor, kind))
        .where(sql<boolean>`issuables.id = ${sql.ref(column)}`),
    )
  return or([eb(column, 'is', null), seen('issue'), seen('merge_request')])
}
