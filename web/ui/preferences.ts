// How the pages look to this reader. Kept in the browser as well, so that the first paint is right.
import { effect } from '@preact/signals'
import { user } from '../api/session.ts'
import { areSingleKeysEnabled } from './keys.ts'

const names = ['language', 'theme', 'density', 'tab_width', 'single_keys'] as const

const year_s = 365 * 86_400

/** Applies what the browser remembers, then what the account says. */
export function applyPreferences(): void {
  apply((name) => localStorage.getItem(name) ?? '')
  effect(() => {
    if (user.value) storePreferences(user.value.preferences)
  })
}

/** Keeps what the account says in the browser, and shows it. */
export function storePreferences(preferences: object): void {
  for (const name of names)
    localStorage.setItem(name, String((preferences as Record<string, unknown>)[name] ?? ''))
  apply((name) => localStorage.getItem(name) ?? '')
}

/** Sets a cookie, or removes it; whether that changed anything, which it does not where the browser keeps none. */
function setCookie(name: string, value: string | undefined): boolean {
  const before = document.cookie
  const lasts = value ? year_s : 0
  // biome-ignore lint/suspicious/noDocumentCookie: the store for cookies is not there without a secure context.
  document.cookie = `${name}=${value ?? ''}; Path=/; SameSite=Lax; Max-Age=${lasts}`
  return document.cookie !== before
}

function apply(settingOf: (name: (typeof names)[number]) => string): void {
  const { dataset, style } = document.documentElement
  const theme = settingOf('theme')
  const isOwn = theme === 'light' || theme === 'dark'
  if (isOwn) dataset.theme = theme
  else delete dataset.theme
  // The server puts the theme into the page, so that the first paint has its colours.
  setCookie('bloomery_theme', isOwn ? theme : undefined)
  applyLanguage(settingOf('language'))
  if (settingOf('density') === 'compact') dataset.density = 'compact'
  else delete dataset.density
  const width = Number(settingOf('tab_width'))
  if (width >= 1 && width <= 16) style.setProperty('--tab-width', String(width))
  areSingleKeysEnabled.value = !['off', 'false'].includes(settingOf('single_keys'))
}

/** The server answers pages in the language of the cookie, or else of the browser: this one is loaded again in it. */
function applyLanguage(language: string): void {
  const isSystem = language === '' || language === 'system'
  const hasChanged = setCookie('bloomery_language', isSystem ? undefined : language)
  if (hasChanged && language !== document.documentElement.lang) location.reload()
}
