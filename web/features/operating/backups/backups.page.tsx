// The scheduled backups of the server, with a button that takes one now.
import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { type Answer, call } from '../../../api/call.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { usePolling } from '../../../api/use-polling.ts'
import { backups as words } from '../../../text/backups.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { CopyLine } from '../../../ui/copy-line/copy-line.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { AdminPage } from '../../../ui/page/admin.tsx'
import { Section } from '../../../ui/page/page.tsx'
import type { PageModule } from '../../../ui/page-module.ts'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { StateBar } from '../../../ui/state-bar/state-bar.tsx'
import { Status } from '../../../ui/status/status.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'

type Backups = Answer<'GET /admin/backups'>

const url = '/api/v4/admin/backups'

export const page: PageModule = {
  calls: () => [apiReadUrl('GET /admin/backups', {})],
  View: BackupsPage,
}

function BackupsPage() {
  const { data, refusal, again } = useApi('GET /admin/backups', {})
  const isInProgress = data?.state === 'waiting' || data?.state === 'running'
  usePolling(again, isInProgress)
  const isConfigured = data !== undefined && data.target !== null
  return (
    <AdminPage
      title={words.title}
      lead={words.lead}
      actions={isConfigured ? <CreateBackup isInProgress={isInProgress} /> : null}
    >
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <LoadingRows />}
      {data?.target === null ? <SetUp /> : null}
      {data && isConfigured ? <Configured data={data} /> : null}
    </AdminPage>
  )
}

function CreateBackup({ isInProgress }: { isInProgress: boolean }) {
  const [isBusy, setBusy] = useState(false)
  const create = async () => {
    setBusy(true)
    try {
      await call('POST /admin/backups', {})
      showToast(words.requested)
    } finally {
      setBusy(false)
      invalidate(url)
    }
  }
  return (
    <Button look="primary" isBusy={isBusy || isInProgress} onClick={() => void create()}>
      {words.create}
    </Button>
  )
}

/** Shows what an administrator must do to enable backups. */
function SetUp() {
  return (
    <Section title={words.unconfigured} lead={words.setUp}>
      <CopyLine text={words.setting} label={words.settingName} />
      <p>
        <a href="/help/docs/operating/backup.md">{words.more}</a>
      </p>
    </Section>
  )
}

const looks = { waiting: 'waiting', running: 'running', delayed: 'warning', failed: 'failed' }

function Configured({ data }: { data: Backups }) {
  const { target, schedule, keep, state, last_error, next_at, target_error, backups } = data
  return (
    <>
      {state === 'none' ? null : (
        <StateBar state={<Status status={looks[state]} words={words.states[state]} />}>
          {last_error}
        </StateBar>
      )}
      {target_error === null ? null : <p role="status">{words.unreadable(target_error)}</p>}
      <dl class="facts">
        <div>
          <dt>{words.target}</dt>
          <dd>{target}</dd>
        </div>
        <div>
          <dt>{words.schedule}</dt>
          <dd>{`${schedule} (UTC)`}</dd>
        </div>
        <div>
          <dt>{words.keep}</dt>
          <dd>{words.kept(keep ?? 0)}</dd>
        </div>
        {next_at === null ? null : (
          <div>
            <dt>{words.next}</dt>
            <dd>{Date.parse(next_at) <= Date.now() ? words.due : <Time at={next_at} />}</dd>
          </div>
        )}
      </dl>
      {backups.length === 0 && target_error === null ? <EmptyState title={words.empty} /> : null}
      {backups.length > 0 ? <BackupList backups={backups} /> : null}
      {backups.length > 0 ? (
        <Section title={words.restore} lead={words.restoreText}>
          <CopyLine text={words.restoreLine(target ?? '')} label={words.restoreCommand} />
        </Section>
      ) : null}
    </>
  )
}

function BackupList({ backups }: Pick<Backups, 'backups'>) {
  return (
    <List label={words.list}>
      {backups.map(({ name, created_at, bytes, repositories, blobs, version, with_keys }) => (
        <ListRow
          key={name}
          aside={
            <>
              <span>{words.size(bytes)}</span>
              <span>{words.version(version)}</span>
            </>
          }
        >
          <div class="row">
            <strong>
              <Time at={created_at} />
            </strong>
            {with_keys ? <Chip>{words.withKeys}</Chip> : null}
          </div>
          <p class="muted">{words.contents(repositories, blobs)}</p>
        </ListRow>
      ))}
    </List>
  )
}
