/**
 * What the server says of a field that it refuses, or of all that was asked. The API speaks English, by texts that clients know:
 * other languages translate them here. A text without a translation stays as it is.
 */
export const translateProblem = (problem: string): string => problem

/** How a field is called that has no label on the page. */
export const translateFieldName = (name: string): string => name.replaceAll('_', ' ')
