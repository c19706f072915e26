// Several vulnerabilities moved to another state at once, one request each; those that were refused are told one by one.

import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { call, type Input } from '../../../api/call.ts'
import type { Vulnerability } from '../../../api/operations.ts'
import { Refusal } from '../../../api/refusal.ts'
import { vulnerabilityBulk as words } from '../../../text/vulnerability-bulk.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { SelectField, TextArea } from '../../../ui/field/field.tsx'
import { Form, type FormValues } from '../../../ui/form/form.tsx'
import { describeInPageLanguage } from '../../../ui/refusal/in-page-language.ts'
import { showToast } from '../../../ui/toast/toast.tsx'

type Reason = NonNullable<Input<'POST /vulnerabilities/:id/dismiss'>['dismissal_reason']>
type Failure = { id: number; title: string; href: string; sentence: string }
type Failed = { of: number; list: readonly Failure[] }

const routes = {
  confirmed: 'POST /vulnerabilities/:id/confirm',
  dismissed: 'POST /vulnerabilities/:id/dismiss',
  resolved: 'POST /vulnerabilities/:id/resolve',
  detected: 'POST /vulnerabilities/:id/revert',
} as const
type State = keyof typeof routes

/** `chosen` are those selected among `all` of the page; what fails stays selected. */
export function BulkBar({
  chosen,
  all,
  states,
  reasons,
  onSelect,
  onClose,
}: {
  chosen: readonly Vulnerability[]
  all: readonly Vulnerability[]
  /** What the states are called, and what reasons a dismissal can have: the page has these words. */
  states: Readonly<Record<string, string>>
  reasons: readonly (readonly [string, string])[]
  onSelect: (ids: readonly number[]) => void
  onClose: () => void
}) {
  const [state, setState] = useState<State>('confirmed')
  /** `of` stays what it was at the start: others may change the list meanwhile. */
  const [progress, setProgress] = useState<{ done: number; of: number }>()
  const [failed, setFailed] = useState<Failed>()
  const [isOpen, setOpen] = useState(false)
  const close = () => {
    setOpen(false)
    setFailed(undefined)
  }
  const submit = async (values: FormValues) => {
    const comment = values.text('comment').trim()
    const said = {
      ...(comment === '' ? {} : { comment }),
      ...(state === 'dismissed' && { dismissal_reason: values.text('dismissal_reason') as Reason }),
    }
    const failures: Failure[] = []
    const of = chosen.length
    setFailed(undefined)
    for (const [done, vulnerability] of chosen.entries()) {
      setProgress({ done, of })
      try {
        await call(routes[state], { id: vulnerability.id, ...said })
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        failures.push(failureOf(vulnerability, await describeInPageLanguage(error)))
      }
    }
    setProgress(undefined)
    if (failures.length > 0) setFailed({ of, list: failures })
    if (failures.length < of) showToast(words.done(of - failures.length))
    onSelect(failures.map(({ id }) => id))
    touchAll(chosen)
    if (failures.length === 0) onClose()
  }
  return (
    <section class="report-bar" aria-label={words.bar}>
      <strong role="status">{words.selected(chosen.length)}</strong>
      <Button look="quiet" onClick={() => onSelect(all.map(({ id }) => id))}>
        {words.selectAll}
      </Button>
      <Button look="quiet" onClick={onClose}>
        {words.close}
      </Button>
      <Button blocked={chosen.length === 0 && words.none} onClick={() => setOpen(true)}>
        {words.change}
      </Button>
      {isOpen ? (
        <Dialog title={words.title(chosen.length)} onClose={close}>
          {failed ? <Failures {...failed} /> : null}
          <Form action={words.change} onSubmit={submit}>
            <SelectField
              label={words.status}
              options={Object.keys(routes).map((one) => [one, states[one] ?? one] as const)}
              value={state}
              onChange={(event) => setState(event.currentTarget.value as State)}
            />
            {state === 'dismissed' ? (
              <SelectField
                label={words.reason}
                name="dismissal_reason"
                options={reasons}
                value="acceptable_risk"
              />
            ) : null}
            <TextArea label={words.comment} name="comment" rows={3} />
            {progress ? <p role="status">{words.progress(progress.done, progress.of)}</p> : null}
          </Form>
        </Dialog>
      ) : null}
    </section>
  )
}

function Failures({ of, list }: Failed) {
  return (
    <div class="stack stack-close" role="alert">
      <p>
        <strong>{words.failed(list.length, of)}</strong> {words.stillSelected}
      </p>
      <ul aria-label={words.failedList}>
        {list.map(({ id, title, href, sentence }) => (
          <li key={id}>
            <p>
              <a href={href}>{title}</a>
              {words.because(sentence)}
            </p>
          </li>
        ))}
      </ul>
    </div>
  )
}

function failureOf({ id, title, project }: Vulnerability, sentence: string): Failure {
  return { id, title, sentence, href: `/${project.full_path}/-/security/vulnerabilities/${id}` }
}

/** The records, and all lists and counts they may be in. */
function touchAll(changed: readonly Vulnerability[]): void {
  invalidate(
    ...changed.map(({ id }) => `/api/v4/vulnerabilities/${id}`),
    ...changed.map(({ project }) => `/api/v4/projects/${project.id}/vulnera`),
    '/api/v4/groups/',
    '/api/v4/security/vulnera',
  )
}
