import { formatCountWithNoun } from './numbers.ts'

export const combobox = {
  found: (number: number) => formatCountWithNoun(number, 'match', 'matches'),
  none: 'No matches',
}
