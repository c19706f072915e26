// The frame around every page: the top bar, the header of the project or group, and dialogs.
import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect, useErrorBoundary, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { importChunk, isUnreachable } from '../api/connection.ts'
import { hasTopTier, isAdministrator, signInPrompt, signOut, user } from '../api/session.ts'
import { GroupHead } from '../features/groups/groups/group-head.tsx'
import { SignInForm } from '../features/people/sign-in/sign-in-form.tsx'
import { ProjectHead } from '../features/projects/projects/project-head.tsx'
import { app, keyActionsText } from '../text/app.ts'
import { Avatar } from '../ui/avatar/avatar.tsx'
import { Button, ButtonLink } from '../ui/button/button.tsx'
import { ConfirmDialogHost, Dialog } from '../ui/dialog/dialog.tsx'
import { useKeyActions } from '../ui/keys.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Menu } from '../ui/menu/menu.tsx'
import {
  currentUrl,
  navigate,
  rememberedScroll,
  scrollToHash,
  signInUrl,
} from '../ui/navigation.ts'
import { NotFoundPage } from '../ui/page/not-found-page.tsx'
import { hasPageHeading, Page } from '../ui/page/page.tsx'
import { recordVisit } from '../ui/recent.ts'
import { RefusalNote } from '../ui/refusal/refusal.tsx'
import { ToastHost } from '../ui/toast/toast.tsx'
import { useHasBroadcasts } from './broadcasts.ts'
import { ConnectionNote } from './connection-note.tsx'
import { isPageLoadSlow, type ShownPage, shownPage, showPageAt } from './show.ts'
import './frame.css'

/** The dialogs over a page. Each is loaded when it is first opened. */
const overs = {
  palette: () => import('./palette/palette.tsx'),
  actions: () => import('./palette/palette.tsx'),
  keys: () => import('./key-help.tsx'),
  api: () => import('./api-help.tsx'),
}
type Over = keyof typeof overs
const BroadcastPlace = lazyComponent(() =>
  importChunk(() => import('./broadcast-place.tsx')).then(({ BroadcastHost: View }) => View),
)
const ImpersonationBand = lazyComponent(() =>
  importChunk(() => import('./impersonation-band.tsx')).then((part) => part.ImpersonationBand),
)
type OverView = ComponentType<{ onClose: () => void; start?: string }>
const palette_ms = 2_000
const over = signal<Over | undefined>(undefined)

export function Frame() {
  useKeyActions([
    { name: keyActionsText.focusSearch, keys: '/', run: search },
    { name: keyActionsText.showShortcuts, keys: '?', run: () => open('keys') },
    { name: keyActionsText.showActions, keys: '.', isListed: false, run: () => open('actions') },
    { name: app.showAsApi, run: () => open('api') },
    { name: app.goToSearch, run: () => navigate('/search') },
    { name: keyActionsText.home, keys: 'g h', run: () => navigate('/') },
    { name: keyActionsText.projects, keys: 'g p', run: () => navigate('/explore/projects') },
    ...(user.value
      ? [
          { name: app.settings, run: () => navigate('/-/profile') },
          { name: app.newProject, run: () => navigate('/projects/new') },
          { name: app.newGroup, run: () => navigate('/groups/new') },
          ...(isAdministrator() ? [{ name: app.admin, run: () => navigate('/admin') }] : []),
          { name: app.signOut, run: () => void leave() },
        ]
      : [{ name: app.signIn, run: () => navigate(signInUrl(currentUrl.value)) }]),
  ])
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      over.value = over.value === 'palette' ? undefined : 'palette'
    }
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
  const hasPage = shownPage.value !== undefined
  useEffect(() => {
    if (!hasPage) return
    // Loads the palette ahead, since people go on typing right after Ctrl K.
    const ahead = setTimeout(() => void overs.palette().catch(() => {}), palette_ms)
    return () => clearTimeout(ahead)
  }, [hasPage])
  return (
    <>
      <a class="frame-skip button button-primary" href="#content">
        {app.skipToContent}
      </a>
      {user.value?.impersonator ? <ImpersonationBand /> : null}
      {hasPageHeading.value ? <Broadcasts /> : null}
      <Top />
      <main class="frame-main" id="content" tabIndex={-1}>
        {shownPage.value ? <Inside shown={shownPage.value} /> : null}
      </main>
      <ToastHost />
      <ConnectionNote />
      <ConfirmDialogHost />
      {signInPrompt.value ? (
        <Dialog title={app.signInAgain} onClose={() => signInPrompt.value?.answer(false)}>
          <SignInForm
            login={user.value?.username ?? ''}
            onDone={() => signInPrompt.value?.answer(true)}
          />
        </Dialog>
      ) : null}
      {over.value ? <OverPage key={over.value} what={over.value} /> : null}
    </>
  )
}

