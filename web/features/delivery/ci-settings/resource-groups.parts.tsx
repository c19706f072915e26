import { invalidate } from '../../../api/cache.ts'
import { type Answer, call } from '../../../api/call.ts'
import { useAllPages, useApi } from '../../../api/use-api.ts'
import { ciSettings as words } from '../../../text/ci-settings.ts'
import { SelectField } from '../../../ui/field/field.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { Section } from '../../../ui/page/page.tsx'

type ResourceGroup = Answer<'GET /projects/:id/resource_groups'>[number]

export function ResourceGroupsSection({ id }: { id: number }) {
  const { data } = useAllPages('GET /projects/:id/resource_groups', { id, per_page: 100 })
  const change = async (key: string, process_mode: ResourceGroup['process_mode']) => {
    await call('PUT /projects/:id/resource_groups/:key', { id, key, process_mode })
    invalidate(`/api/v4/projects/${id}/resource_groups`)
  }
  return (
    <Section id="resource-groups" title={words.resourceGroups} lead={words.resourceGroupsLead}>
      {data?.length === 0 ? <p>{words.noResourceGroups}</p> : null}
      <List label={words.resourceGroups}>
        {data?.map((group) => (
          <ListRow
            key={group.id}
            aside={
              <SelectField
                label={`${words.processMode}: ${group.key}`}
                isLabelHidden
                options={words.processModes}
                value={group.process_mode}
                onChange={(event) =>
                  void change(group.key, event.currentTarget.value as ResourceGroup['process_mode'])
                }
              />
            }
          >
            <strong class="mono">{group.key}</strong>
            <Holding id={id} groupKey={group.key} />
          </ListRow>
        ))}
      </List>
    </Section>
  )
}

function Holding({ id, groupKey: key }: { id: number; groupKey: string }) {
  const { data: current } = useApi('GET /projects/:id/resource_groups/:key/current_job', {
    id,
    key,
  })
  const { data: upcoming } = useAllPages('GET /projects/:id/resource_groups/:key/upcoming_jobs', {
    id,
    key,
    per_page: 100,
  })
  return (
    <p class="muted">
      {current ? (
        <>
          {words.currentJob} <a href={new URL(current.web_url).pathname}>{current.name}</a>
        </>
      ) : (
        words.noCurrentJob
      )}{' '}
      {upcoming && upcoming.length > 0 ? words.waitingJobs(upcoming.length) : ''}
    </p>
  )
}
