// What a diff asks the server for.

/** What a list of changed files is asked for. */
export type DiffQuery = {
  text?: boolean
  whitespace?: 'show' | 'ignore'
  expanded?: boolean
  page?: number
  per_page?: number
}

const listed_files = 100
export const text_files_per_page = 20

/** What a diff asks for first: the first files with their texts. For `calls` of its page. */
export const firstDiffTextsQuery = (url: URL): DiffQuery => ({
  text: true,
  per_page: text_files_per_page,
  page: 1,
  ...whitespaceQuery(url),
})

/** The files of a longer diff, without their texts. */
export const diffFileListQuery = (url: URL): DiffQuery => ({
  text: false,
  per_page: listed_files,
  page: 1,
  ...whitespaceQuery(url),
})

/** Whether changes of white space alone are left out. */
export const whitespaceQuery = (url: URL): DiffQuery =>
  url.searchParams.get('w') === '1' ? { whitespace: 'ignore' } : {}
