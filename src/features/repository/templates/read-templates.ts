// Built-in templates; they are found by name in lists, never by a path that a user wrote.
import { readFile } from 'node:fs/promises'
import { ciTemplateNames, findCiTemplateUrl } from '../../../ci/templates.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import dockerfiles from './dockerfiles.json' with { type: 'json' }
import gitignores from './gitignores.json' with { type: 'json' }
import licenses from './licenses.json' with { type: 'json' }

export type TemplateSource = {
  names: readonly string[]
  /** Returns the text of the template with this name; undefined if no template has it. */
  read: (name: string) => Promise<string | undefined>
}

const fromTable = (table: Readonly<Record<string, string>>): TemplateSource => ({
  names: Object.keys(table),
  read: async (name) => ownValue(table, name),
})

export const dockerfileTemplateSource = fromTable(dockerfiles)
export const gitignoreTemplateSource = fromTable(gitignores)
export const ciTemplateSource: TemplateSource = {
  names: ciTemplateNames,
  async read(name) {
    const url = findCiTemplateUrl(`${name}.gitlab-ci.yml`)
    return url && readFile(url, 'utf8')
  },
}

export type LicenseTemplate = (typeof licenses)[number] & { content: string }

const contentOf = ({ key }: { key: string }) =>
  readFile(new URL(`./licenses/${key}.txt`, import.meta.url), 'utf8')

let known: Promise<LicenseTemplate[]> | undefined

/** Returns all licences with their texts, ordered by key; read at the first call. */
export function readLicenseTemplates(): Promise<LicenseTemplate[]> {
  known ??= Promise.all(
    licenses.map(async (license) => ({ ...license, content: await contentOf(license) })),
  )
  return known
}
