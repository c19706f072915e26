// Pages have words for everything that audit events tell, in each language.
import { expect, it } from 'vitest'
import { auditActions } from '../src/features/basics/audit-events/audit-event.ts'
import { auditText as english } from '../web/text/audit-events.ts'
import { auditText as german } from '../web/text/de/audit-events.ts'

it.each([
  ['English', english],
  ['German', german],
])('every audit event has a name in %s, and none is left of another', (_, { eventNames }) => {
  expect(Object.keys(eventNames).sort()).toEqual([...auditActions].sort())
  const names = Object.values(eventNames)
  expect(names.filter((name) => /_|^\s*$/.test(name))).toEqual([])
  expect(new Set(names).size).toBe(names.length)
})
