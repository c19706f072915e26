// What terminals make of a line (ECMA-48, "SGR"): colours and weights as classes; everything else of it is dropped.
import { escapeHtml } from '../html.ts'

type Look = {
  colour: string
  ground: string
  bold: boolean
  faint: boolean
  italic: boolean
  underline: boolean
}

const plain: Look = {
  colour: '',
  ground: '',
  bold: false,
  faint: false,
  italic: false,
  underline: false,
}
/** Sequences that do something else than colour: moves, erasing, titles, links. */
const others =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  /\u001b(?:\[[0-9;?]*[A-HJKSTfhlnsu]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[()][AB012]|[=>cDEHM78])/g
const marker = /^section_(start|end):(\d+):([\w.-]+)(?:\[[^\]]*\])?/

/** A machine that goes from line to line; one for each block. */
export function newAnsi(): (line: string) => string {
  let look = plain
  return (line) => {
    const text = visible(line)
    let html = ''
    let from = 0
    // biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
    for (const match of text.matchAll(/\u001b\[([0-9;]*)m/g)) {
      html += piece(text.slice(from, match.index), look)
      look = change(look, match[1] ?? '')
      from = match.index + match[0].length
    }
    return html + piece(text.slice(from), look)
  }
}

/** What is left of a line when returns have gone back over it, and marks of sections are taken out. */
export function visible(line: string): string {
  const parts = line.replace(/\r+$/, '').split('\r')
  const last = parts.at(-1) ?? ''
  const text = marker.test(last) ? last.replace(marker, '') : last
  return text.replace(others, '')
}

/** The text alone, for search. */
export function withoutColours(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
  return visible(line).replace(/\u001b\[[0-9;]*m/g, '')
}

function piece(text: string, look: Look): string {
  if (text === '') return ''
  const classes = [
    look.colour && `log-colour-${look.colour}`,
    look.ground && `log-ground-${look.ground}`,
    look.bold && 'log-bold',
    look.faint && 'log-faint',
    look.italic && 'log-italic',
    look.underline && 'log-underline',
  ].filter(Boolean)
  const html = escapeHtml(text)
  return classes.length === 0 ? html : `<span class="${classes.join(' ')}">${html}</span>`
}

function change(before: Look, codes: string): Look {
  let look = before
  const numbers = codes === '' ? [0] : codes.split(';').map(Number)
  for (let at = 0; at < numbers.length; at += 1) {
    const code = numbers[at] ?? 0
    if (code === 38 || code === 48) {
      const [colour, used] = extended(numbers, at + 1)
      look = code === 38 ? { ...look, colour } : { ...look, ground: colour }
      at += used
    } else look = simple(look, code)
  }
  return look
}

function simple(look: Look, code: number): Look {
  if (code === 0) return plain
  if (code === 1) return { ...look, bold: true }
  if (code === 2) return { ...look, faint: true }
  if (code === 3) return { ...look, italic: true }
  if (code === 4) return { ...look, underline: true }
  if (code === 22) return { ...look, bold: false, faint: false }
  if (code === 23) return { ...look, italic: false }
  if (code === 24) return { ...look, underline: false }
  if (code >= 30 && code <= 37) return { ...look, colour: String(code - 30) }
  if (code >= 90 && code <= 97) return { ...look, colour: String(code - 90) }
  if (code === 39) return { ...look, colour: '' }
  if (code >= 40 && code <= 47) return { ...look, ground: String(code - 40) }
  if (code >= 100 && code <= 107) return { ...look, ground: String(code - 100) }
  if (code === 49) return { ...look, ground: '' }
  return look
}

/** A colour of 256 or of 16 million, as the nearest of eight; and how many numbers it took. */
function extended(numbers: readonly number[], at: number): [string, number] {
  if (numbers[at] === 5) return [nearest256(numbers[at + 1] ?? 0), 2]
  if (numbers[at] === 2) {
    const [red = 0, green = 0, blue = 0] = numbers.slice(at + 1, at + 4)
    return [nearest(red, green, blue), 4]
  }
  return ['', 1]
}

function nearest256(index: number): string {
  if (index < 16) return String(index % 8)
  if (index > 231) return index < 244 ? '0' : '7'
  const at = index - 16
  return nearest(Math.floor(at / 36) * 51, (Math.floor(at / 6) % 6) * 51, (at % 6) * 51)
}

const bright = 110

/** Red is 1, green 2 and blue 4, as terminals count. */
function nearest(red: number, green: number, blue: number): string {
  return String((red > bright ? 1 : 0) + (green > bright ? 2 : 0) + (blue > bright ? 4 : 0))
}
