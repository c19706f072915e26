import type { Db } from '../../src/db/db.ts'

/** Runs something while every statement that names the table fails. */
export async function withoutTable(
  { schema }: Db,
  table: string,
  run: () => Promise<unknown>,
): Promise<void> {
  await schema.alterTable(table).renameTo('elsewhere').execute()
  try {
    await run()
  } finally {
    await schema.alterTable('elsewhere').renameTo(table).execute()
  }
}
