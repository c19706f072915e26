// Public functions of lock files: which files of a repository list dependencies, and their packages.
import { setImmediate } from 'node:timers/promises'
import { GitError } from '../../../git/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { UnreadableReportError } from '../reports/read-report.ts'
import { reportText } from '../reports/report-texts.ts'
import {
  readComposerLock,
  readConanLock,
  readNpmLock,
  readNugetLock,
  readPipenvLock,
} from './json-locks.ts'
import {
  readBundlerLock,
  readGoSum,
  readGradleLock,
  readPipRequirements,
  readSbtBuild,
} from './line-locks.ts'
import { readMavenPom } from './maven.ts'
import type { AddLockedPackage, ReadLockedPackages } from './read-locked-packages.ts'
import { readSetupConfig, readSetupScript } from './setuptools.ts'
import { readYarnLock } from './yarn.ts'

/** The values of the filter, in the order of the documentation. */
export const packageManagers = [
  'bundler',
  'composer',
  'conan',
  'go',
  'gradle',
  'maven',
  'npm',
  'nuget',
  'pip',
  'pipenv',
  'yarn',
  'sbt',
  'setuptools',
] as const
export type PackageManager = (typeof packageManagers)[number]

type Format = { manager: PackageManager; read: ReadLockedPackages }

/** The formats by file name (docs/api/dependencies.md, "Lock files"). */
const formats: ReadonlyMap<string, Format> = new Map<string, Format>([
  ['Gemfile.lock', { manager: 'bundler', read: readBundlerLock }],
  ['gems.locked', { manager: 'bundler', read: readBundlerLock }],
  ['composer.lock', { manager: 'composer', read: readComposerLock }],
  ['conan.lock', { manager: 'conan', read: readConanLock }],
  ['go.sum', { manager: 'go', read: readGoSum }],
  ['gradle.lockfile', { manager: 'gradle', read: readGradleLock }],
  ['buildscript-gradle.lockfile', { manager: 'gradle', read: readGradleLock }],
  ['pom.xml', { manager: 'maven', read: readMavenPom }],
  ['package-lock.json', { manager: 'npm', read: readNpmLock }],
  ['npm-shrinkwrap.json', { manager: 'npm', read: readNpmLock }],
  ['packages.lock.json', { manager: 'nuget', read: readNugetLock }],
  ['requirements.txt', { manager: 'pip', read: readPipRequirements }],
  ['Pipfile.lock', { manager: 'pipenv', read: readPipenvLock }],
  ['yarn.lock', { manager: 'yarn', read: readYarnLock }],
  ['build.sbt', { manager: 'sbt', read: readSbtBuild }],
  ['setup.py', { manager: 'setuptools', read: readSetupScript }],
  ['setup.cfg', { manager: 'setuptools', read: readSetupConfig }],
])

/** Folders that contain copies of other projects. */
const foreign = new Set(['vendor', 'node_modules'])

export function isLockFile(path: string): boolean {
  const parts = path.split('/')
  return (
    formats.has(parts.at(-1) ?? '') &&
    parts.length <= limits.dependencies.path_parts_max &&
    path.length <= limits.reports.path_characters &&
    !parts.some((part) => foreign.has(part))
  )
}

export type LockedPackage = { name: string; version: string; package_manager: PackageManager }

/**
 * Returns the packages of a lock file, each name and version once; none for a malformed file. Other work gets turns every
 * few milliseconds.
 */
export async function readLockFile(path: string, content: Buffer): Promise<LockedPackage[]> {
  const format = formats.get(path.slice(path.lastIndexOf('/') + 1))
  if (!format) return []
  const found = new Map<string, LockedPackage>()
  const add: AddLockedPackage = (given, givenVersion) => {
    const [name, version] = [reportText(given), reportText(givenVersion)]
    if (name === undefined || version === undefined) return
    if (found.size >= limits.dependencies.per_list_max) return
    found.set(`${name}\n${version}`, { name, version, package_manager: format.manager })
  }
  try {
    await format.read(piecesOf(content), add)
  } catch (error) {
    if (!(error instanceof UnreadableReportError || error instanceof GitError)) throw error
    return []
  }
  return [...found.values()]
}

const piece_bytes = 64 * 1024

async function* piecesOf(content: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += piece_bytes) {
    yield content.subarray(at, at + piece_bytes)
    await setImmediate()
  }
}
