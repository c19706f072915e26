// Validation of user names, paths and names of projects and groups, with the messages that clients know.

import { limits } from './limits.ts'
import { trimEndOf, trimStartOf } from './trim.ts'

const characters_max = limits.name_characters
const tooLongMessage = `is too long (maximum is ${characters_max} characters)`
const pathMessage =
  "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-', end in '.git' or end in '.atom'."
const usernameMessage =
  "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or end in '.', '.git' or '.atom'."
const nameMessage =
  "can contain only letters, digits, emojis, '_', '.', '+', dashes, or spaces. It must start with a letter, digit, emoji, or '_'."
const groupNameMessage =
  "can contain only letters, digits, emojis, '_', '.', dash, space, parenthesis. It must start with letter, digit, emoji or '_'."

/** First path segments that are used for other pages than namespaces. */
const reservedTopLevel = new Set(
  `- .well-known 404.html 422.html 500.html 502.html 503.html admin api apple-touch-icon.png assets
  dashboard deploy.html explore favicon.ico favicon.png files groups health_check help import jwt
  login oauth profile projects public robots.txt s search sitemap sitemap.xml sitemap.xml.gz snippets
  unsubscribes uploads users v2`.split(/\s+/),
)

/** Path segments that are used for pages inside of projects. */
const reservedProject = new Set(
  `\\- badges blame blob builds commits create create_dir edit environments/folders files find_file
  gitlab-lfs/objects info/lfs/objects new preview raw refs tree update wikis`.split(/\s+/),
)

/** Returns the messages about an invalid path of a group or project; empty if the path is valid. */
export function pathProblems(
  path: string,
  options: { kind: 'project' | 'group'; isTopLevel?: boolean },
): string[] {
  if (path.length > characters_max) return [tooLongMessage]
  if (path.trim() === '') return ["can't be blank"]
  if (
    !/^[A-Za-z0-9_.][A-Za-z0-9_.-]*$/.test(path) ||
    /\.(git|atom)$/i.test(path) ||
    /^\.+$/.test(path)
  ) {
    return [pathMessage]
  }
  const reserved =
    options.kind === 'project'
      ? reservedProject
      : options.isTopLevel
        ? reservedTopLevel
        : reservedProject
  return reserved.has(path.toLowerCase()) ? ['is a reserved name'] : []
}

export function usernameProblems(username: string): string[] {
  if (username.length > characters_max) return [tooLongMessage]
  if (username.trim() === '') return ["can't be blank"]
  if (!/^[A-Za-z0-9_.][A-Za-z0-9_.-]*$/.test(username) || /(\.|\.git|\.atom)$/i.test(username)) {
    return [usernameMessage]
  }
  if (/\.(png|jpe?g|gif|svg|ico|webp|json|xml|html?|js|css|txt|zip|gz)$/i.test(username)) {
    return ['ending with a reserved file extension is not allowed.']
  }
  return reservedTopLevel.has(username.toLowerCase()) ? ['is a reserved name'] : []
}

export function projectNameProblems(name: string): string[] {
  if (name.length > characters_max) return [tooLongMessage]
  if (name.trim() === '') return ["can't be blank"]
  return /^[\p{L}\p{N}\p{Extended_Pictographic}_][\p{L}\p{N}\p{M}\p{Extended_Pictographic}\p{Emoji_Component}\p{Pd}_.+ ]*$/u.test(
    name,
  )
    ? []
    : [nameMessage]
}

export function groupNameProblems(name: string): string[] {
  if (name.length > characters_max) return [tooLongMessage]
  if (name.trim() === '') return ["can't be blank"]
  return /^[\p{L}\p{N}\p{Extended_Pictographic}_][\p{L}\p{N}\p{M}\p{Extended_Pictographic}\p{Emoji_Component}\p{Pd}_.() ]*$/u.test(
    name,
  )
    ? []
    : [groupNameMessage]
}

/** Returns the path for a name if none is given: lower case, with dashes in place of everything but letters and digits. */
export function slugify(name: string): string {
  // Longer names are refused anyway, and normalizing accents takes quadratic time.
  const dashed = name
    .slice(0, characters_max + 1)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_.]+/g, '-')
  let slug = trimEndOf(trimStartOf(dashed, '-.'), '-.')
  for (let ending = endingOf(slug); ending; ending = endingOf(slug)) {
    slug = slug.slice(0, -ending.length)
  }
  return slug
}

function endingOf(slug: string): string | undefined {
  return ['.git', '.atom'].find((ending) => slug.endsWith(ending))
}

/** Whether a text has the form of an email address (RFC 5321, simplified). */
export function isEmail(text: string): boolean {
  return text.length <= characters_max && /^[^@\s\0<>]+@[^@\s\0<>]+$/.test(text)
}

/** Returns the error messages for an integer that must be from 0 to `max`. */
export function rangeProblems(value: number | null | undefined, max: number): string[] {
  if (value === null || value === undefined) return []
  if (value < 0) return ['must be greater than or equal to 0']
  return value > max ? [`must be less than or equal to ${max}`] : []
}
