/**
 * What a table or, as `table.column`, a column means, and the TypeScript type of what it holds where that
 * is narrower than the database's; said by the migration that makes it, for the types made from them.
 */
export type SchemaMeanings = Readonly<
  Record<string, { readonly note?: string; readonly type?: string }>
>
