// Formats a merged configuration as YAML.
import { Document, type Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml'
import type { Dict, Tree } from './tree.ts'

export function writeYaml(root: Dict): string {
  const document = new Document<Node>(null, { version: '1.1' })
  document.contents = nodeOf(root)
  return `---\n${document.toString({ indentSeq: false, lineWidth: 0 })}`
}

function nodeOf(tree: Tree): Node {
  if (tree.kind === 'reference') return nodeOf(tree.path)
  if (tree.kind === 'list') {
    const list = new YAMLSeq()
    list.items = tree.items.map(nodeOf)
    return list
  }
  if (tree.kind === 'dict') {
    const map = new YAMLMap()
    map.items = [...tree.entries].map(
      ([key, { value }]) => new Pair(new Scalar(key), nodeOf(value)),
    )
    return map
  }
  const scalar = new Scalar(tree.value)
  // Keeps the decimal of `2.0`, which would otherwise become `2`.
  if (typeof tree.value === 'number' && tree.text.endsWith('.0')) scalar.minFractionDigits = 1
  return scalar
}
