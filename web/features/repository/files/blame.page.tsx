import { useEffect, useRef } from 'preact/hooks'
import type { Answer } from '../../../api/call.ts'
import { need, useApi } from '../../../api/use-api.ts'
import { markLines } from '../../../surfaces/code/code.ts'
import '../../../surfaces/code/code.css'
import { escapeHtml, setHtml } from '../../../surfaces/html.ts'
import { code } from '../../../text/code.ts'
import { relativeTime } from '../../../text/numbers.ts'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { CodeBar } from '../../../ui/code-bar/code-bar.tsx'
import { Page } from '../../../ui/page/page.tsx'
import type { AtPlace, PageModule, Place } from '../../../ui/page-module.ts'
import { baseOf, codeUrl } from '../../../ui/place.ts'
import './blame.css'

type Blame = Answer<'GET /projects/:id/repository/files/:file_path/blame'>

const inputOf = ({ id, path, commit }: Place) => ({ id, file_path: path ?? '', ref: commit ?? '' })

export const page: PageModule<AtPlace> = {
  calls: ({ place }) => [
    place.entry_type === 'blob' &&
      need('GET /projects/:id/repository/files/:file_path/blame', inputOf(place)),
  ],
  View: BlamePage,
}

function BlamePage({ at: { place } }: { at: AtPlace }) {
  const base = baseOf(place)
  const { data } = useApi('GET /projects/:id/repository/files/:file_path/blame', inputOf(place))
  const name = place.path?.split('/').at(-1) ?? ''
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!box.current || !data) return
    setHtml(box.current, blameHtml(data, base))
    markLines(box.current, location.hash)?.scrollIntoView({ block: 'center' })
  }, [data])
  return (
    <Page title={`${code.blame} ${name}`} isTitleHidden>
      <CodeBar place={place}>
        <ButtonLink href={codeUrl(base, 'blob', place.ref ?? '', place.path ?? '')}>
          {code.source}
        </ButtonLink>
        <ButtonLink href={codeUrl(base, 'commits', place.ref ?? '', place.path ?? '')}>
          {code.history}
        </ButtonLink>
      </CodeBar>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is reached by keys. */}
      <section class="code" ref={box} tabIndex={0} aria-label={code.blameLabel} />
    </Page>
  )
}

const ages = 6

/** Runs of lines by one commit, its line beside the first; the newer, the warmer. */
function blameHtml(blame: Blame, base: string): string {
  const times = blame.map(({ commit }) => Date.parse(commit.committed_date))
  const [oldest, newest] = [Math.min(...times), Math.max(...times)]
  const ageOf = (time: number) =>
    newest === oldest ? ages - 1 : Math.round(((time - oldest) / (newest - oldest)) * (ages - 1))
  let number = 0
  return blame
    .map(({ commit, lines }, run) => {
      const when = relativeTime(new Date(commit.committed_date), new Date())
      const [title = ''] = commit.message.split('\n', 1)
      const who = `<a class="blame-who" href="${base}/-/commit/${commit.id}" title="${escapeHtml(`${title}\n${commit.author_name}, ${when}`)}"><b>${escapeHtml(commit.author_name)}</b> <span>${escapeHtml(when)}</span> ${escapeHtml(title)}</a>`
      const rows = lines.map((line, at) => {
        number += 1
        return `<div class="code-line" id="L${number}"><span class="blame-by blame-age-${ageOf(times[run] ?? 0)}">${at === 0 ? who : ''}</span><a class="code-number" href="#L${number}" tabindex="-1" data-line="${number}" aria-label="${escapeHtml(code.line(number))}"></a><span class="code-text">${escapeHtml(line)}\n</span></div>`
      })
      return `<div class="blame-run">${rows.join('')}</div>`
    })
    .join('')
}
