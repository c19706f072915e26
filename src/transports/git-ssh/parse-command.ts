// Parses the command of an SSH client: one of a few commands with a project's path, quoted as git does. None of it
// reaches a shell, an argument or a path on disk.
import { trimEndOf } from '../../kernel/trim.ts'

export type GitSshService = 'git-upload-pack' | 'git-receive-pack' | 'git-upload-archive'

export type SshCommand =
  | { name: GitSshService; path: string }
  | { name: 'git-lfs-authenticate'; path: string; operation: 'upload' | 'download' }

const services: ReadonlySet<string> = new Set<GitSshService>([
  'git-upload-pack',
  'git-receive-pack',
  'git-upload-archive',
])

const path_characters_max = 4096
/** The maximum length of a command. A path of quotes takes four characters for each of them. */
export const line_characters_max = 4 * path_characters_max + 100

const isPlain = /[A-Za-z0-9._~/+@:=,%-]/

/** Parses a command; undefined for anything that is not exactly one of ours. */
export function parseCommand(line: string): SshCommand | undefined {
  if (line.length > line_characters_max) return undefined
  const words = splitWords(line.trim())
  if (!words) return undefined
  // `git upload-pack` and `git-upload-pack` are the same.
  const [name, ...rest] = words[0] === 'git' ? [`git-${words[1]}`, ...words.slice(2)] : words
  const [argument, operation, ...more] = rest
  const path = argument === undefined ? undefined : pathOf(argument)
  if (name === undefined || path === undefined || more.length > 0) return undefined
  if (services.has(name)) {
    return operation === undefined ? { name: name as GitSshService, path } : undefined
  }
  const isTransfer = operation === 'upload' || operation === 'download'
  return name === 'git-lfs-authenticate' && isTransfer ? { name, path, operation } : undefined
}

/**
 * Splits words as git quotes them (git's quote.c, sq_quote_buf): parts in single quotes, with `\'` and `\!` between them;
 * outside of quotes only characters without a meaning in shells. Takes linear time.
 */
export function splitWords(line: string): string[] | undefined {
  const words: string[] = []
  let word: string | undefined
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at)
    if (character === ' ') {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (character === "'") {
      const end = line.indexOf("'", at + 1)
      if (end < 0) return undefined
      word = (word ?? '') + line.slice(at + 1, end)
      at = end
    } else if (character === '\\') {
      at++
      if (line[at] !== "'" && line[at] !== '!') return undefined
      word = (word ?? '') + line[at]
    } else {
      if (!isPlain.test(character)) return undefined
      word = (word ?? '') + character
    }
  }
  return word === undefined ? words : [...words, word]
}

/** Returns the full path of a project as stored: without a leading `/` or `~` and without the `.git` suffix. */
function pathOf(argument: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
  const isSound = !/^-|[\0-\x1f\x7f]/.test(argument) && argument.length <= path_characters_max
  if (!isSound) return undefined
  const path = trimEndOf(argument.replace(/^\/*~?\/*/, ''), '/').replace(/\.git$/, '')
  return path === '' ? undefined : path
}
