import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/**
 * For a line of links that scrolls sideways on a phone: begins with the current one in view, and again when there are other links or
 * another one is current. Drawn again it stays where somebody has scrolled it.
 */
export function useScrollCurrentIntoView(
  links: readonly { href: string; isHere: boolean }[],
): RefObject<HTMLElement | null> {
  const line = useRef<HTMLElement>(null)
  const current = links.find(({ isHere }) => isHere)?.href
  useEffect(() => {
    const here = line.current?.querySelector<HTMLElement>('[aria-current]')
    if (line.current && here) {
      line.current.scrollLeft = here.offsetLeft - line.current.clientWidth / 3
    }
  }, [current, links.length])
  return line
}
