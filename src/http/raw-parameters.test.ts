import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../kernel/errors.ts'
import { parseForm, parseJson } from './raw-parameters.ts'

describe('parseForm', () => {
  it.each([
    ['', {}],
    ['a=1&b=2', { a: '1', b: '2' }],
    ['a=1&a=2', { a: '2' }],
    ['a', { a: null }],
    ['a=', { a: '' }],
    ['a+b=c%20d%2B', { 'a b': 'c d+' }],
    ['a=b=c', { a: 'b=c' }],
    ['a[]=1&a[]=2', { a: ['1', '2'] }],
    ['a[b]=1&a[c]=2', { a: { b: '1', c: '2' } }],
    ['a[b][c]=1', { a: { b: { c: '1' } } }],
    ['a[b][]=1', { a: { b: ['1'] } }],
    ['a[][b]=1&a[][c]=2&a[][b]=3', { a: [{ b: '1', c: '2' }, { b: '3' }] }],
    ['a[0][b]=1&a[1][b]=2', { a: { 0: { b: '1' }, 1: { b: '2' } } }],
    ['a%5Bb%5D=1', { a: { b: '1' } }],
    ['a[b=1', { 'a[b': '1' }],
    ['&&a=1&', { a: '1' }],
    ['[x]=1', {}],
  ])('reads %s', (text, bag) => {
    expect(parseForm(text)).toEqual(bag)
  })

  it('gives no name the powers of the prototype', () => {
    const bag = parseForm('__proto__[admin]=1&constructor[prototype][admin]=1')
    expect(({} as { admin?: unknown }).admin).toBeUndefined()
    expect(Object.keys(bag)).toEqual(['__proto__', 'constructor'])
  })

  it.each([
    [`a${'[b]'.repeat(40)}=1`, 'nested too deeply'],
    ['a[]=1&'.repeat(10_001), 'too many parameters'],
    ['a=%zz', 'invalid %-encoding'],
  ])('refuses what is too much', (text, reason) => {
    expect(() => parseForm(text)).toThrow(reason)
  })

  it('reads back every flat form', () => {
    const name = fc.stringMatching(/^[a-z]{1,8}$/)
    fc.assert(
      fc.property(fc.dictionary(name, fc.string()), (values) => {
        const text = new URLSearchParams(values).toString()
        expect({ ...parseForm(text) }).toEqual({ ...values })
      }),
    )
  })

  it('never fails otherwise than by a refusal', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a[\]=&%0-9_]{0,60}$/), (text) => {
        try {
          parseForm(text)
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError)
        }
      }),
      { numRuns: 2000 },
    )
  })
})

describe('parseJson', () => {
  it.each([
    ['', {}],
    ['{"a":{"b":[1,null]}}', { a: { b: [1, null] } }],
    ['[1]', {}],
    ['null', {}],
    ['5', {}],
  ])('reads %s', (text, bag) => {
    expect(parseJson(Buffer.from(text))).toEqual(bag)
  })

  it.each([
    ['{"a":', 'message body does not match declared format'],
    [`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`, 'nested too deeply'],
    [`{"a":[${'1,'.repeat(10_001)}1]}`, 'too many parameters'],
  ])('refuses what is broken or too much', (text, reason) => {
    expect(() => parseJson(Buffer.from(text))).toThrow(reason)
  })

  it('bears a million brackets', () => {
    const text = '['.repeat(1_000_000) + ']'.repeat(1_000_000)
    expect(() => parseJson(Buffer.from(`{"a":${text}}`))).toThrow('nested too deeply')
  })
})
