// The pages of a wiki by their folders.
import type { ListedWikiPage } from '../../../api/operations.ts'
import { wikis as words } from '../../../text/wikis.ts'
import type { Place } from '../../../ui/page-module.ts'
import { wikiAddress } from './wiki-calls.ts'
import './wiki.css'

type Node = { name: string; page?: ListedWikiPage; inner: Map<string, Node> }

export function PageTree({
  pages,
  place,
  slug,
}: {
  pages: readonly ListedWikiPage[]
  place: Place
  slug: string
}) {
  const top: Node = { name: '', inner: new Map() }
  for (const page of pages) {
    let node = top
    for (const part of page.slug.split('/')) {
      const next = node.inner.get(part) ?? { name: part, inner: new Map() }
      node.inner.set(part, next)
      node = next
    }
    node.page = page
  }
  return (
    <nav class="wiki-pages" aria-label={words.pages}>
      <h2>{words.pages}</h2>
      <Branch nodes={[...top.inner.values()]} place={place} slug={slug} />
    </nav>
  )
}

function Branch({ nodes, place, slug }: { nodes: readonly Node[]; place: Place; slug: string }) {
  return (
    <ul>
      {nodes.map(({ name, page, inner }) => (
        <li key={name}>
          {page ? (
            <a
              href={wikiAddress(place, page.slug)}
              aria-current={page.slug === slug ? 'page' : undefined}
            >
              <bdi>{page.title}</bdi>
            </a>
          ) : (
            <span class="muted">{name}</span>
          )}
          {inner.size > 0 ? <Branch nodes={[...inner.values()]} place={place} slug={slug} /> : null}
        </li>
      ))}
    </ul>
  )
}
