// The free space of disks, and repositories that are moving between storages.
import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { type Answer, call } from '../../../api/call.ts'
import { hasPaidTier } from '../../../api/session.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { usePolling } from '../../../api/use-polling.ts'
import { storageText as words } from '../../../text/storage.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { currentUrl, currentUrlWithQuery } from '../../../ui/navigation.ts'
import { AdminPage } from '../../../ui/page/admin.tsx'
import { Section } from '../../../ui/page/page.tsx'
import type { PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { ProgressBar } from '../../../ui/progress/progress.tsx'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Status } from '../../../ui/status/status.tsx'
import { Tabs } from '../../../ui/tabs/tabs.tsx'
import { Duration, Time } from '../../../ui/time/time.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'
import { MoveDialog } from './move-dialog.tsx'
import './storage.css'

type Disk = Answer<'GET /admin/health'>['disks'][number]
type ProjectMove = Answer<'GET /project_repository_storage_moves'>[number]
type GroupMove = Answer<'GET /group_repository_storage_moves'>[number]
type Kind = 'project' | 'group'

const listRoute = {
  project: 'GET /project_repository_storage_moves',
  group: 'GET /group_repository_storage_moves',
} as const
const kindOf = ({ searchParams }: URL): Kind =>
  searchParams.get('kind') === 'group' ? 'group' : 'project'
const inputOf = (url: URL) => ({ per_page: 20, page: Number(url.searchParams.get('page') ?? 1) })

export const page: PageModule = {
  calls: ({ url }) => [
    apiReadUrl('GET /admin/health', {}),
    hasPaidTier() && apiReadUrl(listRoute[kindOf(url)], inputOf(url)),
  ],
  View: Storage,
}

function Storage() {
  const { data: health } = useApi('GET /admin/health', {})
  const [isMoving, setMoving] = useState(false)
  const storages = health?.disks.flatMap(({ storage }) => (storage === null ? [] : [storage])) ?? []
  return (
    <AdminPage
      title={words.title}
      actions={
        hasPaidTier() ? (
          <Button
            look="primary"
            blocked={storages.length < 2 && words.oneStorage}
            onClick={() => setMoving(true)}
          >
            {words.move}
          </Button>
        ) : null
      }
    >
      <Section title={words.disks} lead={words.disksLead}>
        <List label={words.disks}>
          {health?.disks.map((disk) => (
            <DiskRow key={disk.storage ?? ''} disk={disk} />
          ))}
        </List>
      </Section>
      {hasPaidTier() ? (
        <Section title={words.moves} lead={words.movesLead}>
          <Moves />
        </Section>
      ) : null}
      {isMoving ? <MoveDialog storages={storages} onClose={() => setMoving(false)} /> : null}
    </AdminPage>
  )
}

function DiskRow({ disk }: { disk: Disk }) {
  const { storage, path, free_bytes, size_bytes, nearly_full } = disk
  const name = storage === null ? words.dataFolder : words.storage(storage)
  const percent = size_bytes > 0 ? Math.round((1 - free_bytes / size_bytes) * 100) : 0
  return (
    <ListRow
      aside={
        <>
          {nearly_full ? <Chip tone="failed">{words.nearlyFull}</Chip> : null}
          <meter
            class="storage-used"
            min={0}
            max={100}
            high={90}
            value={percent}
            aria-label={words.usedOf(name)}
          />
          <span>{words.used(percent, size_bytes)}</span>
        </>
      }
    >
      <div class="row">
        <strong>{name}</strong>
        <span class="mono muted">{path}</span>
      </div>
    </ListRow>
  )
}

const isUnderWay = ({ state }: { state: string }) =>
  ['initial', 'scheduled', 'started', 'replicated'].includes(state)

function Moves() {
  const kind = kindOf(currentUrl.value)
  const { data, page: pages, refusal, again } = useApi(listRoute[kind], inputOf(currentUrl.value))
  const moves = data as readonly (ProjectMove | GroupMove)[] | undefined
  const running = moves?.filter(isUnderWay).length ?? 0
  usePolling(again, running > 0)
  return (
    <>
      <Tabs
        label={words.kind}
        tabs={words.kinds.map(([one, name]) => ({
          words: name,
          href: currentUrlWithQuery({ kind: one === 'project' ? '' : one, page: undefined }),
          isHere: one === kind,
        }))}
      />
      <p class={running > 0 ? 'muted' : 'only-spoken'} role="status">
        {running > 0 ? words.underWay(running) : ''}
      </p>
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <LoadingRows />}
      {data?.length === 0 ? <EmptyState title={words.empty} /> : null}
      {moves && moves.length > 0 ? (
        <List label={words.list}>
          {moves.map((move) => (
            <MoveRow key={move.id} move={move} />
          ))}
        </List>
      ) : null}
      <Pager page={pages} />
    </>
  )
}

/** The icon of each state of a move; other states are in progress. */
const looks: Readonly<Record<string, string>> = {
  scheduled: 'scheduled',
  initial: 'scheduled',
  finished: 'success',
  failed: 'failed',
  'cleanup failed': 'warning',
}

function MoveRow({ move }: { move: ProjectMove | GroupMove }) {
  const { state, source_storage_name: from, destination_storage_name: to, problem, percent } = move
  const isProject = 'project' in move
  const name = isProject ? move.project.path_with_namespace : move.group.name
  const href = isProject ? `/${name}` : new URL(move.group.web_url).pathname
  const repeat = async () => {
    const given = { destination_storage_name: to }
    if (isProject) {
      await call('POST /projects/:id/repository_storage_moves', { id: move.project.id, ...given })
    } else await call('POST /groups/:id/repository_storage_moves', { id: move.group.id, ...given })
    invalidate('/api/v4/project_repository_storage_moves', '/api/v4/group_repository_storage_moves')
    showToast(words.scheduled(1))
  }
  return (
    <ListRow
      aside={
        <>
          <Status status={looks[state] ?? 'running'} words={words.states[state] ?? state} />
          {state === 'started' && percent !== null ? (
            <ProgressBar label={words.progress(name)} percent={percent} />
          ) : null}
          {state === 'started' ? (
            <Duration
              seconds={(Date.now() - new Date(move.created_at).getTime()) / 1000}
              isCounting
            />
          ) : (
            <Time at={move.created_at} />
          )}
          {state === 'failed' ? (
            <Button look="quiet" onClick={() => void repeat()}>
              {words.again}
              <span class="only-spoken"> {name}</span>
            </Button>
          ) : null}
        </>
      }
    >
      <div class="row">
        <a data-main href={href}>
          {name}
        </a>
        <span class="mono muted">{words.fromTo(from, to)}</span>
      </div>
      {problem ? (
        <p class="muted">
          {problem} {state === 'failed' ? words.unchanged : ''}
        </p>
      ) : null}
    </ListRow>
  )
}
