// Languages of the editor by the ending of a file, each loaded when a file wants it.
import { type LanguageSupport, StreamLanguage } from '@codemirror/language'

type Load = () => Promise<LanguageSupport | StreamLanguage<unknown>>

const javascript =
  (jsx: boolean, typescript: boolean): Load =>
  async () =>
    (await import('@codemirror/lang-javascript')).javascript({ jsx, typescript })
const css: Load = async () => (await import('@codemirror/lang-css')).css()
const html: Load = async () => (await import('@codemirror/lang-html')).html()
const markdown: Load = async () => (await import('@codemirror/lang-markdown')).markdown()
const yaml: Load = async () => (await import('@codemirror/lang-yaml')).yaml()
const cpp: Load = async () => (await import('@codemirror/lang-cpp')).cpp()
const shell: Load = async () =>
  StreamLanguage.define((await import('@codemirror/legacy-modes/mode/shell')).shell)

const byEnding: Readonly<Record<string, Load>> = {
  bash: shell,
  c: cpp,
  cc: cpp,
  cjs: javascript(false, false),
  cpp,
  css,
  cts: javascript(false, true),
  go: async () => (await import('@codemirror/lang-go')).go(),
  h: cpp,
  hpp: cpp,
  htm: html,
  html,
  java: async () => (await import('@codemirror/lang-java')).java(),
  js: javascript(true, false),
  json: async () => (await import('@codemirror/lang-json')).json(),
  jsx: javascript(true, false),
  markdown,
  md: markdown,
  mjs: javascript(false, false),
  mts: javascript(false, true),
  php: async () => (await import('@codemirror/lang-php')).php(),
  py: async () => (await import('@codemirror/lang-python')).python(),
  rs: async () => (await import('@codemirror/lang-rust')).rust(),
  sh: shell,
  sql: async () => (await import('@codemirror/lang-sql')).sql(),
  ts: javascript(false, true),
  tsx: javascript(true, true),
  yaml,
  yml: yaml,
}

/** Undefined for files that are plain text to the editor. */
export function languageOf(path: string): Load | undefined {
  const name = path.split('/').at(-1) ?? ''
  return byEnding[name.split('.').at(-1)?.toLowerCase() ?? '']
}
