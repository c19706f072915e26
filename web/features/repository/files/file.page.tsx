import { useEffect, useState } from 'preact/hooks'
import { fetchBytes } from '../../../api/call.ts'
import { may, useProject } from '../../../api/project.ts'
import { Refusal } from '../../../api/refusal.ts'
import { need, useApi } from '../../../api/use-api.ts'
import { splitLines } from '../../../surfaces/code/code.ts'
import { CodeView } from '../../../surfaces/code/code-view.tsx'
import { Prose } from '../../../surfaces/prose/prose.tsx'
import { code } from '../../../text/code.ts'
import { Blank, Waiting } from '../../../ui/blank/blank.tsx'
import { Button, ButtonLink } from '../../../ui/button/button.tsx'
import { CodeBar } from '../../../ui/code-bar/code-bar.tsx'
import { CommitLine } from '../../../ui/commit-line/commit-line.tsx'
import { copyText } from '../../../ui/copy-line/copy-line.tsx'
import { useActions } from '../../../ui/keys.ts'
import { navigate } from '../../../ui/navigation.ts'
import { Page } from '../../../ui/page/page.tsx'
import type { AtPlace, PageModule, Place } from '../../../ui/page-module.ts'
import { baseOf, codeUrl } from '../../../ui/place.ts'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { tell } from '../../../ui/toast/toast.tsx'
import './file.css'

/** A larger file is shown by its beginning. */
const shown_bytes_max = 1024 * 1024
const pictures = /\.(?:png|jpe?g|gif|webp|avif|ico|svg|bmp)$/i
const prose = /(?:\.(?:md|markdown|mdown|adoc|asciidoc|org|rdoc)|^readme)$/i

const apiUrl = ({ id, path, commit }: Place) =>
  `/api/v4/projects/${id}/repository/files/${encodeURIComponent(path ?? '')}/raw?ref=${commit ?? ''}`
const isProse = (path: string) => prose.test(path.split('/').at(-1) ?? '')
const renderedInput = ({ id, path, commit }: Place) => ({
  id,
  file_path: path ?? '',
  ref: commit ?? '',
})
const wantsSource = (at: AtPlace) =>
  at.url.searchParams.get('plain') === '1' || at.url.hash.startsWith('#L')

export const page: PageModule<AtPlace> = {
  calls: (at) => [
    at.place.entry_type === 'blob' &&
      isProse(at.place.path ?? '') &&
      !wantsSource(at) &&
      need('GET /projects/:id/repository/files/:file_path/rendered', renderedInput(at.place)),
  ],
  View: FilePage,
}

type Content = { text: string; size: number; isCut: boolean; isBinary: boolean }

function FilePage({ at }: { at: AtPlace }) {
  const { place } = at
  const path = place.path ?? ''
  const base = baseOf(place)
  const ref = place.ref ?? ''
  const isThere = place.entry_type === 'blob'
  const showsProse = isProse(path) && !wantsSource(at)
  const { content, refusal } = useContent(isThere && !showsProse ? place : undefined)
  const { data: project } = useProject(place.id)
  const { data: commits } = useApi(
    'GET /projects/:id/repository/commits',
    isThere && place.commit
      ? { id: place.id, ref_name: place.commit, path, per_page: 1 }
      : undefined,
  )
  const name = path.split('/').at(-1) ?? path
  const canEdit = may(project, 'push_code') && place.ref_type === 'branch'
  const edit = codeUrl(base, 'edit', ref, path)
  useActions([
    { name: code.blame, keys: 'b', run: () => navigate(codeUrl(base, 'blame', ref, path)) },
    ...(canEdit ? [{ name: code.edit, keys: 'e', run: () => navigate(edit) }] : []),
  ])
  if (!isThere) {
    return (
      <Page title={path || code.files}>
        <Blank title={place.ref ? code.noPath : code.noRef}>
          <ButtonLink href={base}>{code.files}</ButtonLink>
        </Blank>
      </Page>
    )
  }
  return (
    <Page title={name} tab={`${name} · ${ref}`} isTitleHidden>
      <CodeBar place={place} />
      {commits?.[0] ? <CommitLine commit={commits[0]} base={base} /> : null}
      <div class="file-bar row row-apart">
        <span class="muted">{content ? sizeWords(content) : ''}</span>
        <div class="row">
          {isProse(path) ? (
            <ButtonLink href={`${at.url.pathname}${showsProse ? '?plain=1' : ''}`}>
              {showsProse ? code.source : code.rendered}
            </ButtonLink>
          ) : null}
          <ButtonLink href={codeUrl(base, 'blame', ref, path)}>{code.blame}</ButtonLink>
          <ButtonLink href={codeUrl(base, 'commits', ref, path)}>{code.history}</ButtonLink>
          <ButtonLink href={codeUrl(base, 'raw', ref, path)}>{code.raw}</ButtonLink>
          {content && !content.isBinary && !content.isCut ? (
            <Button onClick={() => void copyText(content.text).then(() => tell(code.copied))}>
              {code.copyAll}
            </Button>
          ) : null}
          {canEdit ? (
            <ButtonLink look="primary" href={edit}>
              {code.edit}
            </ButtonLink>
          ) : null}
        </div>
      </div>
      {refusal ? <RefusalNote refusal={refusal} /> : null}
      {showsProse ? (
        <Rendered place={place} />
      ) : (
        <Body {...{ content, path, base, refName: ref }} />
      )}
    </Page>
  )
}

