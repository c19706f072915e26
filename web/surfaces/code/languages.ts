// Which language a file or a code block is in: by its name, its ending, or what a text calls it.

const byEnding: Readonly<Record<string, string>> = {
  adoc: 'asciidoc',
  bash: 'bash',
  c: 'c',
  cc: 'cpp',
  clj: 'clojure',
  cmake: 'cmake',
  cpp: 'cpp',
  cs: 'csharp',
  css: 'css',
  cts: 'typescript',
  cxx: 'cpp',
  dart: 'dart',
  diff: 'diff',
  ex: 'elixir',
  exs: 'elixir',
  erl: 'erlang',
  fs: 'fsharp',
  go: 'go',
  gradle: 'groovy',
  graphql: 'graphql',
  groovy: 'groovy',
  h: 'c',
  hpp: 'cpp',
  hs: 'haskell',
  htm: 'xml',
  html: 'xml',
  ini: 'ini',
  java: 'java',
  jl: 'julia',
  js: 'javascript',
  json: 'json',
  jsx: 'javascript',
  kt: 'kotlin',
  kts: 'kotlin',
  less: 'less',
  lua: 'lua',
  m: 'objectivec',
  md: 'markdown',
  mjs: 'javascript',
  cjs: 'javascript',
  mk: 'makefile',
  ml: 'ocaml',
  mts: 'typescript',
  nix: 'nix',
  patch: 'diff',
  php: 'php',
  pl: 'perl',
  pm: 'perl',
  proto: 'protobuf',
  ps1: 'powershell',
  py: 'python',
  r: 'r',
  rb: 'ruby',
  rs: 'rust',
  scala: 'scala',
  scss: 'scss',
  sh: 'bash',
  sql: 'sql',
  svg: 'xml',
  swift: 'swift',
  tex: 'latex',
  toml: 'ini',
  ts: 'typescript',
  tsx: 'typescript',
  vb: 'vbnet',
  vue: 'xml',
  xml: 'xml',
  yaml: 'yaml',
  yml: 'yaml',
  zig: 'c',
  zsh: 'bash',
}

const byName: Readonly<Record<string, string>> = {
  'cmakelists.txt': 'cmake',
  dockerfile: 'dockerfile',
  containerfile: 'dockerfile',
  gemfile: 'ruby',
  'go.mod': 'go',
  makefile: 'makefile',
  rakefile: 'ruby',
  '.gitattributes': 'ini',
  '.gitmodules': 'ini',
  '.editorconfig': 'ini',
}

const languages = new Set([...Object.values(byEnding), ...Object.values(byName)])

/** The language of a file; undefined where it is told as it stands. */
export function languageOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  return own(byName, name) ?? own(byEnding, name.slice(name.lastIndexOf('.') + 1))
}

/** What a text calls a language: its name, or an ending. */
export function languageNamed(word: string): string | undefined {
  const name = word.toLowerCase()
  return languages.has(name) ? name : (own(byEnding, name) ?? own(aliases, name))
}

const aliases: Readonly<Record<string, string>> = {
  shell: 'bash',
  console: 'bash',
  'c++': 'cpp',
  'c#': 'csharp',
  golang: 'go',
  docker: 'dockerfile',
}

function own(record: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}
