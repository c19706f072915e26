import { useEffect, useState } from 'preact/hooks'
import { fetchBytes } from '../../../api/call.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { Code } from '../../../surfaces/code/code.tsx'
import { artifacts as words } from '../../../text/artifacts.ts'
import { formatBytes } from '../../../text/numbers.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { encodePath } from '../../../ui/navigation.ts'
import { Page } from '../../../ui/page/page.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { parentPath, placeBasePath } from '../../../ui/project-address.ts'

/** Parses `7/artifacts/browse/a/b`, also with `file` instead of `browse`. */
function partsOf({ place }: PlaceLocation): { job: number; kind: string; path: string } {
  const [job = '', , kind = 'browse', ...path] = (place.rest ?? '').split('/')
  return { job: Number(job), kind, path: path.join('/').replace(/\/$/, '') }
}

function inputOf(at: PlaceLocation) {
  const { job, path } = partsOf(at)
  const page = Number(at.url.searchParams.get('page') ?? 1)
  return { id: at.place.id, job_id: job, per_page: 100, page, ...(path === '' ? {} : { path }) }
}

const jobInput = (at: PlaceLocation) => ({ id: at.place.id, job_id: partsOf(at).job })

export const page: PageModule<PlaceLocation> = {
  calls: (at) => [
    apiReadUrl('GET /projects/:id/jobs/:job_id', jobInput(at)),
    partsOf(at).kind === 'browse' &&
      apiReadUrl('GET /projects/:id/jobs/:job_id/artifacts/tree', inputOf(at)),
  ],
  View: ArtifactFolder,
}

function ArtifactFolder({ at }: { at: PlaceLocation }) {
  const { job, kind, path } = partsOf(at)
  const { data: record } = useApi('GET /projects/:id/jobs/:job_id', jobInput(at))
  const base = `${placeBasePath(at.place)}/-/jobs/${job}`
  return (
    <Page
      title={words.of(record?.name ?? String(job))}
      lead={path}
      actions={
        <>
          <ButtonLink href={base}>{words.log}</ButtonLink>
          <ButtonLink look="primary" href={`${base}/artifacts/download`}>
            {words.download}
          </ButtonLink>
        </>
      }
    >
      {kind === 'file' ? <Preview {...{ at, base, path }} /> : <Folder {...{ at, base, path }} />}
    </Page>
  )
}

type Props = { at: PlaceLocation; base: string; path: string }

function Folder({ at, base, path }: Props) {
  const { data, page: pages } = useApi('GET /projects/:id/jobs/:job_id/artifacts/tree', inputOf(at))
  return (
    <>
      {data?.length === 0 ? <EmptyState title={words.emptyFolder} /> : null}
      <List label={words.list}>
        {path === '' ? null : (
          <ListRow>
            <a
              href={`${base}/artifacts/browse/${encodePath(parentPath(path))}`}
              aria-label={words.parentFolder}
            >
              {words.parentSign}
            </a>
          </ListRow>
        )}
        {data?.map((entry) => {
          const isFolder = entry.type === 'tree' || entry.type === 'directory'
          const inside = entry.path.replace(/\/$/, '')
          return (
            <ListRow
              key={entry.path}
              aside={entry.size === undefined ? null : <span>{formatBytes(entry.size)}</span>}
            >
              <a
                data-main
                href={`${base}/artifacts/${isFolder ? 'browse' : 'file'}/${encodePath(inside)}`}
              >
                {entry.name.replace(/\/$/, '')}
                {isFolder ? '/' : ''}
              </a>
            </ListRow>
          )
        })}
      </List>
      <Pager page={pages} />
    </>
  )
}

const shown_bytes_max = 1024 * 1024
const pictures = /\.(?:png|jpe?g|gif|webp|avif|ico)$/i

function Preview({ at, base, path }: Props) {
  const [text, setText] = useState<string | null>()
  const url = `/api/v4/projects/${at.place.id}/jobs/${partsOf(at).job}/artifacts/${encodePath(path)}`
  const isPicture = pictures.test(path)
  useEffect(() => {
    if (isPicture) return
    const work = new AbortController()
    fetchBytes(url, { range: `bytes=0-${shown_bytes_max - 1}`, signal: work.signal })
      .then(async (response) => {
        const read = new Uint8Array(await response.arrayBuffer())
        setText(read.subarray(0, 8_000).includes(0) ? null : new TextDecoder().decode(read))
      })
      .catch(() => setText(null))
    return () => work.abort()
  }, [url])
  return (
    <>
      <div class="row">
        <ButtonLink href={`${base}/artifacts/browse/${encodePath(parentPath(path))}`}>
          {words.browse}
        </ButtonLink>
        <ButtonLink href={`${base}/artifacts/raw/${encodePath(path)}`}>{words.raw}</ButtonLink>
      </div>
      {isPicture ? <img src={url} alt={path} /> : null}
      {!isPicture && text === undefined ? <LoadingRows /> : null}
      {text === null ? <EmptyState title={words.cannotDisplay} /> : null}
      {typeof text === 'string' ? <Code text={text} path={path} label={path} /> : null}
    </>
  )
}
