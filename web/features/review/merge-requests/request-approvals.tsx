// The approval rules of a merge request: how many approvals each has, and who can still give one.
import { useState } from 'preact/hooks'
import type { ApprovalRuleState, ApprovalState, Approvals } from '../../../api/operations.ts'
import { useApi } from '../../../api/use-api.ts'
import { DetailRow } from '../../../surfaces/issuable/details.tsx'
import { approvals as words } from '../../../text/approvals.ts'
import { issuables } from '../../../text/issues.ts'
import { requests } from '../../../text/merge-requests.ts'
import { Button } from '../../../ui/button/button.tsx'
import { lazyComponent } from '../../../ui/lazy-component.tsx'
import { Status } from '../../../ui/status/status.tsx'
import type { RequestId, RequestRecord } from './request-calls.ts'

const EditApprovalRules = lazyComponent(() =>
  import('./edit-approval-rules.tsx').then(({ EditApprovalRules: View }) => View),
)

const names_max = 5

const withoutRules: ApprovalState = { rules: [], approval_rules_overwritten: false }

/** What the server calls lines of CODEOWNERS before its first heading. */
const unnamedSection = 'codeowners'

export function RequestApprovals({
  of,
  request,
  approvals,
}: {
  of: RequestId
  request: RequestRecord
  approvals: Approvals
}) {
  const route = 'GET /projects/:id/merge_requests/:merge_request_iid/approval_state'
  const hasRules = approvals.has_approval_rules ?? false
  const { data = hasRules ? undefined : withoutRules } = useApi(route, hasRules ? of : undefined)
  const [isEditing, setEditing] = useState(false)
  const mayEdit = (request.abilities?.change_details ?? false) && request.state === 'opened'
  // Says whether the project forbids editing. Users below Reporter may not read it; the dialog shows the refusal then.
  const settings = useApi(
    'GET /projects/:id/approvals',
    mayEdit && (hasRules || isEditing) ? { id: of.id } : undefined,
  )
  const isForbidden = settings.data?.disable_overriding_approvers_per_merge_request ?? false
  if (!data || !(hasRules || mayEdit)) return null
  return (
    <DetailRow
      title={words.rules}
      edit={
        mayEdit && !isForbidden ? (
          <Button look="quiet" aria-label={words.editRules} onClick={() => setEditing(true)}>
            {issuables.editWord}
          </Button>
        ) : null
      }
    >
      {hasRules ? null : <p class="muted">{words.noRules}</p>}
      <ul class="stack stack-close">
        {data.rules.map((rule) => (
          <RuleState key={rule.id ?? 0} rule={rule} suggested={approvals.suggested_approvers} />
        ))}
      </ul>
      {isEditing ? (
        <EditApprovalRules
          of={of}
          state={data}
          everybody_min={settings.data?.approvals_before_merge ?? 0}
          onClose={() => setEditing(false)}
        />
      ) : null}
    </DetailRow>
  )
}

function RuleState({
  rule,
  suggested,
}: {
  rule: ApprovalRuleState
  suggested: Approvals['suggested_approvers']
}) {
  const { approved, approved_by, approvals_required } = rule
  // The server suggests neither the author nor those who have approved.
  const able = rule.eligible_approvers.filter(({ id }) => suggested?.some((one) => one.id === id))
  return (
    <li>
      <span class="row">
        <Status
          isQuiet
          status={approved ? 'passed' : 'pending'}
          words={approved ? words.approved : words.missing}
        />
        <strong>{rule.rule_type === 'any_approver' ? requests.everybody : rule.name}</strong>
        {rule.section ? (
          <span class="muted">
            {rule.section === unnamedSection ? words.codeOwners : words.section(rule.section)}
          </span>
        ) : null}
        <span class="muted">
          {approvals_required === 0
            ? words.optional
            : words.progress(approved_by.length, approvals_required)}
        </span>
      </span>
      {!approved && able.length > 0 ? (
        <p class="muted">
          {words.canApprove(
            able.slice(0, names_max).map(({ name }) => name),
            Math.max(0, able.length - names_max),
          )}
        </p>
      ) : null}
    </li>
  )
}
