// Resolves plain scalars by YAML 1.1, as the library of the real product does.
import { createScalarNode, type Scalar, type SourceLocation } from './tree.ts'

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['true', true],
  ['on', true],
  ['no', false],
  ['false', false],
  ['off', false],
])
const integer = /^[-+]?(?:0|[1-9][0-9_]*)$/
const octal = /^[-+]?0[0-7_]+$/
const hexadecimal = /^[-+]?0x[0-9a-fA-F_]+$/
const binary = /^[-+]?0b[01_]+$/
const sexagesimal = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9]){1,2}$/
const decimal = /^[-+]?(?:[0-9][0-9_]*\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$/

/**
 * Returns the value of a plain scalar: null, a boolean, a number, or the text itself. `y`, `n` and dates stay texts,
 * which the YAML library would resolve otherwise.
 */
export function resolveScalar(text: string, at: SourceLocation): Scalar {
  if (text === '' || text === '~' || text.toLowerCase() === 'null')
    return createScalarNode(null, at)
  const boolean = booleans.get(text.toLowerCase())
  if (boolean !== undefined) return createScalarNode(boolean, at)
  const number = numberOf(text)
  if (number === undefined || Math.abs(number) > Number.MAX_SAFE_INTEGER)
    return createScalarNode(text, at)
  const isWholeFloat = decimal.test(text) && Number.isInteger(number)
  return createScalarNode(number, at, isWholeFloat ? `${number}.0` : String(number))
}

function numberOf(text: string): number | undefined {
  const isNegative = text.startsWith('-')
  const digits = text.replace(/^[-+]/, '').replaceAll('_', '')
  const signed = (value: number) => (isNegative ? -value : value)
  if (integer.test(text) || decimal.test(text)) return signed(Number(digits))
  if (octal.test(text)) return signed(Number.parseInt(digits, 8))
  if (hexadecimal.test(text)) return signed(Number.parseInt(digits.slice(2), 16))
  if (binary.test(text)) return signed(Number.parseInt(digits.slice(2), 2))
  if (!sexagesimal.test(text)) return undefined
  return signed(digits.split(':').reduce((value, part) => value * 60 + Number(part), 0))
}
