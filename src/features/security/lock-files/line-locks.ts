// Lock files that are read line by line.

import type { ReadLockedPackages } from './read-locked-packages.ts'
import { splitStreamIntoLines } from './split-stream-into-lines.ts'

/** Reads Gemfile.lock: ` name (version)` below `specs:`. Gems inside the repository are skipped. */
export const readBundlerLock: ReadLockedPackages = async (content, add) => {
  let section = ''
  for await (const line of splitStreamIntoLines(content)) {
    if (/^[A-Z]/.test(line)) section = line.trim()
    const spec = /^ {4}([^ (]+) \(([^)\s]+)\)$/.exec(line)
    // The version ends at the first hyphen, which the platform follows.
    if (spec && section !== 'PATH') add(spec[1], spec[2]?.split('-', 1)[0])
  }
}

/** Reads go.sum: `module version hash`. Modules of which only go.mod was downloaded are not used in the build. */
export const readGoSum: ReadLockedPackages = async (content, add) => {
  for await (const line of splitStreamIntoLines(content)) {
    const [name, version, hash] = line.split(' ')
    if (hash?.startsWith('h1:') && !version?.endsWith('/go.mod')) add(name, version)
  }
}

/** Reads gradle.lockfile: `group:name:version=configurations`. */
export const readGradleLock: ReadLockedPackages = async (content, add) => {
  for await (const line of splitStreamIntoLines(content)) {
    const [, group, name, version] = /^([\w.-]+):([\w.-]+):([^=:]+)=/.exec(line) ?? []
    if (group && name) add(`${group}/${name}`, version)
  }
}

/** Reads requirements.txt: `name[extra]==version ; marker`. Only `==` names a version. */
export const readPipRequirements: ReadLockedPackages = async (content, add) => {
  for await (const line of splitStreamIntoLines(content)) {
    const pinned = parsePinnedRequirement(line)
    if (pinned) add(pinned.name, pinned.version)
  }
}

/** Parses a Python requirement with exactly one version (PEP 440, 508); undefined for any other text. */
export function parsePinnedRequirement(
  text: string,
): { name: string; version: string } | undefined {
  const found =
    /^\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\]\s*)?={2,3}\s*([\w.+!-]+)(?:[\s;#\\]|$)/.exec(text)
  return found ? { name: found[1] ?? '', version: found[2] ?? '' } : undefined
}

/** Reads build.sbt: `"group" %% "name" % "version"`, all of them string literals. */
export const readSbtBuild: ReadLockedPackages = async (content, add) => {
  for await (const line of splitStreamIntoLines(content)) {
    // The parts at odd positions are between quotes.
    const parts = line.split('"')
    for (let at = 1; at + 4 < parts.length; at += 2) {
      if (parts[at - 1]?.includes('//')) break
      const [group, first, name, second, version] = parts.slice(at, at + 5)
      if (/^\s*%{1,3}\s*$/.test(first ?? '') && second?.trim() === '%') {
        add(`${group}/${name}`, version)
        at += 4
      }
    }
  }
}
