// A file of comma or tab separated values as a table.
import { useMemo } from 'preact/hooks'
import { repository } from '../../text/repository.ts'
import { parseCsv } from './csv.ts'
import './sheet.css'

const rows_max = 1_000
const columns_max = 100

export function CsvTable({ text, path }: { text: string; path: string }) {
  const rows = useMemo(
    () => parseCsv(text, { isTabbed: /\.tsv$/i.test(path), rows_max: rows_max + 2 }),
    [text, path],
  )
  const [head = [], ...body] = rows
  return (
    <>
      {body.length > rows_max ? <p class="sheet-note">{repository.tableCut(rows_max)}</p> : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is reached by keys. */}
      <section class="sheet" tabIndex={0} aria-label={repository.tableOf(path)}>
        <table>
          <thead>
            <tr>
              {head.slice(0, columns_max).map((cell, at) => (
                <th key={at} scope="col">
                  {cell}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {body.slice(0, rows_max).map((row, at) => (
              <tr key={at}>
                {row.slice(0, columns_max).map((cell, place) => (
                  <td key={place}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}
