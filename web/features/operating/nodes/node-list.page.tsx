// The servers on the same database, for administrators.
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { usePolling } from '../../../api/use-polling.ts'
import { nodes as words } from '../../../text/nodes.ts'
import { LoadingRows } from '../../../ui/blank/blank.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { AdminPage } from '../../../ui/page/admin.tsx'
import type { PageModule } from '../../../ui/page-module.ts'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Status } from '../../../ui/status/status.tsx'
import { Time } from '../../../ui/time/time.tsx'

/** The interval at which nodes renew their rows. */
const every_ms = 5_000

export const page: PageModule = {
  calls: () => [apiReadUrl('GET /admin/nodes', {})],
  View: NodeList,
}

function NodeList() {
  const { data, refusal, again } = useApi('GET /admin/nodes', {})
  usePolling(again, true, every_ms)
  const running = data?.filter(({ state }) => state === 'running') ?? []
  const isMixed = new Set(running.map(({ version }) => version)).size > 1
  return (
    <AdminPage title={words.title} lead={words.lead}>
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <LoadingRows />}
      {isMixed ? <p role="status">{words.mixed}</p> : null}
      {data ? (
        <List label={words.list}>
          {data.map(({ id, name, state, version, started_at, seen_at, url, storages }) => (
            <ListRow
              key={id}
              aside={
                <>
                  <span>{words.version(version)}</span>
                  {state === 'running' ? (
                    <span>
                      {words.started} <Time at={started_at} />
                    </span>
                  ) : (
                    <span>
                      {words.seen} <Time at={seen_at} />
                    </span>
                  )}
                </>
              }
            >
              <div class="row">
                <Status
                  status={state === 'running' ? 'success' : 'failed'}
                  words={words.states[state]}
                />
                <strong>{name}</strong>
                {url === null ? null : <span class="muted">{url}</span>}
              </div>
              {storages.length > 0 ? <p class="muted">{words.storages(storages)}</p> : null}
            </ListRow>
          ))}
        </List>
      ) : null}
    </AdminPage>
  )
}
