// Places side by side. They are links: each has an address, so the keys are those of links.
import { useKeyActions } from '../keys.ts'
import { navigate } from '../navigation.ts'
import { useScrollCurrentIntoView } from '../use-scroll-current-into-view.ts'
import './tabs.css'

export type TabItem = { words: string; href: string; isHere: boolean; count?: number | undefined }

export function Tabs({
  label,
  tabs,
}: {
  label: string
  tabs: readonly (TabItem | false | null | undefined)[]
}) {
  const shown = tabs.filter((tab) => tab !== false && tab !== null && tab !== undefined)
  useKeyActions(shown.map(({ words, href }) => ({ name: words, href, run: () => navigate(href) })))
  const nav = useScrollCurrentIntoView(shown)
  return (
    <nav class="tabs" ref={nav} aria-label={label}>
      {shown.map((tab) => (
        <a
          key={tab.href}
          class="tabs-one"
          href={tab.href}
          aria-current={tab.isHere ? 'page' : undefined}
        >
          {tab.words}
          {tab.count === undefined ? null : <span class="tabs-count">{tab.count}</span>}
        </a>
      ))}
    </nav>
  )
}
