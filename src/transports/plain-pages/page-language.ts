// The language of a page (docs/decisions/0058-languages-of-pages.md).
import type { FastifyRequest } from 'fastify'
import { type PageLanguage, pageLanguages } from '../../features/people/profiles/preferences.ts'

/** Returns the language of the reader's preferences, from a cookie, or else the first one that the browser accepts. */
export function pageLanguageOfRequest({ headers }: Pick<FastifyRequest, 'headers'>): PageLanguage {
  const [, chosen] = /(?:^|; )bloomery_language=(\w+)(?:;|$)/.exec(headers.cookie ?? '') ?? []
  return pageLanguages.find((one) => one === chosen) ?? acceptedLanguage(headers['accept-language'])
}

const accepted_max = 10

/** The language with the greatest weight among those that there are, English if none is (RFC 9110, section 12.5.4). */
function acceptedLanguage(header = ''): PageLanguage {
  const accepted = header.split(',', accepted_max).flatMap((range) => {
    const [name = '', weighed = 'q=1'] = range.split(';').map((part) => part.trim())
    const [tag = ''] = name.split('-')
    const [, weight = '0'] = /^q=([01](?:\.\d{1,3})?)$/.exec(weighed) ?? []
    const language = pageLanguages.find((one) => one === tag.toLowerCase())
    return language && Number(weight) > 0 ? [{ language, weight: Number(weight) }] : []
  })
  return accepted.toSorted((one, other) => other.weight - one.weight)[0]?.language ?? 'en'
}
