// Starts the pages: loads the signed-in user and the page of the address, and handles keys and links.
import '../ui/tokens.css'
import '../ui/base.css'
import { effect } from '@preact/signals'
import { render } from 'preact'
import { reconnect } from '../api/connection.ts'
import { findSession, user } from '../api/session.ts'
import { runActionOfKey } from '../ui/keys.ts'
import { currentUrl, followedLinkUrl, listenForNavigation } from '../ui/navigation.ts'
import { catchUnhandledRefusals } from '../ui/page/last-refusal.tsx'
import { applyPreferences } from '../ui/preferences.ts'
import { ConnectionNote } from './connection-note.tsx'
import { Frame } from './frame.tsx'
import { prefetchPage, showPageAt } from './show.ts'

const hover_ms = 60
const tries_max = 3
const root = document.getElementById('app')

applyPreferences()
listenForNavigation()
catchUnhandledRefusals()
document.addEventListener('keydown', runActionOfKey)
document.addEventListener('pointerdown', (event) => {
  const url = followedLinkUrl(event)
  if (url) prefetchPage(url)
})
let hovering: ReturnType<typeof setTimeout> | undefined
document.addEventListener('pointerover', (event) => {
  clearTimeout(hovering)
  if (event.pointerType !== 'mouse') return
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null
  if (!(link instanceof HTMLAnchorElement)) return
  const url = new URL(link.href)
  const isOwn = url.origin === location.origin && /\/-\/(?:tree|blob)\/|^\/[^-]/.test(url.pathname)
  if (isOwn && !link.hasAttribute('download'))
    hovering = setTimeout(() => prefetchPage(url), hover_ms)
})

void start()

async function start(): Promise<void> {
  if (!root) return
  for (let tries = 0; user.value === undefined && tries < tries_max; tries++) {
    await findSession().catch(() => {
      render(<ConnectionNote />, root)
      return reconnect()
    })
  }
  // An error is shown where the page would be.
  user.value ??= null
  effect(() => void showPageAt(currentUrl.value))
  render(<Frame />, root)
}
