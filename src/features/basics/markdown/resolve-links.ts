// Resolves links in a file of a repository, which are relative to that file.

/** The location of a file: the URLs of file pages and raw files of its commit, and its folder. */
export type FileLinkBase = { pagesUrl: string; rawUrl: string; folder: string }

/** The prefix of ids in a text, so that they cannot collide with ids of the page around it. */
export const anchorPrefix = 'user-content-'

/** Adds the prefix of anchors to a link within the text; returns any other link unchanged. */
export function prefixAnchorOfLink(target: string): string {
  return /^#./.test(target) ? `#${anchorPrefix}${target.slice(1)}` : target
}

/** Returns the URL of the page for the file that a link names, relative to the folder, or with a leading `/` to the root. */
export function resolveLinkToFilePage(target: string, { pagesUrl, folder }: FileLinkBase): string {
  if (target.startsWith('#')) return prefixAnchorOfLink(target)
  return placed(target, { url: pagesUrl, folder })
}

/** Returns the URL of an image, sound or video. */
export function resolveLinkToRawFile(target: string, { rawUrl, folder }: FileLinkBase): string {
  return placed(target, { url: rawUrl, folder })
}

const root = 'http://repository'

function placed(text: string, { url, folder }: { url: string; folder: string }): string {
  // Org files write links to files as `file:other.org`.
  const target = text.replace(/^file:(?!\/)/i, '')
  if (target === '' || /^([a-z][a-z0-9+.-]*:|\/\/|\?)/i.test(target)) return target
  const escaped = folder.split('/').map(encodeURIComponent).join('/')
  // The path is resolved below an artificial root, so that `..` cannot leave the repository.
  const found = URL.parse(target, `${root}/${escaped}`)
  return found?.origin === root ? `${url}${found.pathname}${found.search}${found.hash}` : ''
}
