// A page of a wiki with the tree of all pages beside it; the wiki's own address shows the page named `home`.
import type { ComponentChildren } from 'preact'
import type { WikiPage } from '../../../api/operations.ts'
import { prefetchUrls, useApiUrl } from '../../../api/use-api.ts'
import { Prose } from '../../../surfaces/prose/prose.tsx'
import { wikis as words } from '../../../text/wikis.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { Button, ButtonLink } from '../../../ui/button/button.tsx'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { lazyComponent } from '../../../ui/lazy-component.tsx'
import { navigate } from '../../../ui/navigation.ts'
import { NotFoundPage } from '../../../ui/page/not-found-page.tsx'
import { Page } from '../../../ui/page/page.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { StateBar } from '../../../ui/state-bar/state-bar.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'
import { PageTree } from './page-tree.tsx'
import {
  deleteWikiPage,
  fetchWikiSource,
  saveWikiPage,
  useMayWriteWiki,
  useWikiPages,
  type WikiFormat,
  wikiAddress,
  wikiPageListUrl,
  wikiPageUrl,
} from './wiki-calls.ts'
import { EditWikiPage } from './wiki-form.page.tsx'

const slugOf = ({ place }: PlaceLocation) => place.rest || 'home'

/** Returns the slug and the action: the word after the slug in the address. */
function actionOf({ place }: PlaceLocation) {
  const [, slug = '', action] = /^(.+)\/(edit|history|diff)$/.exec(place.rest ?? '') ?? []
  return { slug, action }
}

/** Returns the commit of the old version in the query. */
const versionOf = ({ url }: PlaceLocation) => url.searchParams.get('version_id') ?? ''

function pageUrlOf(at: PlaceLocation): string {
  const version = versionOf(at)
  return wikiPageUrl(at.place, { slug: slugOf(at), ...(version ? { version } : {}) })
}

export const page: PageModule<PlaceLocation> = {
  calls: ({ place }) => [wikiPageListUrl(place)],
  // A missing page is no error, since the reader is offered to create it.
  prepare: (at) => prefetchUrls(actionOf(at).action ? [] : [pageUrlOf(at)]),
  View: ({ at }) => {
    const { slug, action } = actionOf(at)
    if (action === 'edit') return <EditWikiPage place={at.place} slug={slug} />
    if (action === 'history') return <LazyHistory at={at} slug={slug} />
    if (action === 'diff') return <LazyComparison at={at} slug={slug} />
    return <OnePage at={at} />
  },
}

const LazyHistory = lazyComponent(() =>
  import('./wiki-history.tsx').then(({ WikiHistory }) => WikiHistory),
)
const LazyComparison = lazyComponent(() =>
  import('./wiki-diff.tsx').then(({ WikiDiff }) => WikiDiff),
)

function OnePage({ at }: { at: PlaceLocation }) {
  const { place } = at
  const slug = slugOf(at)
  const { data: pages } = useWikiPages(place)
  const { data, refusal, again } = useApiUrl<WikiPage>(pageUrlOf(at))
  const mayWrite = useMayWriteWiki(place)
  const isHome = !place.rest
  const version = versionOf(at)
  if (!data && refusal?.status === 404) {
    // Readers who may not create the page see that it does not exist.
    if (!isHome && !mayWrite) return <NotFoundPage />
    return (
      <Missing at={at} slug={slug} mayWrite={mayWrite}>
        {pages && pages.length > 0 ? <PageTree pages={pages} place={place} slug={slug} /> : null}
      </Missing>
    )
  }
  return (
    <Page
      title={data?.title ?? words.title}
      actions={
        data ? (
          <>
            <ButtonLink href={`${wikiAddress(place, slug)}/history`}>{words.history}</ButtonLink>
            {mayWrite && !version ? (
              <>
                <ButtonLink href={`${wikiAddress(place, slug)}/edit`}>{words.edit}</ButtonLink>
                <ButtonLink look="primary" href={`${wikiAddress(place)}/new`}>
                  {words.new}
                </ButtonLink>
              </>
            ) : null}
          </>
        ) : null
      }
    >
      <div class="page-columns">
        <div class="stack">
          {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
          {data || refusal ? null : <LoadingRows />}
          {data && version ? <OldVersion {...{ at, slug, version, mayWrite }} /> : null}
          {data ? <Prose html={data.content} /> : null}
          {mayWrite && data && !version ? (
            <p class="row">
              <Button
                look="danger"
                onClick={() =>
                  confirmBefore({
                    title: words.delete,
                    text: words.deleteText,
                    action: words.delete,
                    run: async () => {
                      await deleteWikiPage(place, slug)
                      showToast(words.deleted)
                      navigate(wikiAddress(place), { replace: true })
                    },
                  })
                }
              >
                {words.delete}
              </Button>
            </p>
          ) : null}
        </div>
        {pages ? <PageTree pages={pages} place={place} slug={slug} /> : null}
      </div>
    </Page>
  )
}

/** A note that the page is an old version, with a link to the current one. */
function OldVersion({
  at: { place },
  slug,
  version,
  mayWrite,
}: {
  at: PlaceLocation
  slug: string
  version: string
  mayWrite: boolean | undefined
}) {
  const address = wikiAddress(place, slug)
  const restore = async () => {
    const { content, format } = await fetchWikiSource(place, slug, version)
    await saveWikiPage(place, slug, { content, format: format as WikiFormat })
    showToast(words.restored)
    navigate(address)
  }
  return (
    <StateBar
      state={words.oldVersion}
      actions={
        <>
          <ButtonLink href={`${address}/diff?from=${version}`}>
            {words.compareWithNewest}
          </ButtonLink>
          {mayWrite ? <Button onClick={restore}>{words.restore}</Button> : null}
          <ButtonLink href={address}>{words.showNewest}</ButtonLink>
        </>
      }
    />
  )
}

function Missing({
  at,
  slug,
  mayWrite,
  children,
}: {
  at: PlaceLocation
  slug: string
  mayWrite: boolean | undefined
  children: ComponentChildren
}) {
  const isHome = !at.place.rest
  const newUrl = `${wikiAddress(at.place)}/new?title=${encodeURIComponent(slug)}`
  const [title, text] = !isHome
    ? [words.missing, words.missingText]
    : children
      ? [words.noHome, words.noHomeText]
      : [words.empty, words.emptyText]
  return (
    <Page
      title={words.title}
      actions={
        mayWrite && children ? (
          <ButtonLink href={`${wikiAddress(at.place)}/new`}>{words.new}</ButtonLink>
        ) : null
      }
    >
      <div class="page-columns">
        <EmptyState title={title}>
          <p>{text}</p>
          {mayWrite ? (
            <ButtonLink look="primary" href={newUrl}>
              {isHome ? words.createHome : words.create}
            </ButtonLink>
          ) : null}
        </EmptyState>
        {children}
      </div>
    </Page>
  )
}
