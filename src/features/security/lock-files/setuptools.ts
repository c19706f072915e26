// setup.py and setup.cfg: requirements with exactly one version. Nothing is executed, so only literal texts count.
import { parsePinnedRequirement } from './line-locks.ts'
import type { ReadLockedPackages } from './read-locked-packages.ts'
import { splitStreamIntoLines } from './split-stream-into-lines.ts'

/** Reads the texts in `install_requires=[...]`. */
export const readSetupScript: ReadLockedPackages = async (content, add) => {
  let isWithin = false
  for await (const line of splitStreamIntoLines(content)) {
    let rest = line.split('#', 1)[0] ?? ''
    const begin = /\binstall_requires\s*=\s*[[(]/.exec(rest)
    if (begin) {
      isWithin = true
      rest = rest.slice(begin.index + begin[0].length)
    }
    if (!isWithin) continue
    const parts = rest.replaceAll("'", '"').split('"')
    for (const [at, text] of parts.entries()) {
      const pinned = at % 2 === 1 ? parsePinnedRequirement(text) : undefined
      if (pinned) add(pinned.name, pinned.version)
      // A bracket outside of quotes ends the list. Inside of quotes it encloses extras.
      if (at % 2 === 0 && /[\])]/.test(text)) isWithin = false
      if (!isWithin) break
    }
  }
}

/** Reads the lines below `install_requires =` in the section `[options]`. */
export const readSetupConfig: ReadLockedPackages = async (content, add) => {
  let section = ''
  let isWithin = false
  for await (const line of splitStreamIntoLines(content)) {
    if (line.startsWith('[')) section = line.trim()
    const begin = /^install_requires\s*=/.exec(line)
    if (/^\S/.test(line)) isWithin = begin !== null && section === '[options]'
    const pinned = isWithin ? parsePinnedRequirement(line.slice(begin?.[0].length ?? 0)) : undefined
    if (pinned) add(pinned.name, pinned.version)
  }
}
