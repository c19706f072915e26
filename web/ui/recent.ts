// The places that were opened last in this browser, for the palette.

export type Recent = { href: string; words: string }

const recent_max = 12

/** The newest first. */
export function listRecent(): Recent[] {
  try {
    return JSON.parse(localStorage.getItem('recent') ?? '[]')
  } catch {
    return []
  }
}

/** Keeps the page that is shown, by the name in the browser's tab. */
export function recordVisit(href: string): void {
  const words = document.title.replace(/ · Bloomery$/, '')
  const others = listRecent().filter((one) => one.href !== href)
  const kept = [{ href, words }, ...others].slice(0, recent_max)
  localStorage.setItem('recent', JSON.stringify(kept))
}
