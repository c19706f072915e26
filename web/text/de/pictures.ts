import { formatCount } from '../numbers.ts'
import type * as english from '../pictures.ts'

export const pictures: typeof english.pictures = {
  waysToCompare: (path: string) => `${path} vergleichen`,
  modes: { twoUp: 'Nebeneinander', swipe: 'Wischen', onion: 'Überblenden' },
  sliders: {
    swipe: 'Trennlinie zwischen vorher und nachher',
    onion: 'Deckkraft des Bildes nachher',
  },
  before: (path: string) => `${path} vor der Änderung`,
  after: (path: string) => `${path} nach der Änderung`,
  beforeWord: 'Vorher',
  afterWord: 'Nachher',
  addedWord: 'Hinzugefügt',
  removedWord: 'Gelöscht',
  size: (width: number, height: number) => `${formatCount(width)} × ${formatCount(height)} Pixel`,
  notShown: 'Dieses Bild kann nicht angezeigt werden.',
  notLoaded: 'Das Bild ist noch nicht geladen.',
  comment: 'Dieses Bild kommentieren',
  mark: 'Kommentar ',
  chosen: (x: number, y: number) =>
    `Punkt des Kommentars: ${x}, ${y}. Die Pfeiltasten verschieben ihn.`,
  moveHint: 'Die Pfeiltasten verschieben den Punkt.',
}
