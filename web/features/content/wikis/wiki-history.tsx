// The versions of a wiki page, newest first; any two of them can be compared.
import { useState } from 'preact/hooks'
import type { WikiPageVersion } from '../../../api/operations.ts'
import { useApiUrl } from '../../../api/use-api.ts'
import { repository } from '../../../text/repository.ts'
import { wikis as words } from '../../../text/wikis.ts'
import { Avatar } from '../../../ui/avatar/avatar.tsx'
import { LoadingRows } from '../../../ui/blank/blank.tsx'
import { Button, ButtonLink } from '../../../ui/button/button.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { navigate } from '../../../ui/navigation.ts'
import { NotFoundPage } from '../../../ui/page/not-found-page.tsx'
import { Page } from '../../../ui/page/page.tsx'
import type { PlaceLocation } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { wikiAddress, wikiPageVersionsUrl } from './wiki-calls.ts'

export function WikiHistory({ at: { place, url }, slug }: { at: PlaceLocation; slug: string }) {
  const number = Number(url.searchParams.get('page') ?? 1)
  const { data, page, refusal, again } = useApiUrl<WikiPageVersion[]>(
    wikiPageVersionsUrl(place, slug, number),
  )
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  if (refusal?.status === 404 && !data) return <NotFoundPage />
  const address = wikiAddress(place, slug)
  const [newest, before] = data ?? []
  const chosen = { from: from || (before ?? newest)?.id || '', to: to || newest?.id || '' }
  return (
    <Page
      title={words.historyTitle(slug)}
      actions={<ButtonLink href={address}>{words.showNewest}</ButtonLink>}
    >
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <LoadingRows />}
      {data ? (
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault()
            navigate(`${address}/diff?from=${chosen.from}&to=${chosen.to}`)
          }}
        >
          {data.length > 1 ? (
            <p class="row">
              <Button isSubmit>{words.compare}</Button>
            </p>
          ) : null}
          <List label={words.versions}>
            {data.map((version, index) => (
              <ListRow
                key={version.id}
                aside={
                  <a
                    class="wiki-changes"
                    href={`${address}/diff?version_id=${version.id}`}
                    aria-label={words.changesOf(version.short_id)}
                  >
                    {words.changes}
                  </a>
                }
              >
                <div class="wiki-version">
                  {data.length > 1 ? (
                    <span class="row">
                      <Choice
                        name="from"
                        words={words.from}
                        label={words.fromVersion(version.short_id)}
                        isChosen={chosen.from === version.id}
                        onChoose={() => setFrom(version.id)}
                      />
                      <Choice
                        name="to"
                        words={words.to}
                        label={words.toVersion(version.short_id)}
                        isChosen={chosen.to === version.id}
                        onChoose={() => setTo(version.id)}
                      />
                    </span>
                  ) : null}
                  <span class="stack stack-close wiki-version-main">
                    <a
                      data-main
                      href={
                        number === 1 && index === 0
                          ? address
                          : `${address}?version_id=${version.id}`
                      }
                    >
                      {version.title || repository.noMessage}
                    </a>
                    <span class="row muted">
                      <Avatar name={version.author_name} size={20} />
                      <span>{version.author_name}</span>
                      <Time at={version.authored_date} />
                      <span class="mono">{version.short_id}</span>
                      {number === 1 && index === 0 ? <span>{words.newest}</span> : null}
                    </span>
                  </span>
                </div>
              </ListRow>
            ))}
          </List>
          <Pager page={page} />
        </form>
      ) : null}
    </Page>
  )
}

function Choice({
  name,
  words: text,
  label,
  isChosen,
  onChoose,
}: {
  name: string
  words: string
  label: string
  isChosen: boolean
  onChoose: () => void
}) {
  return (
    <label class="wiki-choice">
      <input type="radio" name={name} aria-label={label} checked={isChosen} onChange={onChoose} />
      <span aria-hidden="true">{text}</span>
    </label>
  )
}
