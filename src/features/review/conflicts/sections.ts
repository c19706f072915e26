// Splits a file in conflict into sections: what both sides share, and what they changed differently. Pure.
import { ownValue } from '../../../kernel/own-value.ts'

/** A part of the file: `text` if both sides agree, otherwise both versions with an id that is unique in the file. */
export type ConflictSection = { text: string } | { id: string; ours: string; theirs: string }

/** Names of the sides in conflict markers. */
type Labels = { ours: string; theirs: string }
type Sides = { ours: string; theirs: string }

const anyMarker = /^(?:<{7} |={7}\r?$|>{7} )/m

/**
 * Splits a file that git merged with conflict markers. Returns undefined if lines of a side look like markers, or if markers
 * are not as git writes them, since the sides are then ambiguous.
 */
export function parseConflictSections(
  merged: string,
  sides: Sides,
  labels: Labels,
): ConflictSection[] | undefined {
  if (anyMarker.test(sides.ours) || anyMarker.test(sides.theirs)) return undefined
  const sections: ConflictSection[] = []
  let place: 'text' | 'ours' | 'theirs' = 'text'
  let now = { text: '', ours: '', theirs: '' }
  const end = () => {
    if (place === 'text' && now.text !== '') sections.push({ text: now.text })
    if (place === 'theirs') {
      const id = String(sections.filter((section) => 'id' in section).length)
      sections.push({ id, ours: now.ours, theirs: now.theirs })
    }
    now = { text: '', ours: '', theirs: '' }
  }
  for (const line of merged.split(/(?<=\n)/)) {
    if (place === 'text' && line.startsWith(`<<<<<<< ${labels.ours}`)) {
      end()
      place = 'ours'
    } else if (place === 'ours' && /^={7}\r?\n?$/.test(line)) place = 'theirs'
    else if (place === 'theirs' && line.startsWith(`>>>>>>> ${labels.theirs}`)) {
      end()
      place = 'text'
    } else if (anyMarker.test(line)) return undefined
    else now[place] += line
  }
  if (place !== 'text') return undefined
  end()
  return withoutAddedEnds(sections, sides)
}

/** Removes the line break that git adds to each side of a conflict at the end of a file without one. */
function withoutAddedEnds(sections: ConflictSection[], sides: Sides): ConflictSection[] {
  const last = sections.at(-1)
  if (!last || !('id' in last)) return sections
  const trimmed = (name: keyof Sides) =>
    sides[name].endsWith('\n') ? last[name] : last[name].replace(/\r?\n$/, '')
  return [...sections.slice(0, -1), { ...last, ours: trimmed('ours'), theirs: trimmed('theirs') }]
}

/** Returns the text with the chosen side of each section; undefined if a choice is missing. */
export function joinChosenConflictSections(
  sections: readonly ConflictSection[],
  choices: Readonly<Record<string, 'ours' | 'theirs'>>,
): string | undefined {
  const parts: string[] = []
  for (const section of sections) {
    if ('text' in section) parts.push(section.text)
    else {
      const choice = ownValue(choices, section.id)
      if (!choice) return undefined
      parts.push(section[choice])
    }
  }
  return parts.join('')
}
