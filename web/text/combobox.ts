import { counted } from './numbers.ts'

export const combobox = {
  found: (number: number) => counted(number, 'match', 'matches'),
  none: 'No matches',
}
