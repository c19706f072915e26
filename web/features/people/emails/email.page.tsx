import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { type Answer, call } from '../../../api/call.ts'
import { user } from '../../../api/session.ts'
import { apiReadUrl, useAllPages } from '../../../api/use-api.ts'
import { emails } from '../../../text/own-settings.ts'
import { ownSettingsPlaces } from '../../../text/places.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { OwnSettings } from '../../../ui/page/own-settings.tsx'
import type { PageModule } from '../../../ui/page-module.ts'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'

type Email = Answer<'GET /user/emails'>[number]

const input = { per_page: 100 }
const emailsUrl = '/api/v4/user/emails'

export const page: PageModule = {
  calls: () => [apiReadUrl('GET /user/emails', input)],
  View: Emails,
}

function Emails() {
  const { data, refusal, again } = useAllPages('GET /user/emails', input)
  const [added, setAdded] = useState(0)
  const main = user.value?.email
  return (
    <OwnSettings title={ownSettingsPlaces.emails} lead={emails.lead}>
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      <List label={emails.list}>
        {main ? (
          <ListRow aside={<Chip>{emails.primary}</Chip>}>
            <strong>{main}</strong>
          </ListRow>
        ) : null}
        {data
          ?.filter(({ email }) => email !== main)
          .map((email) => (
            <ListRow
              key={email.id}
              aside={
                <>
                  {email.confirmed_at ? null : <Chip tone="warning">{emails.unverified}</Chip>}
                  <Button look="quiet" onClick={() => askToRemove(email)}>
                    {emails.remove}
                    <span class="only-spoken"> {email.email}</span>
                  </Button>
                </>
              }
            >
              <strong>{email.email}</strong>
            </ListRow>
          ))}
      </List>
      <Form
        key={added}
        action={emails.add}
        onSubmit={async (values) => {
          await call('POST /user/emails', { email: values.text('email') })
          invalidate(emailsUrl)
          showToast(emails.sent)
          setAdded(added + 1)
        }}
      >
        <TextField label={emails.address} name="email" type="email" required />
      </Form>
    </OwnSettings>
  )
}

function askToRemove({ id, email }: Email): void {
  confirmBefore({
    title: emails.removeTitle(email),
    text: emails.removeText,
    action: emails.removeConfirm,
    run: async () => {
      await call('DELETE /user/emails/:email_id', { email_id: id })
      invalidate(emailsUrl)
    },
  })
}
