/**
 * What the server says of a field that it refuses. The API speaks English, by texts that clients know: other languages
 * translate them here. A text without a translation stays as it is.
 */
export const translateProblem = (problem: string): string => problem

/** The same of a refusal that names no field. */
export const translateSentence = (sentence: string): string => sentence
