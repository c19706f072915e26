import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type FileContents, readFile } from '../../../api/file.ts'
import { apiReadUrl, prefetchUrls, useApi } from '../../../api/use-api.ts'
import { Code, splitLines } from '../../../surfaces/code/code.tsx'
import { Prose } from '../../../surfaces/prose/prose.tsx'
import { formatBytes } from '../../../text/numbers.ts'
import { repositoryPagesText } from '../../../text/reading.ts'
import { LoadingRows } from '../../../ui/blank/blank.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { CopyButton } from '../../../ui/copy-line/copy-line.tsx'
import { currentUrlWithQuery } from '../../../ui/navigation.ts'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { placeBasePath, repositoryPageUrl } from '../../../ui/project-address.ts'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { FileFrame } from './file-frame.tsx'
import { FileNotFound } from './file-not-found.tsx'
import { Submodule } from './submodule.tsx'
import { SymlinkNote } from './symlink-note.tsx'
import { fileRequestOf, useFile } from './use-file.ts'

export const page: PageModule<PlaceLocation> = {
  prepare: ({ place, url }) =>
    place.entry_type === 'blob'
      ? Promise.all([
          readFile(fileRequestOf(place)),
          isRendered(place.path ?? '', url) && prefetchUrls([renderedUrl({ place })]),
        ])
      : Promise.resolve(),
  View: BlobPage,
}

const markup = /\.(?:md|markdown|mkdn?|mdown|adoc|ad|asciidoc|org|rdoc)$/i

/** A text in a markup is shown rendered, unless its source or a line of it is asked for. */
function isRendered(path: string, { searchParams, hash }: URL): boolean {
  return markup.test(path) && searchParams.get('plain') !== '1' && !/^#L\d/.test(hash)
}

function renderedInput({ place }: Pick<PlaceLocation, 'place'>) {
  return { id: place.id, file_path: place.path ?? '', ref: place.ref ?? 'HEAD' }
}

function renderedUrl(at: Pick<PlaceLocation, 'place'>): string {
  return apiReadUrl('GET /projects/:id/repository/files/:file_path/rendered', renderedInput(at))
}

const sheets = /\.(?:csv|tsv)$/i
const notebooks = /\.ipynb$/i

/** Whether it has another look than its source, and that look is asked for. */
function isShown(path: string, url: URL): boolean {
  const { searchParams, hash } = url
  return (
    isRendered(path, url) ||
    ((sheets.test(path) || notebooks.test(path)) &&
      searchParams.get('plain') !== '1' &&
      !/^#L\d/.test(hash))
  )
}

function BlobPage({ at }: { at: PlaceLocation }) {
  const { place } = at
  if (place.entry_type === 'commit') return <Submodule at={at} />
  if (place.entry_type !== 'blob') return <FileNotFound at={at} />
  return <File at={at} />
}

function File({ at }: { at: PlaceLocation }) {
  const { place, url } = at
  const path = place.path ?? ''
  const { file, refusal } = useFile(place)
  const raw = repositoryPageUrl(placeBasePath(place), 'raw', place.ref ?? '', path)
  const isLook = isShown(path, url)
  const text = file?.text
  const hasLook = markup.test(path) || sheets.test(path) || notebooks.test(path)
  return (
    <FileFrame
      at={at}
      lastCommit={file?.lastCommit}
      facts={file ? factsOf(file) : null}
      isText={file === undefined || text !== undefined}
      actions={
        <>
          {hasLook ? (
            <ButtonLink href={isLook ? currentUrlWithQuery({ plain: '1' }, url) : url.pathname}>
              {isLook ? repositoryPagesText.showSource : repositoryPagesText.showRendered}
            </ButtonLink>
          ) : null}
          {text !== undefined && file?.isWhole ? <CopyButton text={text} /> : null}
          <ButtonLink href={raw}>{repositoryPagesText.raw}</ButtonLink>
          <ButtonLink class="file-frame-wide" href={`${raw}?inline=false`} download>
            {repositoryPagesText.download}
          </ButtonLink>
        </>
      }
    >
      {refusal ? <RefusalNote refusal={refusal} /> : null}
      {file ? (
        <Contents at={at} file={file} raw={raw} isLook={isLook} />
      ) : (
        <LoadingRows rows={12} />
      )}
    </FileFrame>
  )
}

function factsOf({ text, size, isWhole }: FileContents): string {
  const lines =
    text !== undefined && isWhole ? `${repositoryPagesText.lines(splitLines(text).length)} · ` : ''
  return lines + formatBytes(size)
}

const pictures = /\.(?:png|jpe?g|gif|webp|bmp|ico|avif)$/i
const films = /\.(?:mp4|webm)$/i
const sounds = /\.(?:mp3|ogg|wav)$/i
const pointer =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:ext-.*\n)*oid sha256:[0-9a-f]{64}\nsize (\d{1,15})\n/