/** Loaded after the page, which does not wait for broadcasts. */
function Broadcasts() {
  return useHasBroadcasts() ? <BroadcastPlace /> : null
}

function OverPage({ what }: { what: Over }) {
  const [View, setView] = useState<OverView>()
  // A dialog reports its closing with a delay, when another one may already be open.
  const close = () => {
    if (over.value === what) over.value = undefined
  }
  useEffect(() => {
    importChunk<{ default: OverView }>(overs[what]).then(
      (module) => setView(() => module.default),
      close,
    )
  }, [])
  return View ? <View onClose={close} start={what === 'actions' ? '>' : ''} /> : null
}

function open(what: Over): void {
  over.value = what
}

/** Focuses the field that filters this page, or opens the palette if the page has none. */
function search(): void {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]')
  if (field) field.focus()
  else open('palette')
}

async function leave(): Promise<void> {
  await signOut()
  navigate('/users/sign_in')
}

function Top() {
  const signedIn = user.value
  return (
    <header class="frame-top">
      {isPageLoadSlow.value && !isUnreachable.value ? (
        <div class="frame-progress" role="progressbar" aria-label={app.loading} />
      ) : null}
      <a class="frame-mark" href="/" aria-label={app.homeLink}>
        <Mark />
        <span class="frame-name">{app.name}</span>
      </a>
      <button
        type="button"
        class="frame-find"
        onClick={() => open('palette')}
        aria-keyshortcuts="Control+K"
      >
        <span class="frame-find-long">{app.searchOrGoTo}</span>
        <span class="frame-find-short">{app.searchShort}</span>
        <kbd>{app.paletteShortcut}</kbd>
      </button>
      <nav class="frame-nav" aria-label={app.mainNavigation}>
        <a class="frame-link" href="/explore/projects">
          {app.explore}
        </a>
        {signedIn ? (
          <>
            <Menu
              label={app.create}
              items={[
                { words: app.newProject, href: '/projects/new' },
                { words: app.newGroup, href: '/groups/new' },
              ]}
            >
              + <span class="frame-wide">{app.create}</span>
            </Menu>
            <Menu
              look="quiet"
              label={app.account(signedIn.name)}
              items={[
                { words: signedIn.name, href: `/${signedIn.username}` },
                {
                  words: app.assignedIssues,
                  href: `/dashboard/issues?assignee_username=${signedIn.username}`,
                },
                {
                  words: app.assignedRequests,
                  href: `/dashboard/merge_requests?assignee_username=${signedIn.username}`,
                },
                hasTopTier() && { words: app.securityDashboard, href: '/-/security/dashboard' },
                { words: app.settings, href: '/-/profile' },
                { words: app.preferences, href: '/-/profile/preferences' },
                isAdministrator() && { words: app.admin, href: '/admin' },
                { words: app.help, href: '/help' },
                { words: app.keyboardShortcuts, run: () => open('keys') },
                { words: app.showAsApi, run: () => open('api') },
                { words: app.signOut, run: () => void leave() },
              ]}
            >
              <Avatar name={signedIn.name} url={signedIn.avatar_url} />
            </Menu>
          </>
        ) : (
          <ButtonLink look="primary" href={signInUrl(currentUrl.value)}>
            {app.signIn}
          </ButtonLink>
        )}
      </nav>
    </header>
  )
}

