/** The file extensions of prose, with their formats. If two pages of a wiki have the same name, the first extension wins. */
const formats = {
  md: 'markdown',
  mkd: 'markdown',
  mkdn: 'markdown',
  mdown: 'markdown',
  markdown: 'markdown',
  rdoc: 'rdoc',
  adoc: 'asciidoc',
  asciidoc: 'asciidoc',
  org: 'org',
  textile: 'textile',
  creole: 'creole',
  rst: 'rest',
  rest: 'rest',
  wiki: 'mediawiki',
  mediawiki: 'mediawiki',
  pod: 'pod',
  txt: 'plaintext',
} as const
export type MarkupFormat = (typeof formats)[keyof typeof formats]

const byEnding: ReadonlyMap<string, MarkupFormat> = new Map(Object.entries(formats))

/** The format a file has by its ending; undefined for one that holds no prose, and for a name that is an ending alone. */
export function markupFormatOfPath(path: string): MarkupFormat | undefined {
  const dot = path.lastIndexOf('.')
  if (dot <= path.lastIndexOf('/') + 1) return undefined
  return byEnding.get(path.slice(dot + 1).toLowerCase())
}