function Contents({
  at,
  file: { text, size, isWhole },
  raw,
  isLook,
}: {
  at: PlaceLocation
  file: FileContents
  raw: string
  isLook: boolean
}) {
  const path = at.place.path ?? ''
  const large = text === undefined ? undefined : pointer.exec(text)?.[1]
  const isMedia = text === undefined || large !== undefined
  if (isMedia && pictures.test(path)) {
    return (
      <div class="file-frame-note">
        <img class="file-frame-picture" src={raw} alt={path} />
      </div>
    )
  }
  if (isMedia && films.test(path)) {
    // biome-ignore lint/a11y/useMediaCaption: a file of the repository has none.
    return <video class="file-frame-film" src={raw} controls />
  }
  // biome-ignore lint/a11y/useMediaCaption: a file of the repository has none.
  if (isMedia && sounds.test(path)) return <audio class="file-frame-film" src={raw} controls />
  if (text === undefined || large !== undefined) {
    return (
      <div class="file-frame-note">
        <p>
          {large !== undefined
            ? repositoryPagesText.lfs(Number(large))
            : /\.pdf$/i.test(path)
              ? repositoryPagesText.pdfFile
              : repositoryPagesText.binaryFile}
        </p>
      </div>
    )
  }
  if (size === 0) return <div class="file-frame-note muted">{repositoryPagesText.emptyFile}</div>
  // Asked for by the name of a branch, whose commit may be another one than before.
  if (isLook && markup.test(path)) return <Rendered key={at.place.commit} at={at} text={text} />
  if (isLook && isWhole) return <OtherLook path={path} text={text} />
  return (
    <>
      {isWhole ? null : <p class="file-frame-note">{repositoryPagesText.tooLargeFile(size)}</p>}
      {isWhole && size < 1_024 && !text.includes('\n') ? (
        <SymlinkNote at={at} target={text} />
      ) : null}
      <Code text={text} path={path} label={path} />
    </>
  )
}

type Look = ComponentType<{ text: string; path: string }>

/** Loaded when a file is of its sort. */
async function loadLook(path: string): Promise<Look> {
  if (sheets.test(path)) return (await import('../../../surfaces/sheet/sheet.tsx')).CsvTable
  return (await import('../../../surfaces/notebook/notebook.tsx')).Notebook
}

function OtherLook({ path, text }: { path: string; text: string }) {
  const [found, setFound] = useState<{ Look: Look | undefined }>()
  useEffect(() => {
    loadLook(path).then(
      (Look) => setFound({ Look }),
      () => setFound({ Look: undefined }),
    )
  }, [path])
  if (!found) return <LoadingRows rows={12} />
  const { Look } = found
  return Look ? <Look text={text} path={path} /> : <Code text={text} path={path} label={path} />
}

/** The source stands in where the server renders it not. */
function Rendered({ at, text }: { at: PlaceLocation; text: string }) {
  const path = at.place.path ?? ''
  const { data, refusal } = useApi(
    'GET /projects/:id/repository/files/:file_path/rendered',
    renderedInput(at),
  )
  if (refusal && !data) return <Code text={text} path={path} label={path} />
  if (!data) return <LoadingRows rows={12} />
  return (
    <div class="file-frame-prose">
      <Prose html={data.html} linksIn={at.place.id} />
    </div>
  )
}
