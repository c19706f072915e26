// What a client asks for over SSH: one of a few commands with a project's path, quoted as git quotes it.
// Nothing of it ever reaches a shell, an argument or a path on disk.

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

/** The command, or undefined for anything that is not exactly one of ours. */
export function parseCommand(line: string): SshCommand | undefined {
  const words = splitWords(line)
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
 * Words as git quotes them (git's quote.c, sq_quote_buf): parts in single quotes, `\'` and `\!` between
 * them; outside of quotes only what no shell gives a meaning to.
 */
function splitWords(line: string): string[] | undefined {
  const words: string[] = []
  let rest = line.trim()
  while (rest !== '') {
    const raw = /^(?:'[^']*'|\\['!]|[A-Za-z0-9._~/+@:=,%-]+)+(?=$| )/.exec(rest)?.[0]
    if (raw === undefined) return undefined
    words.push(raw.replace(/'([^']*)'|\\(['!])/g, (_, quoted, escaped) => quoted ?? escaped))
    rest = rest.slice(raw.length).trimStart()
  }
  return words
}

/** A full path as the database knows it: leading `/` and `~` and the ending `.git` are habits of URLs. */
function pathOf(argument: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
  const isSound = !/^-|[\0-\x1f\x7f]/.test(argument) && argument.length <= path_characters_max
  if (!isSound) return undefined
  const path = argument
    .replace(/^\/*~?\/*/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
  return path === '' ? undefined : path
}
