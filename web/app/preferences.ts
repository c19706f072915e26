// How the pages look to this reader. Kept in the browser as well, so that the first paint is right.
import { effect } from '@preact/signals'
import { user } from '../api/session.ts'
import { hasSingleKeys } from '../ui/keys.ts'

const names = ['theme', 'density', 'tab_width', 'single_keys'] as const

/** Applies what the browser remembers, then what the account says. */
export function applyPreferences(): void {
  apply((name) => localStorage.getItem(name) ?? '')
  effect(() => {
    const preferences = user.value?.preferences as Record<string, unknown> | undefined
    if (!preferences) return
    for (const name of names) localStorage.setItem(name, String(preferences[name] ?? ''))
    apply((name) => localStorage.getItem(name) ?? '')
  })
}

function apply(valueOf: (name: (typeof names)[number]) => string): void {
  const { dataset, style } = document.documentElement
  const theme = valueOf('theme')
  if (theme === 'light' || theme === 'dark') dataset.theme = theme
  else delete dataset.theme
  if (valueOf('density') === 'compact') dataset.density = 'compact'
  else delete dataset.density
  const width = Number(valueOf('tab_width'))
  if (width >= 1 && width <= 16) style.setProperty('--tab-width', String(width))
  hasSingleKeys.value = !['off', 'false'].includes(valueOf('single_keys'))
}
