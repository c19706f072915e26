// Regular expressions that callers write. V8's linear engine runs them in time linear in the text, or
// refuses them: it knows no backreferences and no look-around.
import { setFlagsFromString } from 'node:v8'

// Without the flag `l` of an expression it changes nothing.
setFlagsFromString('--enable-experimental-regexp-engine')

const characters_max = 255

/** A test of whether a text holds what the expression says; undefined for one that is none, or too dear. */
export function linearTest(source: string): ((text: string) => boolean) | undefined {
  if (source.length > characters_max) return undefined
  try {
    const expression = new RegExp(source, 'l')
    return (text) => expression.test(text)
  } catch {
    return undefined
  }
}
