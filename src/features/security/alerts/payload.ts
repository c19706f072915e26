// Reads texts, lists and times from a payload (docs/api/alerts.md, "Fields").
import { hash } from 'node:crypto'
import { limits } from '../../../kernel/limits.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import { isRecord } from '../../../kernel/record.ts'
import { toStorableText } from '../../../kernel/storable.ts'

export type AlertPayload = Record<string, unknown>
/** A path in a payload: names of members and positions in lists. */
export type PayloadPath = readonly string[]

/** Returns the value at a path; undefined if the payload has none there. */
export function payloadValueAt(payload: AlertPayload, path: PayloadPath): unknown {
  let value: unknown = payload
  for (const part of path) {
    if (value === null || typeof value !== 'object') return undefined
    value = ownValue(value as AlertPayload, part)
  }
  return value
}

/** Returns the payload without the value at a path. */
export function payloadWithoutPath(payload: AlertPayload, path: PayloadPath): AlertPayload {
  const [first, ...rest] = path
  if (first === undefined || !Object.hasOwn(payload, first)) return payload
  const { [first]: inner, ...others } = payload
  if (rest.length === 0) return others
  return isRecord(inner) ? { ...others, [first]: payloadWithoutPath(inner, rest) } : payload
}

/** Converts a string, number or boolean to a text that both databases can store; undefined for anything else. */
export function scalarToText(value: unknown): string | undefined {
  const isScalar = ['string', 'number', 'boolean'].includes(typeof value)
  const text = isScalar ? toStorableText(String(value)).trim() : ''
  return text === '' ? undefined : text
}

/** Converts a scalar to a text, truncated with three dots if it is too long; null for anything else. */
export function scalarToTruncatedText(value: unknown, characters_max: number): string | null {
  const text = scalarToText(value)
  if (text === undefined) return null
  // A character has at most two UTF-16 units, so longer texts are cut before they are split.
  const characters = [...text.slice(0, 2 * characters_max + 2)]
  if (characters.length <= characters_max) return text
  return `${characters.slice(0, characters_max - 3).join('')}...`
}

/** Returns the texts in a value that is a text or a list, nested to any depth. */
export function flattenToTexts(value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value.flat(limits.alerts.payload_depth) : [value]
  return values.flatMap((each) => scalarToText(each) ?? [])
}

/** Returns the hosts up to a total length: the last one is truncated, and those after it are omitted. */
export function parseAlertHosts(value: unknown): string[] {
  const hosts: string[] = []
  let room = limits.alerts.hosts_characters
  for (const host of flattenToTexts(value)) {
    const kept = [...host.slice(0, 2 * room)].slice(0, room)
    hosts.push(kept.join(''))
    room -= kept.length
    if (room === 0) break
  }
  return hosts
}

export function alertFingerprintOfText(text: string): string {
  return hash('sha1', text)
}

/** Returns the fingerprint of a payload, which does not depend on the order of members. */
export function alertFingerprintOfPayload(payload: AlertPayload): string {
  return alertFingerprintOfText(stableText(payload))
}

/**
 * Returns JSON with the members of each object in a fixed order. The recursion is as deep as the payload,
 * which is limited.
 */
function stableText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stableText).join()}]`
  if (!isRecord(value)) return JSON.stringify(value)
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${stableText(ownValue(value, name))}`)
  return `{${members.join()}}`
}
