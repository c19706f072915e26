// Starts the pages: who is signed in, what the address leads to, what keys and links do.
import '../ui/tokens.css'
import '../ui/base.css'
import { effect } from '@preact/signals'
import { render } from 'preact'
import { findSession, user } from '../api/session.ts'
import { pressKey } from '../ui/keys.ts'
import { followed, here, listenForNavigation } from '../ui/navigation.ts'
import { watchRefusals } from '../ui/page/last-refusal.tsx'
import { applyPreferences } from '../ui/preferences.ts'
import { Frame } from './frame.tsx'
import { show, warm } from './show.ts'

const hover_ms = 60
const root = document.getElementById('app')

applyPreferences()
listenForNavigation()
watchRefusals()
document.addEventListener('keydown', pressKey)
document.addEventListener('pointerdown', (event) => {
  const url = followed(event)
  if (url) warm(url)
})
let hovering: ReturnType<typeof setTimeout> | undefined
document.addEventListener('pointerover', (event) => {
  clearTimeout(hovering)
  if (event.pointerType !== 'mouse') return
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null
  if (!(link instanceof HTMLAnchorElement)) return
  const url = new URL(link.href)
  const isOwn = url.origin === location.origin && /\/-\/(?:tree|blob)\/|^\/[^-]/.test(url.pathname)
  if (isOwn && !link.hasAttribute('download')) hovering = setTimeout(() => warm(url), hover_ms)
})

// A server that does not answer is told where the page would be.
void findSession()
  .catch(() => {
    user.value = null
  })
  .then(() => {
    if (!root) return
    effect(() => void show(here.value))
    render(<Frame />, root)
  })
