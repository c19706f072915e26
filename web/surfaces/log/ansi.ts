// What terminals make of a line (ECMA-48, "SGR"): colours and weights as classes, addresses as links; everything else
// of it is dropped.
import { escapeHtml } from '../html.ts'
import { ansiSequencePattern, visibleLogText } from './plain-line.ts'

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
const address = /https?:\/\/[^\s"'<>`]*[^\s"'<>`.,;:!?)\]}]/g

/** A machine that goes from line to line; one for each block. */
export class AnsiRenderer {
  #look: Look

  constructor(look = plain) {
    this.#look = look
  }

  /** The line as HTML. */
  html(line: string): string {
    const text = visibleLogText(line)
    let html = ''
    let from = 0
    for (const match of text.matchAll(ansiSequencePattern)) {
      html += piece(text.slice(from, match.index), this.#look)
      // With a sign before its numbers it is a matter between program and terminal.
      const isLook = match[2] === 'm' && !/^[<-?]/.test(match[1] ?? '')
      if (isLook) this.#look = change(this.#look, match[1] ?? '')
      from = match.index + match[0].length
    }
    return html + piece(text.slice(from), this.#look)
  }

  /** Goes over lines of which nobody asks the HTML yet; the copy it answers begins where they do. */
  pass(lines: readonly string[]): AnsiRenderer {
    const before = new AnsiRenderer(this.#look)
    for (const line of lines) if (line.includes('\u001b')) this.html(line)
    return before
  }
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
  const html = linked(text)
  return classes.length === 0 ? html : `<span class="${classes.join(' ')}">${html}</span>`
}

function linked(text: string): string {
  if (!text.includes('://')) return escapeHtml(text)
  let html = ''
  let from = 0
  for (const { 0: url, index } of text.matchAll(address)) {
    const safe = escapeHtml(url)
    html += `${escapeHtml(text.slice(from, index))}<a class="log-link" href="${safe}" rel="nofollow noopener noreferrer">${safe}</a>`
    from = index + url.length
  }
  return html + escapeHtml(text.slice(from))
}

function change(before: Look, codes: string): Look {
  let look = before
  const numbers = codes.split(/[;:]/).map(Number)
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

/** Darker than this in every part is black. */
const dark = 48
/** So much of the strongest part makes another one strong as well. */
const strong = 0.6

/** Red is 1, green 2 and blue 4, as terminals count. */
function nearest(red: number, green: number, blue: number): string {
  const most = Math.max(red, green, blue)
  if (most < dark) return '0'
  const isStrong = (part: number) => part > most * strong
  return String((isStrong(red) ? 1 : 0) + (isStrong(green) ? 2 : 0) + (isStrong(blue) ? 4 : 0))
}
