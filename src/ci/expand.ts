// Variables in texts: `$NAME` and `${NAME}`.
import { ownValue } from '../kernel/own-value.ts'

const depth_max = 50
const reference = /\$\$|\$\{(\w+)\}|\$(\w+)/g

/**
 * `text` with each variable as `values` has it, and as nothing where they have not. `$$` stays: the
 * runner makes `$` of it.
 */
export function expandText(text: string, values: Readonly<Record<string, string>>): string {
  if (!text.includes('$')) return text
  return text.replace(reference, (whole, braced?: string, bare?: string) => {
    const name = braced ?? bare
    return name === undefined ? whole : (ownValue(values, name) ?? '')
  })
}

const characters_max = 64 * 1024

/**
 * `values` with the variables in them expanded, those in these too. A variable that stands for itself by
 * way of others, or grows beyond all use, stays as it is written.
 */
export function expandValues(values: Readonly<Record<string, string>>): Record<string, string> {
  const known = new Map<string, string>()
  const open = new Set<string>()
  const expandedOf = (name: string): string => {
    const written = ownValue(values, name) ?? ''
    const value = known.get(name)
    if (value !== undefined || !written.includes('$')) return value ?? written
    if (open.has(name) || open.size > depth_max) return written
    open.add(name)
    const expanded = written.replace(reference, (whole, braced?: string, bare?: string) => {
      const inner = braced ?? bare
      return inner === undefined ? whole : expandedOf(inner)
    })
    open.delete(name)
    const kept = expanded.length > characters_max ? written : expanded
    known.set(name, kept)
    return kept
  }
  return Object.fromEntries(Object.keys(values).map((name) => [name, expandedOf(name)]))
}

/** Whether a text has a variable in it. */
export function hasVariable(text: string): boolean {
  return /\$\{?\w/.test(text)
}
