// Public functions of labels: which labels a project has, and how issues find and show them.
import type { Selectable } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Db, LabelTable } from '../../../db/db.ts'
import { namedObject, nullableText } from '../../../http/schema.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { escapeHtml } from '../../../kernel/html.ts'
import type { Project } from '../../../subjects/project.ts'
import { isLabelTitle } from './label-problems.ts'

export type Label = Selectable<LabelTable>

/** The colour of labels that are created by naming them. */
const automatic_color = '#6699cc'

/** Selects the labels of the project and of the groups above it. */
export function labelsOfProjectAndAncestorsQuery(
  db: Db,
  project: Pick<Project, 'id' | 'namespace_id'>,
) {
  return db
    .selectFrom('labels')
    .where((eb) =>
      eb.or([
        eb('labels.project_id', '=', project.id),
        eb(
          'labels.namespace_id',
          'in',
          eb
            .selectFrom('namespace_ancestors')
            .select('ancestor_id')
            .where('namespace_ancestors.namespace_id', '=', project.namespace_id),
        ),
      ]),
    )
}

/** Returns the labels with these names that can be used in the project; its own come before those of its groups. */
export async function findLabelsByTitle(
  db: Db,
  project: Pick<Project, 'id' | 'namespace_id'>,
  titles: readonly string[],
): Promise<Label[]> {
  if (titles.length === 0) return []
  const rows = await labelsOfProjectAndAncestorsQuery(db, project)
    .selectAll()
    .where('title', 'in', [...titles])
    .orderBy('id')
    .execute()
  const byTitle = new Map<string, Label>()
  for (const row of rows) {
    if (!byTitle.has(row.title) || row.project_id !== null) byTitle.set(row.title, row)
  }
  return [...byTitle.values()]
}

/** As `findLabelsByTitle`, and creates missing labels if the caller may manage labels; for other callers they are omitted. */
export async function findOrCreateLabels(
  tx: Db,
  clock: Clock,
  {
    project,
    titles,
    mayCreate,
  }: {
    project: Pick<Project, 'id' | 'namespace_id'>
    titles: readonly string[]
    mayCreate: boolean
  },
): Promise<Label[]> {
  const wanted = [...new Set(titles.map((title) => title.trim()).filter(isLabelTitle))]
  const found = await findLabelsByTitle(tx, project, wanted)
  const known = new Set(found.map(({ title }) => title))
  const missing = wanted.filter((title) => !known.has(title))
  if (!mayCreate || missing.length === 0) return found
  const now = timestamp(clock)
  await tx
    .insertInto('labels')
    .values(
      missing.map((title) => ({
        project_id: project.id,
        title,
        color: automatic_color,
        created_at: now,
        updated_at: now,
      })),
    )
    .onConflict((conflict) => conflict.columns(['project_id', 'title']).doNothing())
    .execute()
  return findLabelsByTitle(tx, project, wanted)
}

export const BasicLabelJson = namedObject('BasicLabel', {
  id: Type.Integer(),
  name: Type.String(),
  color: Type.String(),
  description: nullableText,
  description_html: nullableText,
  text_color: Type.String(),
})

/** Returns a label as shown inside of other records. */
export function presentBasicLabel(label: Label): Static<typeof BasicLabelJson> {
  return {
    id: label.id,
    name: label.title,
    color: label.color,
    description: label.description,
    description_html: label.description === null ? null : escapeHtml(label.description),
    text_color: textColorOf(label.color),
  }
}

/** A colour whose components add up to more than this counts as light. */
const light_sum_min = 500

/** Returns the text colour that is readable on the colour `#rrggbb`. */
function textColorOf(color: string): string {
  const part = (at: number) => Number.parseInt(color.slice(at, at + 2), 16)
  return part(1) + part(3) + part(5) > light_sum_min ? '#333333' : '#FFFFFF'
}
