import { type Static, Type } from 'typebox'
import { namedObject, nullableText } from '../../../http/schema.ts'
import { type Clock, today } from '../../../kernel/clock.ts'
import type { LicenseTemplate } from './read-templates.ts'

export const ListedTemplateJson = namedObject('ListedTemplate', {
  key: Type.String(),
  name: Type.String(),
})
export const TemplateJson = namedObject('Template', { name: Type.String(), content: Type.String() })
const texts = Type.Array(Type.String())
export const LicenseTemplateJson = namedObject('LicenseTemplate', {
  key: Type.String(),
  name: Type.String(),
  nickname: nullableText,
  popular: Type.Boolean(),
  html_url: nullableText,
  source_url: nullableText,
  description: nullableText,
  conditions: texts,
  permissions: texts,
  limitations: texts,
  content: Type.String(),
})

export function presentLicenseTemplate(
  license: LicenseTemplate,
): Static<typeof LicenseTemplateJson> {
  const html_url = `https://choosealicense.com/licenses/${license.key}/`
  return { ...license, html_url, source_url: html_url, description: null }
}

/** Returns the text of a licence with the year, and with its holder and project if they are known. */
export function fillLicensePlaceholders(
  text: string,
  { project, fullname }: { project: string | undefined; fullname: string | undefined },
  clock: Clock,
): string {
  return text
    .replaceAll('[year]', today(clock).slice(0, 4))
    .replaceAll('[fullname]', () => fullname ?? '[fullname]')
    .replaceAll('[project]', () => project ?? '[project]')
}
