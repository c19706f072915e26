// The approval rules of one merge request, in place of those of its project.
import { useEffect, useRef, useState } from 'preact/hooks'
import { call } from '../../../api/call.ts'
import type { ApprovalRuleState, ApprovalState } from '../../../api/operations.ts'
import { idsOf } from '../../../surfaces/approvals/picked-field.tsx'
import { approvals_max, RuleFields } from '../../../surfaces/approvals/rule-fields.tsx'
import { approvals as words } from '../../../text/approvals.ts'
import { requests } from '../../../text/merge-requests.ts'
import { ui } from '../../../text/ui.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { Form, type FormValues } from '../../../ui/form/form.tsx'
import type { PickedChoice } from '../../../ui/picker/picker.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'
import { invalidateRequest, type RequestId } from './request-calls.ts'

const base = '/projects/:id/merge_requests/:merge_request_iid'

type Rule = Pick<
  ApprovalRuleState,
  'id' | 'name' | 'rule_type' | 'approvals_required' | 'source_rule'
>

/** Shown if neither the project nor the merge request requires approvals of all eligible users. */
const noneOfEverybody: Rule = {
  id: null,
  name: '',
  rule_type: 'any_approver',
  approvals_required: 0,
  source_rule: null,
}

/** CODEOWNERS makes these; they are changed there. */
const isOfCodeOwners = ({ rule_type }: Rule) => rule_type === 'code_owner'
const isForEverybody = ({ rule_type }: Rule) => rule_type === 'any_approver'
/** Stays the same when a rule of the project is copied to the merge request. */
const keyOf = ({ id, source_rule }: Rule) => source_rule?.id ?? id ?? 0
const fieldOf = (rule: Rule) => `rule_${keyOf(rule)}`

export function EditApprovalRules({
  of,
  state,
  everybody_min,
  onClose,
}: {
  of: RequestId
  state: ApprovalState
  /** How many approvals the project requires of all eligible users. */
  everybody_min: number
  onClose: () => void
}) {
  const [isAdding, setAdding] = useState(false)
  const opener = useRef<HTMLButtonElement>(undefined)
  useEffect(() => {
    if (!isAdding) opener.current?.focus()
  }, [isAdding])
  return (
    <Dialog title={words.editRules} onClose={onClose}>
      <p class="muted">{words.editRulesLead}</p>
      {isAdding ? <AddRule of={of} onDone={() => setAdding(false)} /> : null}
      <div hidden={isAdding}>
        <RuleCounts
          {...{ of, state, everybody_min, onClose }}
          onAdd={(button) => {
            opener.current = button
            setAdding(true)
          }}
        />
      </div>
    </Dialog>
  )
}

function RuleCounts({
  of,
  state,
  everybody_min,
  onAdd,
  onClose,
}: {
  of: RequestId
  state: ApprovalState
  everybody_min: number
  onAdd: (button: HTMLButtonElement) => void
  onClose: () => void
}) {
  const { approval_rules_overwritten } = state
  const rules = state.rules.filter((rule) => !isOfCodeOwners(rule))
  const [deleted, setDeleted] = useState<readonly number[]>([])
  const isKept = (rule: Rule) => !deleted.includes(keyOf(rule))
  const all: readonly Rule[] = rules.some(isForEverybody) ? rules : [noneOfEverybody, ...rules]
  const kept = all.filter(isKept)
  const minOf = (rule: Rule): number => {
    if (isForEverybody(rule)) return everybody_min
    if (approval_rules_overwritten) return rule.source_rule?.approvals_required ?? 0
    return rule.approvals_required
  }
  return (
    <Form
      action={words.save}
      more={
        <>
          <Button onClick={(event) => onAdd(event.currentTarget)}>{words.add}</Button>
          <Button onClick={onClose}>{ui.cancel}</Button>
        </>
      }
      onSubmit={async (values) => {
        try {
          await saveCounts(of, kept, values)
          for (const approval_rule_id of rules.filter((one) => !isKept(one)).map(keyOf)) {
            await call(`DELETE ${base}/approval_rules/:approval_rule_id`, {
              ...of,
              approval_rule_id,
            })
          }
        } finally {
          invalidateRequest(of)
        }
        onClose()
        showToast(words.saved)
      }}
    >
      {kept.map((rule) => {
        const min = minOf(rule)
        const name = isForEverybody(rule) ? requests.everybody : rule.name
        return (
          <div key={keyOf(rule)} class="stack stack-close">
            <TextField
              label={words.requiredBy(name)}
              hint={min > 0 ? words.atLeast(min) : undefined}
              name={fieldOf(rule)}
              type="number"
              min={min}
              max={approvals_max}
              required
              defaultValue={String(rule.approvals_required)}
            />
            {isForEverybody(rule) ? null : (
              <div>
                <Button
                  look="quiet"
                  onClick={(event) => {
                    // The button goes away with the rule.
                    const { form } = event.currentTarget
                    form?.querySelector<HTMLElement>('[type=submit]')?.focus()
                    setDeleted([...deleted, keyOf(rule)])
                  }}
                >
                  {words.delete}
                  <span class="only-spoken"> {name}</span>
                </Button>
              </div>
            )}
          </div>
        )
      })}
    </Form>
  )
}

async function saveCounts(
  of: RequestId,
  rules: readonly Rule[],
  values: FormValues,
): Promise<void> {
  for (const rule of rules) {
    const approvals_required = Number(values.text(fieldOf(rule)))
    if (approvals_required === rule.approvals_required) continue
    if (isForEverybody(rule)) await call(`POST ${base}/approvals`, { ...of, approvals_required })
    else if (rule.id !== null) {
      const changed = { ...of, approval_rule_id: rule.id, approvals_required }
      await call(`PUT ${base}/approval_rules/:approval_rule_id`, changed)
    }
  }
}

function AddRule({ of, onDone }: { of: RequestId; onDone: () => void }) {
  const [users, setUsers] = useState<readonly PickedChoice[]>([])
  const [groups, setGroups] = useState<readonly PickedChoice[]>([])
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector('input')?.focus(), [])
  return (
    <div ref={box}>
      <Form
        label={words.add}
        action={words.add}
        blocked={users.length === 0 && groups.length === 0 && words.nobodyNamed}
        more={<Button onClick={onDone}>{ui.cancel}</Button>}
        onSubmit={async (values) => {
          await call(`POST ${base}/approval_rules`, {
            ...of,
            name: values.text('name').trim(),
            approvals_required: Number(values.text('approvals_required')),
            rule_type: 'regular',
            user_ids: idsOf(users),
            group_ids: idsOf(groups),
          })
          invalidateRequest(of)
          onDone()
          showToast(words.added)
        }}
      >
        <RuleFields
          {...{ projectId: of.id, users, groups }}
          onUsers={setUsers}
          onGroups={setGroups}
        />
      </Form>
    </div>
  )
}
