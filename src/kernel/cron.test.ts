import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  findIanaTimeZone,
  timeZonesByFriendlyName,
} from '../features/delivery/pipeline-schedules/time-zones.ts'
import { nextCronTime, parseCron } from './cron.ts'

/** The times an expression names from `begin` on, without their seconds. */
function timesOf(text: string, { zone = 'UTC', begin = '2026-01-31T12:00', count = 1 }) {
  const cron = parseCron(text)
  if (!cron) return 'invalid'
  const times: string[] = []
  for (let after = new Date(`${begin}Z`); times.length < count; ) {
    const next = nextCronTime(cron, zone, after)
    if (!next) return 'never'
    times.push(next.toISOString().replace(':00.000Z', ''))
    after = next
  }
  return times.join(' ')
}

describe('A cron expression', () => {
  it.each([
    ['0 1 * * *', '2026-02-01T01:00'],
    [' 0  1\t* * * ', '2026-02-01T01:00'],
    ['* * * * *', '2026-01-31T12:01'],
    ['30 * * * * *', '2026-01-31T12:01'],
    ['*/25 * * * *', '2026-01-31T12:25'],
    ['10/15 * * * *', '2026-01-31T12:10'],
    ['*/90 * * * *', '2026-01-31T13:00'],
    ['5-9/2,50 * * * *', '2026-01-31T12:05'],
    ['0 22-2 * * *', '2026-01-31T22:00'],
    ['0 0 * * 7', '2026-02-01T00:00'],
    ['0 0 * * Fri-MON', '2026-02-01T00:00'],
    ['0 0 * * 5-7', '2026-02-01T00:00'],
    ['0 0 L * *', '2026-02-28T00:00'],
    ['0 0 15,L * ?', '2026-02-15T00:00'],
    ['0 0 ? * mon#2', '2026-02-09T00:00'],
    ['0 0 * * 1#2,fri#-1', '2026-02-09T00:00'],
    ['0 0 * * fri#-1', '2026-02-27T00:00'],
    ['0 0 * * fri#L', '2026-02-27T00:00'],
    ['0 0 13 * mon', '2026-02-02T00:00'],
    ['0 0 29 feb *', '2028-02-29T00:00'],
    ['0 0 * 2 mon#5', '2044-02-29T00:00'],
    ['@hourly', '2026-01-31T13:00'],
    ['@daily', '2026-02-01T00:00'],
    ['@midnight', '2026-02-01T00:00'],
    ['@noon', '2026-02-01T12:00'],
    ['@weekly', '2026-02-01T00:00'],
    ['@monthly', '2026-02-01T00:00'],
    ['@yearly', '2027-01-01T00:00'],
    ['@annually', '2027-01-01T00:00'],
    ['0 0 30 2 *', 'never'],
    ['0 0 31 2,4,6,9,11 *', 'never'],
    ['', 'invalid'],
    ['* * * *', 'invalid'],
    ['* * * * * * *', 'invalid'],
    ['60 * * * *', 'invalid'],
    ['60 * * * * *', 'invalid'],
    ['* 24 * * *', 'invalid'],
    ['* * 0 * *', 'invalid'],
    ['* * * 13 *', 'invalid'],
    ['* * * * 8', 'invalid'],
    ['* * * * mon#6', 'invalid'],
    ['* * * * mon#0', 'invalid'],
    ['* * * * mon#1#2', 'invalid'],
    ['*/0 * * * *', 'invalid'],
    ['*/ * * * *', 'invalid'],
    ['1,,2 * * * *', 'invalid'],
    ['1-2-3 * * * *', 'invalid'],
    ['1/2/3 * * * *', 'invalid'],
    ['-1 * * * *', 'invalid'],
    ['1.5 * * * *', 'invalid'],
    ['* * * may-foo *', 'invalid'],
    ['@reboot', 'invalid'],
    ['constructor', 'invalid'],
    [`${'1,'.repeat(200)}1 * * * *`, 'invalid'],
  ])('%j is next due at %s', (text, next) => {
    expect(timesOf(text, {})).toBe(next)
  })

  it('that names a time clocks skip is due as much later as they skip', () => {
    const times = timesOf('30 2 * * *', {
      zone: 'Europe/Berlin',
      begin: '2026-03-27T12:00',
      count: 3,
    })
    expect(times).toBe('2026-03-28T01:30 2026-03-29T01:30 2026-03-30T00:30')
  })

  it('that names a time which comes twice is due once', () => {
    const times = timesOf('30 2 * * *', {
      zone: 'Europe/Berlin',
      begin: '2026-10-24T12:00',
      count: 2,
    })
    expect(times).toBe('2026-10-25T00:30 2026-10-26T01:30')
  })

  it.each([
    ['2026-10-24T23:50', '2026-10-25T00:00 2026-10-25T00:30 2026-10-25T01:00 2026-10-25T01:30'],
    ['2026-03-29T00:20', '2026-03-29T00:30 2026-03-29T01:00 2026-03-29T01:30 2026-03-29T02:00'],
  ])('that names every hour leaves none out and doubles none, from %s on', (begin, times) => {
    expect(timesOf('*/30 * * * *', { zone: 'Europe/Berlin', begin, count: 4 })).toBe(times)
  })

  it.each([
    ['2026-10-24T20:50', '2026-10-25T23:00'],
    ['2026-03-28T20:50', '2026-03-29T22:00'],
  ])('that names hours of a weekday keeps to it, from %s on', (begin, time) => {
    expect(timesOf('0 * * * mon', { zone: 'Europe/Berlin', begin })).toBe(time)
  })

  it.each([
    ['Asia/Kathmandu', '2026-01-31T18:15'],
    ['Australia/Lord_Howe', '2026-01-31T13:00'],
    ['Pacific/Chatham', '2026-02-01T10:15'],
    ['America/St_Johns', '2026-02-01T03:30'],
  ])('is in the local time of %s', (zone, time) => {
    expect(timesOf('0 0 * * *', { zone })).toBe(time)
  })

  it('is due at a later minute that it names, whatever it is', () => {
    const number = fc.integer({ min: 0, max: 59 })
    const field = fc.oneof(fc.constant('*'), fc.constant('*/7'), number.map(String))
    const text = fc.tuple(field, field, field, field, field).map((fields) => fields.join(' '))
    const begin = fc.date({
      min: new Date('2020-01-01'),
      max: new Date('2030-01-01'),
      noInvalidDate: true,
    })
    const zone = fc.constantFrom(
      'UTC',
      'America/New_York',
      'Australia/Lord_Howe',
      'Africa/Casablanca',
    )
    fc.assert(
      fc.property(text, begin, zone, (text, begin, zone) => {
        const cron = parseCron(text)
        const next = cron && nextCronTime(cron, zone, begin)
        if (!next) return
        expect(next.getTime()).toBeGreaterThan(begin.getTime())
        expect(next.getTime() % 60_000).toBe(0)
      }),
    )
  })
})

describe('A time zone', () => {
  it('has a friendly name, or its own', () => {
    for (const [name, zone] of Object.entries(timeZonesByFriendlyName)) {
      expect([name, findIanaTimeZone(name)]).toEqual([name, zone])
      expect(timesOf('* * * * *', { zone })).toBe('2026-01-31T12:01')
    }
    expect(Object.keys(timeZonesByFriendlyName)).toHaveLength(151)
    expect(findIanaTimeZone('Europe/Kyiv')).toBe('Europe/Kyiv')
  })

  it.each(['', 'Europe', '+01:00', 'Z', 'T00Z', 'Europe/Berlin ', 'constructor', 'a\0b'])(
    'is not named %j',
    (name) => {
      expect(findIanaTimeZone(name)).toBeUndefined()
    },
  )
})
