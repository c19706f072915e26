// Finds the page outside of the API that a request asks for: addresses that people and package managers build
// themselves.

import { parseWebAddress, splitUrlPath } from '../../features/repository/addresses/web-address.ts'
import { queryStringOf } from '../../http/raw-parameters.ts'

/** A page about the code of a project; `rest` is the remaining path. */
export type CodePage = {
  kind: 'raw' | 'archive' | 'commit' | 'merge_requests'
  project: string
  rest: string[]
}

export type WebPage =
  | { kind: 'keys' | 'gpg'; username: string }
  | CodePage
  | { kind: 'go-get'; path: string[] }
  | { kind: 'badge'; project: string; ref: string; picture: 'pipeline' | 'coverage' }
  | { kind: 'upload'; project: string; secret: string; file_name: string }
  | { kind: 'wiki-file'; owner: string; isGroup: boolean; secret: string; file_name: string }
  /** `hasPage` where a browser is shown a page of the application instead of the record. */
  | { kind: 'releases'; project: string; rest: string[]; hasPage: boolean }

/** Returns the page at a URL; undefined if there is none. */
export function findWebPage(url: string): WebPage | undefined {
  const [path = ''] = url.split('?', 1)
  const segments = splitUrlPath(path)
  const [first = ''] = segments ?? []
  if (!segments || first === '' || first === 'api') return undefined
  const upload = findUpload(segments)
  if (upload || first === '-') return upload
  if (segments.length >= 2 && new URLSearchParams(queryStringOf(url)).get('go-get') === '1') {
    return { kind: 'go-get', path: segments }
  }
  if (segments.length === 1) {
    const [, username = '', kind] = /^(.+)\.(keys|gpg)$/.exec(first) ?? []
    return kind === 'keys' || kind === 'gpg' ? { kind, username } : undefined
  }
  const badge = findBadge(segments)
  if (badge) return badge
  const { owner, isGroup, inside: [kind, ...rest] = [] } = parseWebAddress(segments)
  if (kind === 'wikis' && rest.length === 3) {
    const [word, secret = '', file_name = ''] = rest
    const isFile = word === 'uploads' && /^[0-9a-f]{32}$/.test(secret)
    if (isFile) return { kind: 'wiki-file', owner: owner.join('/'), isGroup, secret, file_name }
  }
  if (isGroup || owner.length < 2) return undefined
  const project = owner.join('/')
  if (kind === 'releases' || kind === 'releases.json') {
    const isRecord = rest[0] !== 'permalink' && !rest.includes('downloads')
    return { kind: 'releases', project, rest, hasPage: kind === 'releases' && isRecord }
  }
  if (kind === 'raw' || kind === 'archive') return { kind, project, rest }
  return isPatchPage(kind, rest) ? { kind, project, rest } : undefined
}

/** `commit/<hash>.diff` and `merge_requests/<number>.diff`, or `.patch`. */
function isPatchPage(
  kind: string | undefined,
  rest: readonly string[],
): kind is 'commit' | 'merge_requests' {
  const [name = ''] = rest
  if (rest.length !== 1) return false
  if (kind === 'commit') return /^[0-9a-f]{7,64}\.(diff|patch)$/.test(name)
  return kind === 'merge_requests' && /^\d{1,9}\.(diff|patch)$/.test(name)
}

/** `<project>/badges/<ref>/pipeline.svg`, also with `-` before it; a reference may have slashes. */
function findBadge(segments: readonly string[]): WebPage | undefined {
  const [, picture] = /^(pipeline|coverage)\.svg$/.exec(segments.at(-1) ?? '') ?? []
  const at = segments.indexOf('badges', 2)
  if ((picture !== 'pipeline' && picture !== 'coverage') || at < 0) return undefined
  const ref = segments.slice(at + 1, -1).join('/')
  const end = segments[at - 1] === '-' ? at - 1 : at
  return ref === '' || end < 2
    ? undefined
    : { kind: 'badge', project: segments.slice(0, end).join('/'), ref, picture }
}

/** `<project>/uploads/<secret>/<name>`, or `-/project/<id>` in the place of the path. */
function findUpload(segments: readonly string[]): WebPage | undefined {
  const [word, secret = '', file_name = ''] = segments.slice(-3)
  if (word !== 'uploads' || !/^[0-9a-f]{32}$/.test(secret)) return undefined
  const owner = segments.slice(0, -3)
  const isById = owner.length === 3 && owner[0] === '-' && owner[1] === 'project'
  const project = isById ? (owner[2] ?? '') : owner.join('/')
  if (isById ? !/^\d{1,15}$/.test(project) : owner.length < 2 || owner.includes('-'))
    return undefined
  return { kind: 'upload', project, secret, file_name }
}
