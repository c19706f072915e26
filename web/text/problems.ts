/**
 * Translates a refusal of the server, about a field or a whole request. The API uses English texts that clients know;
 * other languages translate them here. A text without a translation is returned unchanged.
 */
export const translateProblem = (problem: string): string => problem

/** Returns the name of a field that has no label on the page. */
export const translateFieldName = (name: string): string => name.replaceAll('_', ' ')
