// pom.xml: dependencies whose version is in the file itself. Inherited versions are in other files, which are not read.
import sax from 'sax'
import { markWorkResumed } from '../../../kernel/work-attribution.ts'
import { UnreadableReportError } from '../reports/read-report.ts'
import type { ReadLockedPackages } from './read-locked-packages.ts'

type Dependency = { groupId: string; artifactId: string; version: string }

const elements_max = 500_000
const depth_max = 100
const text_characters_max = 1000
/** Limits the substitutions, since properties may refer to other properties. */
const substitutions_max = 10

const dependencyPaths = new Set([
  'project/dependencies/dependency',
  'project/profiles/profile/dependencies/dependency',
])
const managedPath = 'project/dependencyManagement/dependencies/dependency'

export const readMavenPom: ReadLockedPackages = async (content, add) => {
  const reader = new PomReader()
  const decoder = new TextDecoder()
  for await (const piece of content) {
    markWorkResumed()
    reader.write(decoder.decode(piece, { stream: true }))
  }
  for (const { groupId, artifactId, version } of reader.end()) {
    add(`${groupId}/${artifactId}`, version)
  }
}

class PomReader {
  readonly #parser = sax.parser(true, { trim: true, position: false })
  readonly #path: string[] = []
  readonly #properties = new Map<string, string>()
  readonly #dependencies: Dependency[] = []
  readonly #managed: Dependency[] = []
  #elements = 0
  #text = ''

  constructor() {
    this.#parser.onerror = () => {
      throw new UnreadableReportError('XML parsing failed')
    }
    this.#parser.onopentag = ({ name }) => this.#open(name)
    this.#parser.onclosetag = () => this.#close()
    this.#parser.ontext = (text) => this.#add(text)
    this.#parser.oncdata = (text) => this.#add(text)
  }

  write(text: string): void {
    this.#parser.write(text)
  }

  /** Returns the dependencies with exactly one version. */
  end(): Dependency[] {
    this.#parser.close()
    const key = ({ groupId, artifactId }: Dependency) => `${groupId}:${artifactId}`
    const settled = (one: Dependency): Dependency => ({
      groupId: this.#expand(one.groupId),
      artifactId: this.#expand(one.artifactId),
      version: this.#expand(one.version),
    })
    const managed = new Map(this.#managed.map(settled).map((one) => [key(one), one.version]))
    return this.#dependencies
      .map(settled)
      .map((one) => ({ ...one, version: one.version || (managed.get(key(one)) ?? '') }))
      .filter(isPinned)
  }

  #open(name: string): void {
    if (this.#path.length >= depth_max || ++this.#elements > elements_max) {
      throw new UnreadableReportError('A pom.xml is too large')
    }
    this.#path.push(name)
    this.#text = ''
    const path = this.#path.join('/')
    const list = dependencyPaths.has(path)
      ? this.#dependencies
      : path === managedPath && this.#managed
    if (list) list.push({ groupId: '', artifactId: '', version: '' })
  }

  #add(text: string): void {
    if (this.#text.length < text_characters_max) this.#text += text.slice(0, text_characters_max)
  }

  #close(): void {
    const name = this.#path.pop() ?? ''
    const parent = this.#path.join('/')
    const text = this.#text.trim()
    this.#text = ''
    if (text === '') return
    if (parent === 'project/properties') this.#properties.set(name, text)
    // A project inherits these properties from its parent unless it sets them itself.
    else if (parent === 'project') this.#properties.set(`project.${name}`, text)
    else if (parent === 'project/parent') {
      this.#properties.set(`project.parent.${name}`, text)
      if (!this.#properties.has(`project.${name}`)) this.#properties.set(`project.${name}`, text)
    } else this.#describe(name, parent, text)
  }

  #describe(name: string, parent: string, text: string): void {
    const list = parent === managedPath ? this.#managed : this.#dependencies
    const last = list.at(-1)
    if (!last || (parent !== managedPath && !dependencyPaths.has(parent))) return
    if (name === 'groupId' || name === 'artifactId' || name === 'version') last[name] = text
  }

  /** Replaces the properties in a text. Unknown ones are left as they are. */
  #expand(text: string): string {
    let expanded = text
    for (let count = 0; count < substitutions_max && expanded.includes('${'); count++) {
      const next = expanded.replace(/\$\{([^{}]+)\}/, (whole, name: string) => {
        return this.#properties.get(name.replace(/^pom\./, 'project.')) ?? whole
      })
      if (next === expanded || next.length > text_characters_max) break
      expanded = next
    }
    return expanded
  }
}

/** Returns whether the version is complete: neither a range nor with unknown properties. */
function isPinned({ groupId, artifactId, version }: Dependency): boolean {
  return groupId !== '' && artifactId !== '' && version !== '' && !/[[(,$]/.test(version)
}
