// A Jupyter notebook as cells. Outputs are text alone: whatever else they hold was made by code that nobody here ran.

export type NotebookCell =
  | { kind: 'prose'; text: string }
  | { kind: 'code'; text: string; number: number | undefined; output: string }

export type Notebook = { language: string; cells: NotebookCell[]; left_out: number }

const cells_max = 300
const output_characters_max = 20_000

/** Undefined for what is no notebook. */
export function parseNotebook(text: string): Notebook | undefined {
  const notebook = parse(text)
  const cells = isRecord(notebook) ? notebook.cells : undefined
  if (!isRecord(notebook) || !Array.isArray(cells)) return undefined
  const { kernelspec, language_info } = isRecord(notebook.metadata) ? notebook.metadata : {}
  const named =
    (isRecord(language_info) && language_info.name) || (isRecord(kernelspec) && kernelspec.language)
  return {
    language: typeof named === 'string' ? named : 'python',
    cells: cells.slice(0, cells_max).map(readCell),
    left_out: Math.max(0, cells.length - cells_max),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function readCell(cell: unknown): NotebookCell {
  const { cell_type, source, outputs, execution_count } = isRecord(cell) ? cell : {}
  if (cell_type === 'markdown') return { kind: 'prose', text: textOf(source) }
  const output = Array.isArray(outputs)
    ? outputs
        .map(outputOf)
        .filter((one) => one !== '')
        .join('\n')
    : ''
  return {
    kind: 'code',
    text: textOf(source),
    number: typeof execution_count === 'number' ? execution_count : undefined,
    output: output.slice(0, output_characters_max),
  }
}

function outputOf(output: unknown): string {
  if (!isRecord(output)) return ''
  const { text, data, traceback, ename, evalue } = output
  if (Array.isArray(traceback)) return `${String(ename)}: ${String(evalue)}`
  return textOf(text) || (isRecord(data) ? textOf(data['text/plain']) : '')
}

/** Texts are whole, or lists of lines with their ends. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string').join('') : ''
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
