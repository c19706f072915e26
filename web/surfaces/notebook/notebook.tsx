// A Jupyter notebook: prose rendered by the server, code in colours, outputs as text.
import { useEffect, useMemo, useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { repository } from '../../text/repository.ts'
import { CodeExcerpt } from '../code/excerpt.tsx'
import { Prose } from '../prose/prose.tsx'
import { parseNotebook } from './read-notebook.ts'
import './notebook.css'

/** Languages of notebooks, as the ending of a file that has its colours. */
const endings: Readonly<Record<string, string>> = {
  python: 'py',
  r: 'r',
  julia: 'jl',
  javascript: 'js',
  typescript: 'ts',
  scala: 'scala',
  rust: 'rs',
}

export function Notebook({ text }: { text: string }) {
  const notebook = useMemo(() => parseNotebook(text), [text])
  if (!notebook) return <p class="notebook-cell">{repository.notNotebook}</p>
  const path = `cell.${endings[notebook.language.toLowerCase()] ?? 'txt'}`
  return (
    <div class="notebook">
      {notebook.cells.map((cell, at) =>
        cell.kind === 'prose' ? (
          <ProseCell key={at} text={cell.text} />
        ) : (
          <div key={at} class="notebook-cell">
            {cell.number === undefined ? null : (
              <p class="muted mono">{repository.cellNumber(cell.number)}</p>
            )}
            <CodeExcerpt text={cell.text} path={path} first={1} />
            {cell.output === '' ? null : (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys.
              <section class="notebook-output" tabIndex={0} aria-label={repository.output}>
                <pre>{cell.output}</pre>
              </section>
            )}
          </div>
        ),
      )}
      {notebook.left_out > 0 ? (
        <p class="notebook-cell muted">{repository.moreCells(notebook.cells.length)}</p>
      ) : null}
    </div>
  )
}

/** As it stands, until the server has rendered it. */
function ProseCell({ text }: { text: string }) {
  const [html, setHtml] = useState<string>()
  useEffect(() => {
    let isOver = false
    call('POST /markdown', { text }).then(
      (answer) => {
        if (!isOver) setHtml(answer.html)
      },
      () => {},
    )
    return () => {
      isOver = true
    }
  }, [text])
  return (
    <div class="notebook-cell">
      {html === undefined ? <pre class="notebook-text">{text}</pre> : <Prose html={html} />}
    </div>
  )
}
