// The inputs that an included file declares in its header (`spec:inputs`), and `$[[ inputs.name ]]` in its content.
import { limits } from '../kernel/limits.ts'
import { ciMessages } from './ci-messages.ts'
import { ConfigurationError } from './diagnostic-collector.ts'
import type { EvaluationContext } from './evaluation-context.ts'
import { countExpansionSteps, createVariableLookup, expandVariables } from './expand.ts'
import { textOfNode } from './fields.ts'
import { compileRegexLiteral } from './regular-expression.ts'
import {
  childOfDict,
  createDictNode,
  createListNode,
  createScalarNode,
  type Dict,
  type DictEntry,
  isNullScalar,
  type Tree,
  toPlainValue,
} from './tree.ts'

const types = ['string', 'number', 'boolean', 'array'] as const
type InputType = (typeof types)[number]
const specKeys = ['default', 'description', 'options', 'regex', 'type', 'rules']

/**
 * Returns the content of a file: its first document, or the second if the first is a header with `spec`, with the inputs
 * inserted. Throws ConfigurationError for a wrong header and for missing or unknown inputs.
 */
export function applyPipelineInputs(
  documents: readonly Tree[],
  given: Tree | undefined,
  context: EvaluationContext,
): Tree | undefined {
  const [header, content] = documents
  const spec = documents.length > 1 ? childOfDict(header, 'spec') : undefined
  if (!spec || !content) {
    const names = given?.kind === 'dict' ? [...given.entries.keys()] : []
    if (names.length > 0) {
      throw new ConfigurationError(ciMessages.inputsUnknown(names.join(', ')), given?.at)
    }
    return header
  }
  const inputs = readInputs(spec, given, context)
  return new Interpolation(inputs, context).apply(content)
}

function readInputs(
  spec: Tree,
  given: Tree | undefined,
  context: EvaluationContext,
): Map<string, Tree> {
  if (spec.kind !== 'dict') throw new ConfigurationError(ciMessages.headerInvalid, spec.at)
  const unknownKeys = [...spec.entries.keys()].filter((key) => !['inputs', 'include'].includes(key))
  if (unknownKeys.length > 0) {
    throw new ConfigurationError(ciMessages.headerKeys(unknownKeys.join(', ')), spec.at)
  }
  const asked = childOfDict(spec, 'inputs')
  const wanted: Dict = asked?.kind === 'dict' ? asked : createDictNode(new Map(), spec.at)
  const offered = given?.kind === 'dict' ? [...given.entries.keys()] : []
  const unknown = offered.filter((name) => !wanted.entries.has(name))
  if (unknown.length > 0) {
    throw new ConfigurationError(ciMessages.inputsUnknown(unknown.join(', ')), given?.at)
  }
  const inputs = new Map<string, Tree>()
  for (const [name, { value: rule }] of wanted.entries) {
    const value = childOfDict(given, name) ?? childOfDict(rule, 'default')
    if (!value) throw new ConfigurationError(ciMessages.inputMissing(name), rule.at)
    checkInput(name, value, rule, context)
    inputs.set(name, value)
  }
  return inputs
}

function checkInput(name: string, value: Tree, rule: Tree, { work }: EvaluationContext): void {
  const keys = rule.kind === 'dict' ? [...rule.entries.keys()] : []
  const strange = keys.filter((key) => !specKeys.includes(key))
  if (strange.length > 0) {
    const text = `header:spec:inputs:${name} ${ciMessages.unknownKeys(strange.join(', '))}`
    throw new ConfigurationError(text, rule.at)
  }
  const said = textOfNode(childOfDict(rule, 'type')) ?? 'string'
  const type = types.find((known) => known === said)
  if (!type) throw new ConfigurationError(ciMessages.inputTypeUnknown(name), rule.at)
  if (!isOfType(value, type))
    throw new ConfigurationError(ciMessages.inputWrongType(name, type), value.at)
  const options = childOfDict(rule, 'options')
  const shown = value.kind === 'scalar' ? value.text : ''
  if (options?.kind === 'list' && !options.items.some((item) => isSame(item, value))) {
    throw new ConfigurationError(ciMessages.inputNoOption(name, shown), value.at)
  }
  const regex = textOfNode(childOfDict(rule, 'regex'))
  if (regex === undefined) return
  const expression = compileRegexLiteral(regex.startsWith('/') ? regex : `/${regex}/`, work)
  if (!expression?.test(shown, work))
    throw new ConfigurationError(ciMessages.inputNoMatch(name), value.at)
}

