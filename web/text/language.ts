/** The language of the texts, as a tag such as `en`. */
export const language = 'en' as string
