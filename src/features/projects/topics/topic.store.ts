import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { isAdmin, type Viewer } from '../../../access/actor.ts'
import { visibleProjectCondition } from '../../../access/visibility.ts'
import type { Db, TopicTable } from '../../../db/db.ts'
import { containsTextCondition, lowerCaseExpression } from '../../../db/dialect.ts'
import { countRows } from '../../../db/paginate.ts'

export type Topic = Selectable<TopicTable>

/** Selects the topics that the caller can see. Topics that only hidden projects have are excluded. */
function visibleTopics(db: Db, viewer: Viewer) {
  const query = db.selectFrom('topics')
  if (isAdmin(viewer)) return query
  return query.where((eb) =>
    eb.or([
      eb('topics.projects_count', '=', 0),
      eb.exists(
        eb
          .selectFrom('project_topics')
          .innerJoin('projects', 'projects.id', 'project_topics.project_id')
          .select('projects.id')
          .where(
            lowerCaseExpression('project_topics.name'),
            '=',
            lowerCaseExpression('topics.name'),
          )
          .where(visibleProjectCondition(viewer)),
      ),
    ]),
  )
}

/** Returns one page of topics, those with the most projects first, then by name. */
export async function listTopics(
  db: Db,
  viewer: Viewer,
  { search, isWithoutProjects }: { search: string | undefined; isWithoutProjects: boolean },
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: Topic[]; total: number | undefined }> {
  const matching = visibleTopics(db, viewer)
    .$if(search !== undefined && search !== '', (query) =>
      query.where(containsTextCondition(db, 'topics.name', search ?? '')),
    )
    .$if(isWithoutProjects, (query) => query.where('topics.projects_count', '=', 0))
  const rows = await matching
    .selectAll('topics')
    .orderBy('topics.projects_count', 'desc')
    .orderBy('topics.name')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, matching.select('topics.id')) }
}

export function findTopic(db: Db, viewer: Viewer, id: number): Promise<Topic | undefined> {
  return visibleTopics(db, viewer)
    .selectAll('topics')
    .where('topics.id', '=', id)
    .executeTakeFirst()
}

/** Inserts a topic; returns undefined if there is one with that name. */
export function insertTopic(tx: Db, topic: Insertable<TopicTable>): Promise<Topic | undefined> {
  return tx
    .insertInto('topics')
    .values(topic)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Updates a topic. Violates a unique index if another one has the name. */
export async function updateTopic(
  tx: Db,
  id: number,
  changes: Updateable<TopicTable>,
): Promise<void> {
  await tx.updateTable('topics').set(changes).where('id', '=', id).execute()
}

export async function deleteTopic(tx: Db, { id, name }: Topic): Promise<void> {
  await tx
    .deleteFrom('project_topics')
    .where(lowerCaseExpression('name'), '=', sql<string>`lower(${name})`)
    .execute()
  await tx.deleteFrom('topics').where('id', '=', id).execute()
}

/** Renames a topic in all projects. Projects that already have the new name keep it once. */
export async function renameTopicInProjects(
  tx: Db,
  { from, to }: { from: string; to: string },
): Promise<void> {
  if (from.toLowerCase() === to.toLowerCase()) return
  const old = sql<string>`lower(${from})`
  await tx
    .insertInto('project_topics')
    .columns(['project_id', 'name'])
    .expression((eb) =>
      eb
        .selectFrom('project_topics as tagged')
        .select(['tagged.project_id', sql<string>`cast(${to} as text)`.as('name')])
        .distinct()
        .where(sql<boolean>`lower(tagged.name) = ${old}`)
        .where(
          sql<boolean>`not exists (select 1 from project_topics as other
            where other.project_id = tagged.project_id and lower(other.name) = lower(${to}))`,
        ),
    )
    .execute()
  await tx.deleteFrom('project_topics').where(lowerCaseExpression('name'), '=', old).execute()
  await tx
    .updateTable('topics')
    .set({
      projects_count: sql<number>`(select count(*) from project_topics
        where lower(project_topics.name) = lower(topics.name))`,
    })
    .where(lowerCaseExpression('name'), '=', sql<string>`lower(${to})`)
    .execute()
}