function isOfType(value: Tree, type: InputType): boolean {
  if (type === 'array') return value.kind === 'list'
  return value.kind === 'scalar' && (isNullScalar(value) || typeof value.value === type)
}

function isSame(one: Tree, other: Tree): boolean {
  return one.kind === 'scalar' && other.kind === 'scalar' && one.value === other.value
}

const block = /\$\[\[([^\][]*)\]\]/g

class Interpolation {
  readonly #inputs: ReadonlyMap<string, Tree>
  readonly #context: EvaluationContext
  /** Shared parts of the tree are processed once. */
  readonly #done = new Map<Tree, Tree>()

  constructor(inputs: ReadonlyMap<string, Tree>, context: EvaluationContext) {
    this.#inputs = inputs
    this.#context = context
  }

  apply(tree: Tree): Tree {
    const known = this.#done.get(tree)
    if (known) return known
    const applied = this.#apply(tree)
    this.#done.set(tree, applied)
    return applied
  }

  #apply(tree: Tree): Tree {
    this.#context.work.count(1)
    if (tree.kind === 'reference') return { ...tree, path: this.apply(tree.path) }
    if (tree.kind === 'list') {
      return createListNode(
        tree.items.map((item) => this.apply(item)),
        tree.at,
      )
    }
    if (tree.kind === 'scalar')
      return typeof tree.value === 'string' ? this.#fill(tree.text, tree) : tree
    const entries = new Map<string, DictEntry>()
    for (const [key, entry] of tree.entries) {
      const filled = this.#fill(key, entry.value)
      const name = filled.kind === 'scalar' ? filled.text : key
      entries.set(key.includes('$[[') ? name : key, { ...entry, value: this.apply(entry.value) })
    }
    return createDictNode(entries, tree.at)
  }

  /**
   * Fills the inputs into a text. If the text is a single block, the value keeps its type; otherwise values
   * are converted to text.
   */
  #fill(text: string, { at }: Tree): Tree {
    if (!text.includes('$[[')) return createScalarNode(text, at)
    const [whole, inner] = text.match(/^\$\[\[([^\][]*)\]\]$/) ?? []
    if (whole !== undefined && inner !== undefined) {
      const value = this.#evaluate(inner, at)
      return value.kind === 'scalar' ? { ...value, at } : value
    }
    const filled = text.replace(block, (_, name: string) => {
      const value = this.#evaluate(name, at)
      const shown = value.kind === 'scalar' ? value.text : JSON.stringify(toPlainValue(value))
      this.#context.work.count(shown.length / 16)
      return shown
    })
    return createScalarNode(filled, at)
  }

  /** Evaluates `inputs.name | function | function(1, 2)`. */
  #evaluate(inner: string, at: Tree['at']): Tree {
    const [access = '', ...functions] = inner.split('|').map((part) => part.trim())
    const name = access.startsWith('inputs.') ? access.slice('inputs.'.length) : undefined
    const value = name === undefined ? undefined : this.#inputs.get(name)
    if (!value) throw new ConfigurationError(ciMessages.interpolationUnknown(access), at)
    return functions.reduce((result, call) => this.#call(call, result, at), value)
  }

  #call(call: string, value: Tree, at: Tree['at']): Tree {
    const text = value.kind === 'scalar' ? value.text : ''
    if (call === 'expand_vars') {
      const { work, values } = this.#context
      const expanded = expandVariables(
        text,
        createVariableLookup(values),
        limits.ci.value_characters,
      )
      countExpansionSteps(work, text.length + (expanded?.length ?? 0))
      if (expanded === undefined) throw new ConfigurationError(ciMessages.tooBig, at)
      return createScalarNode(expanded, at)
    }
    if (call === 'posix_escape') return createScalarNode(escapeForShell(text), at)
    const [, from, length] = call.match(/^truncate\( *([0-9]+) *, *([0-9]+) *\)$/) ?? []
    if (from === undefined) throw new ConfigurationError(ciMessages.interpolationFunction(call), at)
    return createScalarNode(text.slice(Number(from), Number(from) + Number(length)), at)
  }
}

function escapeForShell(text: string): string {
  return text === '' ? "''" : text.replace(/[^\w@%+=:,./-]/g, '\\$&')
}
