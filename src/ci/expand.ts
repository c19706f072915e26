// Variables in texts: `$NAME` and `${NAME}`.
import { ownValue } from '../kernel/own-value.ts'

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

/** Whether a text has a variable in it. */
export function hasVariable(text: string): boolean {
  return /\$\{?\w/.test(text)
}
