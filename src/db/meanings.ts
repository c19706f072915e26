/**
 * The meaning of a table or, as `table.column`, of a column, and the TypeScript type of its values if that is narrower
 * than the type in the database. Each migration declares them for what it creates; the types of the schema are generated
 * from them.
 */
export type SchemaMeanings = Readonly<
  Record<string, { readonly note?: string; readonly type?: string }>
>