function Mark() {
  return (
    <svg class="frame-logo" viewBox="0 0 32 32" aria-hidden="true">
      <path
        d="M7 29h18l-3-14c-.4-1.900-1.500-3-3.300-3h-5.400c-1.800 0-2.900 1.100-3.300 3z"
        fill="#7a6a5c"
      />
      <path
        d="M16 2c1 4 5 5.500 5 10a5 5 0 0 1-10 0c0-2 1-3.500 2.300-5 .2 1.500.8 2.300 1.600 2.600C14.700 7 15 4 16 2z"
        fill="#e8672a"
      />
      <path d="M12 29v-5a4 4 0 0 1 8 0v5z" fill="#f6b26b" />
    </svg>
  )
}

function Inside({ shown: now }: { shown: ShownPage }) {
  const before = useRef<ShownPage>(undefined)
  const [fault, forget] = useErrorBoundary()
  useLayoutEffect(() => {
    if (before.current === now) return
    const isFirst = before.current === undefined
    const isSamePath = before.current?.at.url.pathname === now.at.url.pathname
    before.current = now
    if (fault) forget()
    arrive(now.at.url, { isFirst, isSamePath })
  }, [now])
  // Recorded after the page has set its title.
  useEffect(() => {
    if (now.kind === 'page') recordVisit(now.at.url.pathname)
  }, [now])
  if (fault) return <Broken error={fault} />
  const { place } = now.at
  return (
    <>
      {place?.kind === 'project' ? <ProjectHead place={place} /> : null}
      {place?.kind === 'group' ? <GroupHead place={place} /> : null}
      <div class="frame-page">
        <Body shown={now} />
      </div>
    </>
  )
}

function Body({ shown: now }: { shown: ShownPage }) {
  if (now.kind === 'page') return <now.View key={now.at.url.pathname} at={now.at} />
  if (now.kind === 'fault') return <Broken error={now.error} />
  if (now.kind === 'nothing') return <NotFoundPage />
  const { refusal, at } = now
  if (![401, 403, 404].includes(refusal.status)) {
    return (
      <Page title={app.loadFailed}>
        <RefusalNote refusal={refusal} onAgain={() => void showPageAt(at.url)} />
      </Page>
    )
  }
  return <NotFoundPage />
}

function Broken({ error }: { error: unknown }) {
  return (
    <Page title={app.loadFailed}>
      <pre class="frame-fault">{String(error)}</pre>
      <div class="row">
        <Button onClick={() => location.reload()}>{app.reload}</Button>
      </div>
    </Page>
  )
}

/** Runs after the next paint: the focus can be moved only when the page is laid out. */
const afterPaint = (run: () => void) => requestAnimationFrame(() => setTimeout(run))

/**
 * Moves the focus to the heading, unless something else has got the focus meanwhile, such as a field of the
 * page.
 */
const goToHeading = (before: Element | null) => () => {
  const now = document.activeElement
  if (now !== before && now !== document.body) return
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
}

/** Moves scroll position and focus for a new page: to the top, to the previous position, or to the target of `#`. */
function arrive(
  url: URL,
  { isFirst, isSamePath }: { isFirst: boolean; isSamePath: boolean },
): void {
  if (isSamePath) return
  const [left = 0, top = 0] = rememberedScroll() ?? []
  if (left > 0 || top > 0) scrollTo(left, top)
  else if (url.hash) scrollToHash(url.hash)
  if (!isFirst) afterPaint(goToHeading(document.activeElement))
}
