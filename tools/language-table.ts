// Writes src/features/repository/languages/language-table.json from the package linguist-languages, whose 800
// modules take a quarter of a second and 29 MB to load: `node tools/language-table.ts`.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as linguist from 'linguist-languages'

type Language = {
  name: string
  type: string
  group?: string
  extensions?: string[]
  filenames?: string[]
  interpreters?: string[]
  aliases?: string[]
}

/** The language of an extension that several languages have, if the order of their extensions does not decide. */
const preferred: Record<string, string> = {
  '.1': 'Roff',
  '.as': 'ActionScript',
  '.asc': 'AsciiDoc',
  '.asm': 'Assembly',
  '.b': 'Brainfuck',
  '.bas': 'VBA',
  '.bf': 'Brainfuck',
  '.cairo': 'Cairo',
  '.cgi': 'Perl',
  '.cls': 'TeX',
  '.csl': 'XML',
  '.e': 'Eiffel',
  '.f': 'Fortran',
  '.fcgi': 'Perl',
  '.for': 'Fortran',
  '.frag': 'GLSL',
  '.frm': 'VBA',
  '.fs': 'F#',
  '.g': 'G-code',
  '.gs': 'JavaScript',
  '.hh': 'C++',
  '.html': 'HTML',
  '.i': 'SWIG',
  '.inc': 'PHP',
  '.json': 'JSON',
  '.lisp': 'Common Lisp',
  '.ls': 'LiveScript',
  '.lsp': 'Common Lisp',
  '.m': 'Objective-C',
  '.md': 'Markdown',
  '.ml': 'OCaml',
  '.mod': 'Modula-2',
  '.mojo': 'Mojo',
  '.ms': 'Roff',
  '.nb': 'Wolfram Language',
  '.nu': 'Nushell',
  '.odin': 'Odin',
  '.p': 'OpenEdge ABL',
  '.pl': 'Perl',
  '.plt': 'Prolog',
  '.pm': 'Perl',
  '.pod': 'Pod',
  '.pro': 'QMake',
  '.q': 'q',
  '.r': 'R',
  '.rs': 'Rust',
  '.s': 'Assembly',
  '.scm': 'Scheme',
  '.sol': 'Solidity',
  '.spec': 'RPM Spec',
  '.sql': 'SQL',
  '.st': 'Smalltalk',
  '.sw': 'Sway',
  '.t': 'Perl',
  '.tl': 'Teal',
  '.ts': 'TypeScript',
  '.tsx': 'TSX',
  '.txt': 'Text',
  '.v': 'Verilog',
  '.vba': 'VBA',
  '.x': 'RPC',
  '.yaml': 'YAML',
  '.yml': 'YAML',
}

const languages = Object.values(linguist) as Language[]

/** Returns the language that files are counted under: that of its group, or nothing for data and prose. */
function countedAs({ name, type, group }: Language): string {
  return type === 'programming' || type === 'markup' ? (group ?? name) : ''
}

function choose(extension: string, candidates: readonly Language[]): Language | undefined {
  return (
    candidates.find(({ name }) => name === preferred[extension]) ??
    candidates.find(({ extensions }) => extensions?.[0] === extension) ??
    candidates[0]
  )
}

function index(kind: 'extensions' | 'filenames' | 'interpreters'): Record<string, string> {
  const keys = [...new Set(languages.flatMap((language) => language[kind] ?? []))].sort()
  return Object.fromEntries(
    keys.flatMap((key) => {
      const chosen = choose(
        key,
        languages.filter((language) => language[kind]?.includes(key)),
      )
      return chosen ? [[kind === 'extensions' ? key.toLowerCase() : key, countedAs(chosen)]] : []
    }),
  )
}

/** `names` has every name and alias in lower case, for `linguist-language` in .gitattributes. */
export function makeTable() {
  const names = languages.flatMap((language) =>
    [language.name, ...(language.aliases ?? [])].map((name) => [
      name.toLowerCase(),
      language.group ?? language.name,
    ]),
  )
  return {
    extensions: index('extensions'),
    filenames: index('filenames'),
    interpreters: index('interpreters'),
    names: Object.fromEntries(names.sort(([a = ''], [b = '']) => (a < b ? -1 : 1))),
  }
}

if (import.meta.main) {
  const path = join(import.meta.dirname, '../src/features/repository/languages/language-table.json')
  writeFileSync(path, `${JSON.stringify(makeTable(), null, 2)}\n`)
}
