// Places side by side. They are links: each has an address, so the keys are those of links.
import './tabs.css'

export type Tab = { words: string; href: string; isHere: boolean; count?: number | undefined }

export function Tabs({
  label,
  tabs,
}: {
  label: string
  tabs: readonly (Tab | false | null | undefined)[]
}) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map((tab) =>
        tab ? (
          <a
            key={tab.href}
            class="tabs-one"
            href={tab.href}
            aria-current={tab.isHere ? 'page' : undefined}
          >
            {tab.words}
            {tab.count === undefined ? null : <span class="tabs-count">{tab.count}</span>}
          </a>
        ) : null,
      )}
    </nav>
  )
}
