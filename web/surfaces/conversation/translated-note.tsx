import { Prose } from '../prose/prose.tsx'
import { translateSystemNote } from './translate-system-note.ts'

/** What the server noted, in the language of the page. */
export function TranslatedNote({ html }: { html: string }) {
  return <Prose html={html} change={translateSystemNote} />
}
