import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { groupNameProblems, isEmail, pathProblems, projectNameProblems, slugify } from './names.ts'
import { hashPassword, openSecret, sealSecret, verifyPassword } from './secrets.ts'
import { KeyedMutex, Semaphore } from './semaphore.ts'

const begin = () => {}

describe('passwords', () => {
  it('are known again, and only they', async () => {
    const digest = await hashPassword('correct horse')
    expect(digest).not.toContain('correct')
    expect(await hashPassword('correct horse')).not.toBe(digest)
    expect(await verifyPassword('correct horse', digest, { name: 'amy', begin })).toBe(true)
    expect(await verifyPassword('correct house', digest, { name: 'amy', begin })).toBe(false)
    expect(await verifyPassword('', null, { name: 'amy', begin })).toBe(false)
  })
})

describe('sealed secrets', () => {
  const key = randomBytes(32)

  it('open with their key alone, unchanged', () => {
    fc.assert(
      fc.property(fc.string(), (plain) => {
        expect(openSecret(key, sealSecret(key, plain))).toBe(plain)
      }),
    )
    const sealed = sealSecret(key, 'secret')
    expect(sealSecret(key, 'secret')).not.toBe(sealed)
    expect(() => openSecret(randomBytes(32), sealed)).toThrow()
    const changed = Buffer.from(sealed, 'base64')
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1
    expect(() => openSecret(key, changed.toString('base64'))).toThrow()
  })
})

describe('names', () => {
  it.each([
    ['My Project', 'my-project'],
    ['Über  Größe', 'uber-gro-e'],
    ['--x--', 'x'],
    ['thing.git', 'thing'],
    ['a_b.c', 'a_b.c'],
    ['日本', ''],
  ])('makes a path of %j', (name, path) => {
    expect(slugify(name)).toBe(path)
  })

  it.each(['x', 'A-b_c.1', '.hidden', '_x'])('takes %j for a path', (path) => {
    expect(pathProblems(path, { kind: 'project' })).toEqual([])
  })

  it.each([
    '',
    '-x',
    'x.git',
    'x.ATOM',
    'a b',
    'a/b',
    '..',
    '.',
    'ü',
    'x\0',
    'tree',
    'x'.repeat(256),
  ])('takes %j for no path', (path) => {
    expect(pathProblems(path, { kind: 'project' })).toHaveLength(1)
  })

  it('keeps first segments that lead elsewhere', () => {
    expect(pathProblems('api', { kind: 'group', isTopLevel: true })).toEqual(['is a reserved name'])
    expect(pathProblems('api', { kind: 'group', isTopLevel: false })).toEqual([])
  })

  it.each([
    ['Ünïcode 🚀 + more_1.2-3', true],
    ['-dash', false],
    ['a/b', false],
    ['<b>', false],
  ])('judges the project name %j', (name, isGood) => {
    expect(projectNameProblems(name).length === 0).toBe(isGood)
  })

  it('lets group names have parentheses', () => {
    expect(groupNameProblems('A (b)')).toEqual([])
    expect(groupNameProblems('(b)')).toHaveLength(1)
  })

  it.each([
    ['a@b', true],
    ['a b@c', false],
    ['@b', false],
    ['a@', false],
    ['a@b@c', false],
  ])('judges the address %j', (text, isGood) => {
    expect(isEmail(text)).toBe(isGood)
  })
})

describe('Semaphore', () => {
  it('lets as many through as it has permits, the rest in turn', async () => {
    const semaphore = new Semaphore(2)
    const events: string[] = []
    const gates = [0, 1, 2, 3].map(() => Promise.withResolvers<void>())
    const runs = gates.map((gate, index) =>
      semaphore.run(async () => {
        events.push(`in ${index}`)
        await gate.promise
        events.push(`out ${index}`)
      }),
    )
    await Promise.resolve()
    expect(events).toEqual(['in 0', 'in 1'])
    gates[1]?.resolve()
    await runs[1]
    await Promise.resolve()
    expect(events).toEqual(['in 0', 'in 1', 'out 1', 'in 2'])
    for (const gate of gates) gate.resolve()
    await Promise.all(runs)
    expect(events.filter((event) => event.startsWith('in'))).toEqual([
      'in 0',
      'in 1',
      'in 2',
      'in 3',
    ])
  })
})

describe('KeyedMutex', () => {
  it('makes the same key wait, and no other, also after a failure', async () => {
    const mutex = new KeyedMutex()
    const gate = Promise.withResolvers<void>()
    const events: string[] = []
    const first = mutex.run('a', async () => {
      await gate.promise
      events.push('a1')
      throw new Error('broken')
    })
    const second = mutex.run('a', async () => events.push('a2'))
    await mutex.run('b', async () => events.push('b'))
    gate.resolve()
    await expect(first).rejects.toThrow('broken')
    await second
    expect(events).toEqual(['b', 'a1', 'a2'])
  })
})
