// `include`: merges the included files in order; the configuration's own text overrides them.

import { limits } from '../kernel/limits.ts'
import { ciMessages } from './ci-messages.ts'
import { isRuleMatching } from './decide.ts'
import { ConfigurationError, DiagnosticCollector } from './diagnostic-collector.ts'
import type { EvaluationContext } from './evaluation-context.ts'
import { itemsOfListOrValue } from './fields.ts'
import { listPathsMatchingInclude } from './globs.ts'
import { applyPipelineInputs } from './inputs.ts'
import { parseIncludes } from './parse-includes.ts'
import type { ConfigFiles, Include, IncludedFile } from './planned.ts'
import { readYaml } from './read-yaml.ts'
import { readCiRules } from './rule.ts'
import {
  childOfDict,
  createDictNode,
  type Dict,
  deepMergeTrees,
  isNullScalar,
  type Tree,
  treeSizeOf,
} from './tree.ts'

export type ConfigurationSource = {
  text: string
  path: string
  files: ConfigFiles
  context: EvaluationContext
}

/**
 * Loads a configuration, merges all files it includes into it, and removes `include`. Adds each included file to
 * `included`. Throws ConfigurationError for a file that cannot be read.
 */
export async function loadConfiguration(
  { text, path, files, context }: ConfigurationSource,
  included: IncludedFile[],
): Promise<Dict> {
  const loader = new Loader(files, context, included)
  return loader.load(text, { name: path })
}

/**
 * A file of the configuration. `name` is used in messages. `from` is the include that referred to the file;
 * local includes in it are relative to that.
 */
type File = { name: string; from?: Include; inputs?: Tree | undefined }

class Loader {
  readonly #files: ConfigFiles
  readonly #context: EvaluationContext
  readonly #included: IncludedFile[]

  constructor(files: ConfigFiles, context: EvaluationContext, included: IncludedFile[]) {
    this.#files = files
    this.#context = context
    this.#included = included
  }

  async load(text: string, file: File): Promise<Dict> {
    const root = await this.#read(text, file)
    let merged: Tree | undefined
    const include = childOfDict(root, 'include')
    for (const entry of include && !isNullScalar(include) ? itemsOfListOrValue(include) : []) {
      for (const tree of await this.#loadEntry(entry, file)) merged = this.#merge(merged, tree)
    }
    const entries = new Map(root.entries)
    entries.delete('include')
    const whole = this.#merge(merged, createDictNode(entries, root.at))
    return whole.kind === 'dict' ? whole : root
  }

  async #read(text: string, { name, from, inputs }: File): Promise<Dict> {
    try {
      const documents = await readYaml(text, name, this.#context.work)
      const root = applyPipelineInputs(documents, inputs, this.#context)
      if (root?.kind === 'dict') return root
      throw new ConfigurationError(ciMessages.noDict, root?.at)
    } catch (error) {
      if (!(error instanceof ConfigurationError) || !from) throw error
      throw new ConfigurationError(ciMessages.includeBroken(name, error.message), error.at)
    }
  }

  #merge(base: Tree | undefined, over: Tree): Tree {
    const merged = base ? deepMergeTrees(base, over, this.#context.work) : over
    if (treeSizeOf(merged).characters > limits.ci.tree_characters) {
      throw new ConfigurationError(ciMessages.tooBig, over.at)
    }
    return merged
  }

  async #loadEntry(entry: Tree, file: File): Promise<Tree[]> {
    if (!(await this.#isWanted(entry))) return []
    const trees: Tree[] = []
    for (const include of parseIncludes(entry)) {
      const expanded = this.#expand(include)
      for (const found of await this.#findFiles(expanded, file, entry)) {
        trees.push(await this.#loadFile(found, entry))
      }
    }
    return trees
  }

  async #isWanted(entry: Tree): Promise<boolean> {
    const node = childOfDict(entry, 'rules')
    if (!node || isNullScalar(node)) return true
    const problems = new DiagnosticCollector()
    const { work } = this.#context
    const rules = readCiRules({ node, label: 'include:rules', problems, work }, 'include') ?? []
    const [problem] = problems.diagnostics
    if (problem) throw new ConfigurationError(problem.text, node.at)
    for (const rule of rules) {
      if (await isRuleMatching(rule, this.#context)) return rule.when !== 'never'
    }
    return false
  }

  #expand(include: Include): Include {
    const members = Object.entries(include).map(([key, value]) => [
      key,
      typeof value === 'string' ? this.#context.expand(value) : value,
    ])
    return Object.fromEntries(members)
  }

  /** Returns the files of an include; for a local include with wildcards all that match. */
  async #findFiles(include: Include, { from }: File, entry: Tree): Promise<Include[]> {
    if (include.kind !== 'local') return [include]
    // A local include in a file of another project refers to that project.
    if (from?.kind === 'project') return [{ ...from, path: include.path }]
    if (from?.kind === 'remote') {
      throw new ConfigurationError(ciMessages.includeLocalOfRemote(include.path), entry.at)
    }
    if (!include.path.includes('*')) return [include]
    const paths = await this.#files.listPaths()
    const found = await listPathsMatchingInclude(include.path, paths, this.#context.work)
    if (found.length === 0) {
      throw new ConfigurationError(ciMessages.includeNothingMatches(include.path), entry.at)
    }
    return found.map((path) => ({ kind: 'local', path }))
  }

  async #loadFile(include: Include, entry: Tree): Promise<Tree> {
    const location = locationOf(include)
    if (this.#included.length >= limits.ci.includes_max) {
      throw new ConfigurationError(ciMessages.tooManyIncludes, entry.at)
    }
    if (include.kind === 'local' || include.kind === 'project') {
      if (!/\.ya?ml$/i.test(location)) {
        throw new ConfigurationError(ciMessages.includeNoYaml(location), entry.at)
      }
    }
    this.#included.push(include)
    const read = await this.#files.read(include)
    if ('problem' in read) throw new ConfigurationError(read.problem, entry.at)
    if (read.text.trim() === '') {
      throw new ConfigurationError(ciMessages.includeEmpty(location), entry.at)
    }
    return this.load(read.text, {
      name: location,
      from: include,
      inputs: childOfDict(entry, 'inputs'),
    })
  }
}

function locationOf(include: Include): string {
  if (include.kind === 'remote') return include.url
  return include.kind === 'template' ? include.name : include.path
}
