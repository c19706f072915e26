// Lock files that are JSON.
import { isRecord } from '../../../kernel/record.ts'
import { readJsonReport } from '../reports/read-report.ts'
import { reportText } from '../reports/report-texts.ts'
import type { AddLockedPackage, ReadLockedPackages } from './read-locked-packages.ts'

/** Reads composer.lock: lists of packages. */
export const readComposerLock: ReadLockedPackages = async (content, add) => {
  const take = (value: unknown) => {
    if (isRecord(value)) add(value.name, value.version)
  }
  await readJsonReport(content, { only: [], membersOf: { packages: take, 'packages-dev': take } })
}

/** Reads Pipfile.lock: `"name": {"version": "==1.2"}`. Packages from other sources have no version. */
export const readPipenvLock: ReadLockedPackages = async (content, add) => {
  const take = (value: unknown, name: string) => {
    const version = isRecord(value) ? reportText(value.version) : undefined
    if (version?.startsWith('==')) add(name, version.slice(2))
  }
  await readJsonReport(content, { only: [], membersOf: { default: take, develop: take } })
}

/** Reads packages.lock.json: packages by target framework. Other projects of the solution are skipped. */
export const readNugetLock: ReadLockedPackages = async (content, add) => {
  await readJsonReport(content, {
    only: [],
    membersOf: {
      dependencies(packages) {
        for (const [name, value] of Object.entries(isRecord(packages) ? packages : {})) {
          if (isRecord(value) && value.type !== 'Project') add(name, value.resolved)
        }
      },
    },
  })
}

/** Reads conan.lock: a graph in Conan 1, lists since then. The node without a reference is the project itself. */
export const readConanLock: ReadLockedPackages = async (content, add) => {
  const take = (reference: unknown) => addReference(reference, add)
  await readJsonReport(content, {
    only: [],
    membersOf: {
      'graph_lock.nodes': (node) => {
        if (isRecord(node) && node.path === undefined) take(node.ref)
      },
      requires: take,
      build_requires: take,
      python_requires: take,
    },
  })
}

/** Adds a package of a reference: `name/version@user/channel#revision%time`. */
function addReference(reference: unknown, add: AddLockedPackage): void {
  const [name, version] = reportText(reference)?.split(/[@#%]/, 1)[0]?.split('/') ?? []
  add(name, version)
}

/** Reads package-lock.json: by folder since version 2, which also has the older tree; as a tree in version 1. */
export const readNpmLock: ReadLockedPackages = async (content, add) => {
  const tree: [name: string, version: unknown][] = []
  let hasFolders = false
  await readJsonReport(content, {
    only: [],
    membersOf: {
      packages(value, folder) {
        hasFolders = true
        const at = folder.lastIndexOf('node_modules/')
        // Other folders are packages of the repository itself.
        if (at < 0 || !isRecord(value) || value.link === true) return
        add(value.name ?? folder.slice(at + 'node_modules/'.length), value.version)
      },
      dependencies(value, name) {
        if (hasFolders) return
        // Not `push(...)`, since there may be more packages than a call can have arguments.
        for (const found of packagesOf(name, value)) tree.push(found)
      },
    },
  })
  if (hasFolders) return
  for (const [name, version] of tree) add(...resolveNpmAlias(name, version))
}

/** Returns a package of the tree and those nested in it. */
function packagesOf(name: string, value: unknown): [string, unknown][] {
  const found: [string, unknown][] = []
  const waiting: [string, unknown][] = [[name, value]]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [inner, details] = next
    if (!isRecord(details)) continue
    found.push([inner, details.version])
    if (isRecord(details.dependencies)) {
      for (const entry of Object.entries(details.dependencies)) waiting.push(entry)
    }
  }
  return found
}

/** `npm:name@version` is an alias for another package. */
export function resolveNpmAlias(name: string, version: unknown): [name: string, version: unknown] {
  const text = reportText(version)
  const at = text?.lastIndexOf('@') ?? -1
  return text?.startsWith('npm:') && at > 'npm:'.length
    ? [text.slice('npm:'.length, at), text.slice(at + 1)]
    : [name, version]
}
