import { useMemo } from 'preact/hooks'
import type { Answer } from '../../../api/call.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { Code } from '../../../surfaces/code/code.tsx'
import { escapeHtml } from '../../../surfaces/html.ts'
import { formatRelativeTime } from '../../../text/numbers.ts'
import { repositoryPagesText } from '../../../text/reading.ts'
import { repository } from '../../../text/repository.ts'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { placeBasePath, repositoryPageUrl } from '../../../ui/project-address.ts'
import { FileFrame } from './file-frame.tsx'
import { FileNotFound } from './file-not-found.tsx'
import './blame.css'

type Hunk = Answer<'GET /projects/:id/repository/files/:file_path/blame'>[number]

const inputOf = ({ place }: PlaceLocation) => ({
  id: place.id,
  file_path: place.path ?? '',
  ref: place.commit ?? '',
})

export const page: PageModule<PlaceLocation> = {
  calls: (at) => [
    at.place.entry_type === 'blob' &&
      apiReadUrl('GET /projects/:id/repository/files/:file_path/blame', inputOf(at)),
  ],
  View: ({ at }) =>
    at.place.entry_type === 'blob' ? <BlamePage at={at} /> : <FileNotFound at={at} />,
}

function BlamePage({ at }: { at: PlaceLocation }) {
  const { data } = useApi('GET /projects/:id/repository/files/:file_path/blame', inputOf(at))
  const base = placeBasePath(at.place)
  const shown = useMemo(
    () => (data ? prepare(data, base, at.place.path ?? '') : undefined),
    [data, base],
  )
  if (!shown) return null
  const raw = repositoryPageUrl(base, 'raw', at.place.ref ?? '', at.place.path)
  return (
    <FileFrame
      at={at}
      lastCommit={shown.last}
      facts={repositoryPagesText.lines(shown.lines)}
      actions={
        <a class="button button-plain" href={raw}>
          {repositoryPagesText.raw}
        </a>
      }
    >
      <Code
        text={shown.text}
        path={at.place.path ?? ''}
        label={repositoryPagesText.blameOf(at.place.path ?? '')}
        noteOf={shown.noteOf}
      />
    </FileFrame>
  )
}

/** Ages of lines, as steps from new (0) to old; by the place of their commit's date among all. */
const ages = 6

function prepare(hunks: readonly Hunk[], base: string, path: string) {
  const times = hunks.map(({ commit }) => Date.parse(commit.committed_date))
  const [newest, oldest] = [Math.max(...times), Math.min(...times)]
  const notes: string[] = []
  const now = new Date()
  hunks.forEach(({ commit, lines }, at) => {
    const part = newest === oldest ? 0 : (newest - (times[at] ?? 0)) / (newest - oldest)
    const age = Math.min(ages - 1, Math.floor(part * ages))
    lines.forEach((_line, place) => {
      const begins = place === 0
      notes.push(
        `<span class="code-note blame-note blame-age-${age}${begins ? ' blame-first' : ''}">${begins ? tell(commit, base, now) + before(commit, base, path) : ''}</span>`,
      )
    })
  })
  const all = hunks.flatMap(({ lines }) => lines)
  const last = hunks[times.indexOf(newest)]?.commit.id
  return {
    text: all.join('\n'),
    lines: all.length,
    last,
    noteOf: (line: number) => notes[line - 1] ?? '',
  }
}

/** Leads to who wrote what stood there before; nothing before a first commit. */
function before({ parent_ids: [parent] }: Hunk['commit'], base: string, path: string): string {
  if (parent === undefined) return ''
  const words = escapeHtml(repositoryPagesText.blameBefore)
  return `<a class="blame-before" href="${escapeHtml(repositoryPageUrl(base, 'blame', parent, path))}" title="${words}" aria-label="${words}">↶</a>`
}

function tell(commit: Hunk['commit'], base: string, now: Date): string {
  const [title = ''] = commit.message.split('\n', 1)
  const when = formatRelativeTime(new Date(commit.committed_date), now)
  const words = `${escapeHtml(commit.author_name)}, ${escapeHtml(when)}`
  return `<a class="blame-title" href="${escapeHtml(base)}/-/commit/${commit.id}" title="${words}">${escapeHtml(title || repository.noMessage)}</a><span class="blame-who">${escapeHtml(commit.author_name)}</span><span class="blame-when">${escapeHtml(when)}</span>`
}
