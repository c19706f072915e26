// The places that were opened last in this browser by the account that opened them, for the palette and the home page.
import { accountStorageKey } from '../api/session.ts'

export type RecentPage = { href: string; words: string }

const recent_max = 12
/** Pages on the way in, such as that for signing in, which are no places to go back to. */
const isOnTheWayIn = (href: string) => href.startsWith('/users/')

/** The newest first. */
export function listRecent(): RecentPage[] {
  try {
    return JSON.parse(localStorage.getItem(accountStorageKey('recent')) ?? '[]')
  } catch {
    return []
  }
}

/** Keeps the page that is shown, by the name in the browser's tab. */
export function recordVisit(href: string): void {
  if (isOnTheWayIn(href)) return
  const words = document.title.replace(/ · Bloomery$/, '')
  const others = listRecent().filter((one) => one.href !== href)
  const kept = [{ href, words }, ...others].slice(0, recent_max)
  localStorage.setItem(accountStorageKey('recent'), JSON.stringify(kept))
}
