import { type Examples, nothing, withBody } from '../../../../test/kit/examples.ts'

export const examples: Examples = { 'POST /markdown': withBody(nothing, { text: '*a*' }) }
