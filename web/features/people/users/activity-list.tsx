// What a user did, the latest first, in pages; or what a user did on one day.
import type { ActivityEvent } from '../../../api/operations.ts'
import { useApiUrl } from '../../../api/use-api.ts'
import { activity as words } from '../../../text/activity.ts'
import { formatDay, localMidnight } from '../../../text/numbers.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { encodePath } from '../../../ui/navigation.ts'
import { Section } from '../../../ui/page/page.tsx'
import { Pager } from '../../../ui/pager/pager.tsx'
import { repositoryPageUrl } from '../../../ui/project-address.ts'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Time } from '../../../ui/time/time.tsx'

/** `url` is the read of the list, `date` the day it is of, `home` where all of it is. */
export function ActivityList({
  url,
  date,
  home,
}: {
  url: string
  date: string | undefined
  home: string
}) {
  const { data, refusal, again, page } = useApiUrl<readonly ActivityEvent[]>(url)
  const title = date ? words.ofDay(formatDay(localMidnight(date))) : words.recent
  return (
    <Section title={title} actions={date ? <a href={home}>{words.all}</a> : null}>
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {!data && !refusal ? <LoadingRows rows={8} /> : null}
      {data?.length === 0 ? <EmptyState title={date ? words.emptyDay : words.empty} /> : null}
      {data && data.length > 0 ? (
        <List label={title}>
          {data.map((event) => (
            <EventRow key={event.id} event={event} />
          ))}
        </List>
      ) : null}
      <Pager page={page} />
    </Section>
  )
}

function EventRow({ event }: { event: ActivityEvent }) {
  const path = event.project?.path_with_namespace
  const base = `/${encodePath(path ?? '')}`
  const { did, target, href, more } = tell(event, base)
  return (
    <ListRow aside={<Time at={event.created_at} />}>
      <p>
        {did}{' '}
        <a href={href} data-main>
          {target}
        </a>
      </p>
      {more ? <p class="muted">{more}</p> : null}
      {path && target !== path ? (
        <p class="muted">
          {words.within} <a href={base}>{path}</a>
        </p>
      ) : null}
    </ListRow>
  )
}

type Told = { did: string; target: string; href: string; more?: string | null }

/** Returns the texts of an event: the action, its target, its place, and a detail. */
function tell(event: ActivityEvent, base: string): Told {
  const { action_name, target_type, note, push_data, wiki_page } = event
  const path = event.project?.path_with_namespace ?? ''
  if (push_data) return tellPush(push_data, base)
  if (note) {
    const type = note.noteable_type
    const of = { type, iid: note.noteable_iid, title: event.target_title }
    const { target, href } = tellTarget(of, base)
    return {
      did: words.did(action_name, type),
      target,
      href: `${href}#note_${note.id}`,
      more: shorten(note.body),
    }
  }
  if (wiki_page) {
    const href = `${base}/-/wikis/${encodePath(wiki_page.slug)}`
    return { did: words.did(action_name, 'WikiPage::Meta'), target: wiki_page.title, href }
  }
  const membership = { joined: words.joined, left: words.left }[action_name]
  if (
    membership ||
    !target_type ||
    target_type === 'Project' ||
    action_name.startsWith('removed')
  ) {
    const did = membership ?? (action_name.startsWith('removed') ? words.expired : undefined)
    return { did: did ?? words.did(action_name, 'Project'), target: path, href: base }
  }
  const of = { type: target_type, iid: event.target_iid, title: event.target_title }
  return { did: words.did(action_name, target_type), ...tellTarget(of, base) }
}

const places: Readonly<Record<string, readonly [section: string, sign: string]>> = {
  Issue: ['issues', '#'],
  MergeRequest: ['merge_requests', '!'],
  Milestone: ['milestones', '%'],
}

function tellTarget(
  { type, iid, title }: { type: string; iid: number | null | undefined; title: string | null },
  base: string,
): Pick<Told, 'target' | 'href'> {
  const [section, sign] = places[type] ?? []
  if (!section || !iid) return { target: title ?? base.slice(1), href: base }
  return { target: `${sign}${iid} ${title ?? ''}`, href: `${base}/-/${section}/${iid}` }
}

function tellPush(push: NonNullable<ActivityEvent['push_data']>, base: string): Told {
  const { ref, ref_type, ref_count, action, commit_count, commit_title } = push
  if (ref_count)
    return { did: words.pushedMany(ref_count, ref_type), target: base.slice(1), href: base }
  if (action === 'removed') return { did: words.deleted(ref_type), target: ref, href: base }
  const section = ref_type === 'tag' ? 'tags' : 'commits'
  return {
    did: action === 'created' ? words.pushedNew(ref_type) : words.pushed(commit_count, ref_type),
    target: ref,
    href: repositoryPageUrl(base, section, ref),
    more: commit_title,
  }
}

const shown_characters = 200
const shorten = (text: string) =>
  text.length > shown_characters ? `${text.slice(0, shown_characters)}…` : text
