import type * as english from '../combobox.ts'
import { formatCountWithNoun } from '../numbers.ts'

export const combobox: typeof english.combobox = {
  found: (number: number) => formatCountWithNoun(number, 'Treffer', 'Treffer'),
  none: 'Keine Treffer',
}
