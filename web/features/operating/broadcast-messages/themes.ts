/**
 * Pairs of background and text colours with enough contrast. Messages store the colours, not the name of the
 * theme.
 */
export const themes = {
  ember: { color: '#b4410d', font: '#ffffff' },
  blue: { color: '#0859ac', font: '#ffffff' },
  green: { color: '#197037', font: '#ffffff' },
  red: { color: '#be2323', font: '#ffffff' },
  indigo: { color: '#4b4ba3', font: '#ffffff' },
  dark: { color: '#171310', font: '#ffffff' },
  light: { color: '#f4f2ef', font: '#241e1a' },
} as const

export type Theme = keyof typeof themes | 'custom'

/** The name of a message's colours; `custom` where somebody chose them by hand. */
export function themeOf({ color, font }: { color: string | null; font: string | null }): Theme {
  const names = Object.keys(themes) as (keyof typeof themes)[]
  return (
    names.find((name) => themes[name].color === color && themes[name].font === font) ?? 'custom'
  )
}
