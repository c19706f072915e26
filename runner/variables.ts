// Resolves the variables of a job: precedence, references, and files.
import type { JobVariable } from '../src/ci/protocol.ts'

export type FileVariable = { path: string; content: string }

export type ResolvedJobVariables = {
  /**
   * The environment for the shell. References are expanded, and a file variable contains the path of its
   * file.
   */
  values: Map<string, string>
  files: FileVariable[]
  /** The values to mask in the log, longest first. */
  masked: string[]
}

const isName = /^[A-Za-z_][A-Za-z0-9_]*$/

/**
 * Resolves the variables of a job. If several have the same key, the last one wins. References are replaced in one pass
 * by values as they were given, as other runners do. The paths of file variables are in `folder`; no file is written
 * here.
 */
export function resolveJobVariables(
  list: readonly JobVariable[],
  folder: string,
): ResolvedJobVariables {
  const last = new Map(
    list.filter(({ key }) => isName.test(key)).map((variable) => [variable.key, variable]),
  )
  const pathOf = (key: string) => `${folder}/${key}`
  const given = (key: string) => {
    const variable = last.get(key)
    return variable?.file ? pathOf(key) : variable?.value
  }
  const values = new Map<string, string>()
  const files: FileVariable[] = []
  for (const { key, value, raw, file } of last.values()) {
    const content = raw ? value : expandVariableReferences(value, given)
    values.set(key, file ? pathOf(key) : content)
    if (file) files.push({ path: pathOf(key), content })
  }
  const masked = list
    .filter((variable) => variable.masked)
    .flatMap(({ key, value }) => {
      const isCurrent = last.get(key)?.value === value
      const content = isCurrent && !last.get(key)?.file ? values.get(key) : undefined
      return [value, content ?? value]
    })
  return { values, files, masked: sortedUniqueSecrets(masked) }
}

/** Returns each secret once, without empty ones, longest first. */
export function sortedUniqueSecrets(values: readonly string[]): string[] {
  return [...new Set(values)].filter((value) => value !== '').sort((a, b) => b.length - a.length)
}

const reference = /\$(?:\{([^{}]*)\}|([A-Za-z_][A-Za-z0-9_]*)|([$*#@!?0-9]))/g

const characters_max = 1024 * 1024

/**
 * Replaces `$NAME`, `${NAME}` and `$$`; what has no value becomes nothing. A text that would be longer than a
 * mebibyte stays as it is written.
 */
export function expandVariableReferences(
  text: string,
  lookUp: (name: string) => string | undefined,
): string {
  let characters = text.length
  const expanded = text.replace(
    reference,
    (_whole, braced?: string, bare?: string, special?: string) => {
      if (special !== undefined) return special === '$' ? '$' : ''
      const value = lookUp(braced ?? bare ?? '') ?? ''
      characters += value.length
      return characters > characters_max ? '' : value
    },
  )
  return characters > characters_max ? text : expanded
}
