// The tables of docs/access-matrix/ leave nothing out.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { endpoints } from '../../src/features/families.ts'
import { nameOf, namesOf } from '../kit/every-example.ts'

const domains = readdirSync(join(import.meta.dirname, '../../src/features'), {
  withFileTypes: true,
})
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

it('has a file of tests for each domain', () => {
  const files = domains.map((domain) => `${domain}.test.ts`)
  expect(readdirSync(import.meta.dirname)).toEqual(expect.arrayContaining(files))
  expect(readdirSync(join(import.meta.dirname, 'further')).toSorted()).toEqual(files.toSorted())
})

it('has a line for each endpoint', () => {
  const named = new Set(domains.flatMap((domain) => [...namesOf(domain)]))
  expect(endpoints.map(nameOf).filter((name) => !named.has(name))).toEqual([])
})
