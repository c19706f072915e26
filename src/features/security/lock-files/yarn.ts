// yarn.lock of Yarn 1, and of later versions, which is simple YAML with entries at the margin.
import { resolveNpmAlias } from './json-locks.ts'
import type { ReadLockedPackages } from './read-locked-packages.ts'
import { splitStreamIntoLines } from './split-stream-into-lines.ts'

type Entry = { name: string; version: string | undefined; resolution: string | undefined }

export const readYarnLock: ReadLockedPackages = async (content, add) => {
  let entry: Entry | undefined
  const end = () => {
    if (!entry) return
    const { name, resolution } = entry
    // Packages inside of the repository have no version of their own.
    if (!/@(?:workspace|link|portal):/.test(resolution ?? '')) {
      add(nameOf(resolution) ?? name, entry.version)
    }
  }
  for await (const line of splitStreamIntoLines(content)) {
    if (/^[^\s#].*:$/.test(line)) {
      end()
      entry = { name: wantedName(line), version: undefined, resolution: undefined }
      continue
    }
    const member = /^ {2}(version|resolution):? +"?([^"\s]+)"?$/.exec(line)
    if (!entry || !member) continue
    if (member[1] === 'version') entry.version = member[2]
    else entry.resolution = member[2]
  }
  end()
}

/** Returns the package of a line such as `"@babel/core@^7.0.0", "@babel/core@^7.1.0":`, here `@babel/core`. */
function wantedName(line: string): string {
  const wanted = line.slice(0, -1).split(',', 1)[0]?.replaceAll('"', '') ?? ''
  const name = nameOf(wanted) ?? ''
  return resolveNpmAlias(name, wanted.slice(name.length + 1))[0]
}

/** Returns the name in `name@range`. The name itself may begin with `@`. */
function nameOf(text: string | undefined): string | undefined {
  const at = text?.indexOf('@', 1) ?? -1
  return at > 0 ? text?.slice(0, at) : undefined
}
