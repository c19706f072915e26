// What every test application starts from, made once a run: migrating 29 times and hashing the password of
// root would be most of an application's start.
import { openDatabase } from '../../src/db/open.ts'
// What else happens when root is made is said there.
import '../../src/features/families.ts'
import { bootstrapRoot } from '../../src/features/people/users/bootstrap-root.ts'

export const rootToken = 'glpat-the-token-of-the-root-user'

/** When the clock of every test begins. */
export const begin_ms = Date.parse('2026-03-01T12:00:00.000Z')

const rootPassword = 'the password of root'

/** Brings the database at `url` to what it is after a first start, and closes it. */
export async function fillDatabase(url: string): Promise<void> {
  const db = await openDatabase({ url })
  await bootstrapRoot(db, () => new Date(begin_ms), { rootPassword, rootToken })
  await db.destroy()
}
