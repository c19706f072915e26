import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { type Answer, call } from '../../../api/call.ts'
import { useAllPages } from '../../../api/use-api.ts'
import { ciSettings as words } from '../../../text/ci-settings.ts'
import { Button } from '../../../ui/button/button.tsx'
import { CopyLine } from '../../../ui/copy-line/copy-line.tsx'
import { confirmBefore, Dialog } from '../../../ui/dialog/dialog.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Time } from '../../../ui/time/time.tsx'

type Trigger = Answer<'GET /projects/:id/triggers'>[number]

export function TriggersSection({ id, gitRef }: { id: number; gitRef: string }) {
  const { data } = useAllPages('GET /projects/:id/triggers', { id, per_page: 100 })
  const [made, setMade] = useState<Trigger>()
  const [edited, setEdited] = useState<Trigger>()
  const after = () => invalidate(`/api/v4/projects/${id}/triggers`)
  const remove = ({ id: trigger_id, description }: Trigger) =>
    confirmBefore({
      title: words.removeTrigger(description),
      text: words.removeTriggerText,
      action: words.removeTriggerConfirm,
      run: async () => {
        await call('DELETE /projects/:id/triggers/:trigger_id', { id, trigger_id })
        after()
      },
    })
  return (
    <Section id="triggers" title={words.triggers} lead={words.triggersLead}>
      {made ? (
        <div class="stack stack-close">
          <p>{words.triggerCreated}</p>
          <CopyLine label={words.triggerToken} text={made.token} />
          <p>{words.triggerUsage}</p>
          <CopyLine label={words.triggerCommand} text={lineOf(id, made.token, gitRef)} />
        </div>
      ) : null}
      {data?.length === 0 ? <p>{words.noTriggers}</p> : null}
      <List label={words.triggers}>
        {data?.map((trigger) => (
          <ListRow
            key={trigger.id}
            aside={
              <>
                <span>
                  {trigger.last_used ? (
                    <>
                      {words.lastUsed} <Time at={trigger.last_used} />
                    </>
                  ) : (
                    words.neverUsed
                  )}
                </span>
                <Button look="quiet" onClick={() => setEdited(trigger)}>
                  {words.edit}
                  <span class="only-spoken"> {trigger.description}</span>
                </Button>
                <Button look="quiet" onClick={() => remove(trigger)}>
                  {words.remove}
                  <span class="only-spoken"> {trigger.description}</span>
                </Button>
              </>
            }
          >
            <strong>{trigger.description}</strong>{' '}
            <span class="mono muted">{words.tokenStart(trigger.token.slice(0, 4))}</span>
          </ListRow>
        ))}
      </List>
      <Form
        key={made?.id ?? 0}
        action={words.addTrigger}
        onSubmit={async (values) => {
          setMade(
            await call('POST /projects/:id/triggers', {
              id,
              description: values.text('description'),
            }),
          )
          after()
        }}
      >
        <TextField label={words.description} name="description" required />
      </Form>
      {edited ? (
        <Dialog title={words.editTrigger(edited.description)} onClose={() => setEdited(undefined)}>
          <Form
            action={words.save}
            onSubmit={async (values) => {
              await call('PUT /projects/:id/triggers/:trigger_id', {
                id,
                trigger_id: edited.id,
                description: values.text('description'),
              })
              after()
              setEdited(undefined)
            }}
          >
            <TextField
              label={words.description}
              name="description"
              required
              defaultValue={edited.description}
            />
          </Form>
        </Dialog>
      ) : null}
    </Section>
  )
}

function lineOf(id: number, token: string, gitRef: string): string {
  return `curl --request POST --form token=${token} --form ref=${gitRef} ${location.origin}/api/v4/projects/${id}/trigger/pipeline`
}
