import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { useAllPages } from '../../../api/use-api.ts'
import { ciSettings as words } from '../../../text/ci-settings.ts'
import { Button } from '../../../ui/button/button.tsx'
import { CopyLine } from '../../../ui/copy-line/copy-line.tsx'
import { CheckField, TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { Status } from '../../../ui/status/status.tsx'

const listRoute = {
  projects: 'GET /projects/:id/runners',
  groups: 'GET /groups/:id/runners',
} as const

/** Runners that serve a project, or the projects of a group. */
export function RunnersSection({ kind, id }: { kind: 'projects' | 'groups'; id: number }) {
  const { data } = useAllPages(listRoute[kind], { id, per_page: 100 })
  const [token, setToken] = useState('')
  const own = kind === 'projects' ? 'project_type' : 'group_type'
  const after = () => invalidate(`/api/v4/${kind}/${id}/runners`)
  const pause = (runner_id: number, paused: boolean) =>
    void call('PUT /runners/:runner_id', { runner_id, paused }).then(after)
  return (
    <>
      {data?.length === 0 ? <p>{words.noRunners[kind]}</p> : null}
      <List label={words.runners}>
        {data?.map((runner) => (
          <ListRow
            key={runner.id}
            aside={
              <>
                <span>{words.kinds[runner.runner_type]}</span>
                {runner.runner_type === own ? (
                  <Button look="quiet" onClick={() => pause(runner.id, !runner.paused)}>
                    {runner.paused ? words.resume : words.pause}
                    <span class="only-spoken"> {runner.description}</span>
                  </Button>
                ) : null}
              </>
            }
          >
            <div class="row">
              <Status status={runner.paused ? 'paused' : runner.status} />
              <strong>{runner.description ?? `#${runner.id}`}</strong>
            </div>
          </ListRow>
        ))}
      </List>
      {token === '' ? null : (
        <div class="stack stack-close">
          <p>{words.registrationHint}</p>
          <CopyLine
            label={words.registrationCommand}
            text={`gitlab-runner register --non-interactive --url ${location.origin} --token ${token} --executor shell`}
          />
        </div>
      )}
      <Form
        key={token}
        action={words.createRunner}
        onSubmit={async (values) => {
          const tags = values
            .text('tags')
            .split(',')
            .map((tag) => tag.trim())
            .filter(Boolean)
          const made = await call('POST /user/runners', {
            runner_type: own,
            ...(kind === 'projects' ? { project_id: id } : { group_id: id }),
            description: values.text('description'),
            tag_list: tags,
            run_untagged: values.has('run_untagged'),
          })
          setToken(made.token)
          after()
        }}
      >
        <TextField label={words.description} name="description" />
        <TextField label={words.tags} name="tags" problemsOf="tag_list" />
        <CheckField label={words.untagged} name="run_untagged" defaultChecked />
      </Form>
    </>
  )
}
