// A part of a page whose script is fetched when the part is first drawn, beside or after the page itself.
import type { ComponentType, FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** Draws nothing until the script is there. */
export function lazyComponent<P extends object>(
  load: () => Promise<ComponentType<P>>,
): FunctionComponent<P> {
  let known: ComponentType<P> | undefined
  return function Lazy(props: P) {
    const [View, setView] = useState<ComponentType<P> | undefined>(() => known)
    useEffect(() => {
      if (View) return
      let isOver = false
      void load().then((loaded) => {
        known = loaded
        if (!isOver) setView(() => loaded)
      })
      return () => {
        isOver = true
      }
    }, [])
    return View ? <View {...props} /> : null
  }
}
