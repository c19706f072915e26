// Parses an entry of `include` or `trigger:include`: the location of a file.

import { ciMessages } from './ci-messages.ts'
import { ConfigurationError } from './diagnostic-collector.ts'
import { itemsOfListOrValue, scalarTextOfNode, textOfNode, textsOfListNode } from './fields.ts'
import type { Include } from './planned.ts'
import { childOfDict, type Tree, toPlainValue } from './tree.ts'

const kinds = ['local', 'project', 'remote', 'template', 'artifact', 'component'] as const

/**
 * Returns the files that one entry of `include` names, variables unexpanded. Throws ConfigurationError for an entry that
 * names no file.
 */
export function parseIncludes(entry: Tree): Include[] {
  const text = textOfNode(entry)
  if (text !== undefined) {
    const isRemote = text.startsWith('http://') || text.startsWith('https://')
    return [isRemote ? { kind: 'remote', url: text } : { kind: 'local', path: localPath(text) }]
  }
  if (entry.kind !== 'dict') throw new ConfigurationError(ciMessages.includeNoHash, entry.at)
  const present = kinds.filter((kind) => entry.entries.has(kind))
  const [kind, other] = present
  if (kind === undefined) {
    const shown = JSON.stringify(toPlainValue(entry)).slice(0, 200)
    throw new ConfigurationError(ciMessages.includeNeedsKey(shown), entry.at)
  }
  if (other !== undefined) throw new ConfigurationError(ciMessages.includeAmbiguous, entry.at)
  return includesOfKind(kind, entry)
}

function includesOfKind(kind: (typeof kinds)[number], entry: Tree): Include[] {
  const location = locationOf(entry, kind)
  switch (kind) {
    case 'local':
      return [{ kind, path: localPath(location) }]
    case 'remote':
      return [{ kind, url: location }]
    case 'template':
      return [{ kind, name: location }]
    case 'component':
      return [componentOf(location, entry)]
    case 'artifact': {
      const job = textOfNode(childOfDict(entry, 'job'))
      if (!job) throw new ConfigurationError(`include ${ciMessages.artifactWithoutJob}`, entry.at)
      return [{ kind, job, path: location }]
    }
    case 'project': {
      const file = childOfDict(entry, 'file')
      const paths =
        file &&
        (textsOfListNode(file) ?? itemsOfListOrValue(file).map((item) => locationOfItem(item)))
      if (!paths?.length)
        throw new ConfigurationError(ciMessages.includeWithoutFile(location), entry.at)
      const ref = scalarTextOfNode(childOfDict(entry, 'ref'))
      return paths.map((path) => ({ kind, project: location, ref, path: localPath(path) }))
    }
  }
}

/**
 * Parses a component: `host/group/project/name@version` is `templates/name.yml` of that project. The host is
 * ignored, since only components of this server are supported.
 */
function componentOf(location: string, { at }: Tree): Include {
  const [, project, name, ref] = location.match(/^[^/@]+\/([^@]+)\/([^/@]+)@([^@]+)$/) ?? []
  if (project === undefined || ref === undefined) {
    throw new ConfigurationError(ciMessages.componentInvalid(location), at)
  }
  return { kind: 'project', project, ref, path: `templates/${name}.yml` }
}

function locationOf(entry: Tree, key: string): string {
  const value = childOfDict(entry, key)
  if (!value) throw new ConfigurationError(ciMessages.includeNoHash, entry.at)
  return locationOfItem(value)
}

function locationOfItem(value: Tree): string {
  const text = textOfNode(value)
  if (text === undefined) {
    throw new ConfigurationError(
      ciMessages.includeNoText(JSON.stringify(toPlainValue(value))),
      value.at,
    )
  }
  return text
}

/** Paths are relative to the root of the repository, with or without a leading slash. */
function localPath(path: string): string {
  return path.replace(/^\/+/, '')
}
