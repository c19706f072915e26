import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeOperations } from '../tools/web-client.ts'

it('web/api/operations.ts is as the endpoints make it (npm run web:client)', () => {
  const committed = readFileSync(join(import.meta.dirname, '../web/api/operations.ts'), 'utf8')
  expect(describeOperations()).toBe(committed)
})
