import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Masker } from './masker.ts'

function mask(secrets: string[], pieces: (string | Buffer)[]): string {
  const masker = new Masker(secrets)
  const shown = pieces.map((piece) => masker.write(Buffer.from(piece as string)))
  return Buffer.concat([...shown, masker.end()]).toString()
}

describe('the masker', () => {
  it.each([
    ['one piece', ['a secret12 b'], 'a [MASKED] b'],
    ['two pieces', ['a sec', 'ret12 b'], 'a [MASKED] b'],
    ['single bytes', [...'a secret12 b'], 'a [MASKED] b'],
    ['a beginning that is no secret', ['a secr', 'x b'], 'a secrx b'],
    ['a beginning at the very end', ['a secret1'], 'a secret1'],
    ['two in a row', ['secret12secret12'], '[MASKED][MASKED]'],
    ['a false start within', ['secsecret12'], 'sec[MASKED]'],
  ])('replaces a secret in %s', (_name, pieces, shown) => {
    expect(mask(['secret12'], pieces)).toBe(shown)
  })

  it('shows no part of secrets that overlap, wherever they are cut', () => {
    const text = '<abcdefgh>'
    for (let cut = 0; cut <= text.length; cut++) {
      expect(mask(['abcdef', 'cdefgh'], [text.slice(0, cut), text.slice(cut)])).toBe('<[MASKED]>')
    }
    expect(mask(['aaa'], ['xaaaaa', 'aaay'])).toBe('x[MASKED]y')
  })

  it('replaces the longer of two secrets that begin alike', () => {
    expect(mask(['token123', 'token12345'], ['token12345 token123!'])).toBe('[MASKED] [MASKED]!')
  })

  it('leaves bytes alone that are no text, and finds secrets that are', () => {
    const bytes = Buffer.from([0xff, 0xc3, 0x28, 0x00])
    const masker = new Masker(['süßes Geheimnis'])
    const shown = [bytes, Buffer.from('süß'), Buffer.from('es Geheimnis'), bytes]
      .map((piece) => masker.write(piece))
      .concat(masker.end())
    expect(Buffer.concat(shown)).toEqual(Buffer.concat([bytes, Buffer.from('[MASKED]'), bytes]))
  })

  it('shows the same however the text is cut, and never a secret', () => {
    const letter = fc.constantFrom('a', 'b', 'c')
    const word = fc.array(letter, { minLength: 2, maxLength: 5 }).map((letters) => letters.join(''))
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 3 }),
        fc.array(word, { maxLength: 12 }),
        (secrets, pieces) => {
          const shown = mask(secrets, pieces)
          expect(mask(secrets, [pieces.join('')])).toBe(shown)
          for (const secret of secrets) expect(shown).not.toContain(secret)
        },
      ),
      { seed: 11, numRuns: 2000 },
    )
  })
})
