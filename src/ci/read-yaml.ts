// Parses YAML into trees. The library parses the syntax; the meaning of scalars, aliases and merge keys is defined here,
// with one step for each alias, however much it expands to.
import {
  Composer,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  type YAMLMap,
  type Scalar as YamlScalar,
} from 'yaml'
import { limits } from '../kernel/limits.ts'
import { createLruCache } from '../kernel/lru.ts'
import { ciMessages } from './ci-messages.ts'
import { ConfigurationError } from './diagnostic-collector.ts'
import { resolveScalar } from './resolve-scalar.ts'
import type { StepBudget } from './step-budget.ts'
import {
  createDictNode,
  createListNode,
  createScalarNode,
  type DictEntry,
  isNullScalar,
  type SourceLocation,
  type Tree,
  treeSizeOf,
} from './tree.ts'

/** Caches parsed texts, about a megabyte: many pushes have the same configuration, and trees never change. */
const kept = createLruCache<Tree[]>(1000)

/**
 * Parses a text into its documents, in order. Throws ConfigurationError for malformed YAML and for a text that is too
 * large.
 */
export async function readYaml(text: string, file: string, work: StepBudget): Promise<Tree[]> {
  const key = `${file}\0${text}`
  const documents = kept.get(key) ?? (await parseYaml(text, file, work))
  kept.set(key, documents)
  return documents
}

async function parseYaml(text: string, file: string, work: StepBudget): Promise<Tree[]> {
  const start = { file, line: 1, column: 1 }
  if (Buffer.byteLength(text) > limits.ci.file_bytes) {
    throw new ConfigurationError(ciMessages.tooBig, start)
  }
  const lines = new LineCounter()
  lines.addNewLine(0)
  const placeOf = (offset: number): SourceLocation => {
    const { line, col } = lines.linePos(offset)
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const documents: Document.Parsed[] = []
  // `failsafe` keeps each scalar as written. The library's check for duplicate keys compares all pairs, so it
  // is off; the last one of duplicate keys wins, as in the real product.
  const composer = new Composer({ version: '1.1', schema: 'failsafe', uniqueKeys: false })
  for (const token of await parseTokens(text, { lines, work, start })) {
    documents.push(...composer.next(token))
    await work.spend(0)
  }
  documents.push(...composer.end(false, text.length))
  return documents.map((document) => {
    const [error] = document.errors
    if (error) {
      const at = placeOf(error.pos[0])
      throw new ConfigurationError(ciMessages.syntax(error.message, at), at)
    }
    const tree = new Converter(placeOf, work).convert(document.contents)
    const { characters, depth } = treeSizeOf(tree)
    if (characters > limits.ci.tree_characters || depth > limits.ci.depth) {
      throw new ConfigurationError(ciMessages.tooBig, start)
    }
    return tree
  })
}

/** Parses a text into tokens. Refuses deep nesting here, since the composer that follows is recursive. */
async function parseTokens(
  text: string,
  { lines, work, start }: { lines: LineCounter; work: StepBudget; start: SourceLocation },
) {
  const parser = new Parser(lines.addNewLine)
  const tokens: ReturnType<Parser['next']> extends Generator<infer Token> ? Token[] : never = []
  let lexemes = 0
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme))
    lexemes++
    if (lexemes > limits.ci.lexemes_max || parser.stack.length > 2 * limits.ci.depth) {
      throw new ConfigurationError(ciMessages.tooBig, start)
    }
    if (work.isDue(1)) await work.pause()
  }
  tokens.push(...parser.end())
  return tokens
}

class Converter {
  readonly #placeOf: (offset: number) => SourceLocation
  readonly #work: StepBudget
  readonly #anchors = new Map<string, Tree>()

  constructor(placeOf: (offset: number) => SourceLocation, work: StepBudget) {
    this.#placeOf = placeOf
    this.#work = work
  }

  convert(node: Node | null): Tree {
    if (node === null) return createScalarNode(null, this.#placeOf(0))
    const at = this.#placeOf(node.range?.[0] ?? 0)
    if (isAlias(node)) {
      const known = this.#anchors.get(node.source)
      if (!known) throw new ConfigurationError(ciMessages.unknownAlias(node.source), at)
      return known
    }
    const tree = this.#convertValue(node, at)
    // The anchor is set after its parts are converted, so an alias inside of its own anchor is not found.
    if ('anchor' in node && node.anchor) this.#anchors.set(node.anchor, tree)
    return tree
  }

  #convertValue(node: Node, at: SourceLocation): Tree {
    if (isScalar(node)) return convertScalar(node, at)
    if (isMap(node)) return this.#convertMap(node, at)
    if (!isSeq(node)) return createScalarNode(null, at)
    const list = createListNode(
      node.items.map((item) => this.convert(item as Node | null)),
      at,
    )
    return node.tag === '!reference' ? { kind: 'reference', path: list, at } : list
  }

  #convertMap(node: YAMLMap, at: SourceLocation): Tree {
    const entries = new Map<string, DictEntry>()
    for (const pair of node.items) {
      const key = this.convert(pair.key as Node | null)
      const value = this.convert(pair.value as Node | null)
      const isPlain = isScalar(pair.key) && pair.key.type === 'PLAIN'
      if (isPlain && key.kind === 'scalar' && key.text === '<<') this.#mergeInto(entries, value)
      else if (key.kind !== 'scalar') throw new ConfigurationError(ciMessages.keyIsNoText, key.at)
      else {
        const isName = typeof key.value === 'string'
        // An empty value gets the location of its key.
        const placed = isNullScalar(value) ? createScalarNode(null, key.at) : value
        entries.set(key.text, { at: key.at, isName, value: placed })
      }
    }
    return createDictNode(entries, at)
  }

  /**
   * Merges `<<` as the real product's library does: merged keys override those before and are overridden by
   * those after it. If several dicts are merged, the first one wins.
   */
  #mergeInto(entries: Map<string, DictEntry>, value: Tree): void {
    if (value.kind === 'dict') {
      this.#work.count(value.entries.size)
      for (const [key, entry] of value.entries) entries.set(key, entry)
    } else if (value.kind === 'list' && value.items.every(({ kind }) => kind === 'dict')) {
      for (const item of value.items.toReversed()) this.#mergeInto(entries, item)
    } else if (!isNullScalar(value)) throw new ConfigurationError(ciMessages.badMerge, value.at)
  }
}

function convertScalar(node: YamlScalar, at: SourceLocation): Tree {
  const text = typeof node.value === 'string' ? node.value : ''
  if (node.type !== 'PLAIN' || node.tag === '!' || node.tag?.endsWith(':str')) {
    return createScalarNode(text, at)
  }
  return resolveScalar(text, at)
}
