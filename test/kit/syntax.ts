// The sources as the compiler reads them, for checks that a search through their text could not make.
import { join, relative } from 'node:path'
import type { Node, SourceFile } from 'typescript/unstable/ast'
import { API, type Checker } from 'typescript/unstable/sync'

export type Syntax = {
  /** What runs in the server: no tests. */
  sources: readonly SourceFile[]
  checker: Checker
  /** Any file of the project, by its path in it. */
  file: (path: string) => SourceFile
  /** `src/kernel/names.ts:12` */
  placeOf: (node: Node, file: SourceFile) => string
  close: () => void
}

const root = join(import.meta.dirname, '../..')

export function readSyntax(): Syntax {
  const api = new API({ cwd: root })
  const snapshot = api.updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] })
  const [project] = snapshot.getProjects()
  if (!project) throw new Error('tsconfig.json is no project.')
  const { program, checker } = project
  const file = (path: string) => {
    const found = program.getSourceFile(join(root, path))
    if (!found) throw new Error(`${path} is not in the project.`)
    return found
  }
  const paths = program.getSourceFileNames().map((path) => relative(root, path))
  return {
    sources: paths
      .filter((path) => path.startsWith('src/') && !path.endsWith('.test.ts'))
      .map(file),
    checker,
    file,
    placeOf: (node, { fileName, text }) => {
      const line = text.slice(0, node.getStart()).split('\n').length
      return `${relative(root, fileName)}:${line}`
    },
    close: () => api.close(),
  }
}

/** All nodes of a file, each before what it is made of. */
export const nodesOf = (file: SourceFile): Generator<Node> => nodesWithin(file)

/** The node, and all it is made of, each before what it is made of itself. */
export function* nodesWithin(top: Node): Generator<Node> {
  const open: Node[] = [top]
  for (let node = open.pop(); node; node = open.pop()) {
    yield node
    const inner: Node[] = []
    node.forEachChild((child) => {
      inner.push(child)
    })
    open.push(...inner.reverse())
  }
}
