// Places of one area in a column beside the page, under headings; on a phone one line that scrolls sideways.
import { useKeyActions } from '../keys.ts'
import { navigate } from '../navigation.ts'
import { useScrollCurrentIntoView } from '../use-scroll-current-into-view.ts'
import './side-nav.css'

export type SideNavLink = { words: string; href: string; isHere: boolean }
export type SideNavGroup = { title: string; places: readonly SideNavLink[] }

export function SideNav({ label, groups }: { label: string; groups: readonly SideNavGroup[] }) {
  const nav = useScrollCurrentIntoView(groups.flatMap(({ places }) => places))
  useKeyActions(
    groups.flatMap(({ places }) =>
      places.map(({ words, href }) => ({ name: words, href, run: () => navigate(href) })),
    ),
  )
  return (
    <nav class="side-nav" ref={nav} aria-label={label}>
      {groups.map(({ title, places }) => (
        <div class="side-nav-group" key={title}>
          <p class="side-nav-title">{title}</p>
          {places.map(({ words, href, isHere }) => (
            <a
              key={href}
              class="side-nav-one"
              href={href}
              aria-current={isHere ? 'page' : undefined}
            >
              {words}
            </a>
          ))}
        </div>
      ))}
    </nav>
  )
}