function sizeWords({ text, size, isBinary, isCut }: Content): string {
  const lines = isBinary || isCut ? '' : `${code.lines(splitLines(text).length)} · `
  return lines + code.size(size)
}

function Rendered({ place }: { place: Place }) {
  const { data } = useApi(
    'GET /projects/:id/repository/files/:file_path/rendered',
    renderedInput(place),
  )
  return data ? (
    <div class="file-prose">
      <Prose html={data.html} />
    </div>
  ) : null
}

function Body({
  content,
  path,
  base,
  refName,
}: {
  content: Content | undefined
  path: string
  base: string
  refName: string
}) {
  if (pictures.test(path)) {
    return (
      <div class="file-picture">
        <img src={codeUrl(base, 'raw', refName, path)} alt={code.picture(path)} />
      </div>
    )
  }
  if (!content) return <Waiting rows={12} />
  if (content.isBinary) {
    return (
      <Blank title={code.binary}>
        <ButtonLink href={`${codeUrl(base, 'raw', refName, path)}?inline=false`}>
          {code.download}
        </ButtonLink>
      </Blank>
    )
  }
  return (
    <>
      {content.isCut ? <p class="muted">{code.tooLarge(code.size(content.size))}</p> : null}
      <CodeView text={content.text} path={path} />
    </>
  )
}

/** The bytes of a file, as far as they are shown. */
function useContent(place: Place | undefined): { content?: Content; refusal?: Refusal } {
  const [state, setState] = useState<{ url: string; content?: Content; refusal?: Refusal }>({
    url: '',
  })
  const url = place ? apiUrl(place) : ''
  useEffect(() => {
    if (url === '') return
    const work = new AbortController()
    read(url, work.signal).then(
      (content) => setState({ url, content }),
      (refusal: unknown) => {
        if (refusal instanceof Refusal) setState({ url, refusal })
      },
    )
    return () => work.abort()
  }, [url])
  return state.url === url ? state : {}
}

const kept = new Map<string, Content>()
const kept_max = 40

async function read(url: string, signal: AbortSignal): Promise<Content> {
  const known = kept.get(url)
  if (known) return known
  const response = await fetchBytes(url, { range: `bytes=0-${shown_bytes_max - 1}`, signal })
  const bytes = new Uint8Array(await response.arrayBuffer())
  const total = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1]
  const size = total === undefined ? bytes.length : Number(total)
  const isBinary = bytes.subarray(0, 8_000).includes(0)
  const text = isBinary ? '' : new TextDecoder().decode(bytes)
  const content = { text, size, isCut: size > bytes.length, isBinary }
  if (kept.size >= kept_max) kept.delete(kept.keys().next().value ?? '')
  kept.set(url, content)
  return content
}
