// Who has to approve the merge requests of a project, and which approvals count.
import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import type { ApprovalSettings, ProjectApprovalRule } from '../../../api/operations.ts'
import { useAllPages, useApi } from '../../../api/use-api.ts'
import { changedIds, idsOf, PickedField } from '../../../surfaces/approvals/picked-field.tsx'
import { approvals_max, RuleFields } from '../../../surfaces/approvals/rule-fields.tsx'
import { approvals as words } from '../../../text/approvals.ts'
import { ui } from '../../../text/ui.ts'
import { Button } from '../../../ui/button/button.tsx'
import type { ComboboxChoice } from '../../../ui/combobox/combobox.tsx'
import { choiceOfPerson } from '../../../ui/combobox/finders.ts'
import { confirmBefore, Dialog } from '../../../ui/dialog/dialog.tsx'
import { CheckField, RadioField, SelectField, TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import type { PickedChoice } from '../../../ui/picker/picker.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'

type Rule = ProjectApprovalRule
type Scope = 'all' | 'protected' | 'some'

/** Reloads the rules, the settings, and merge requests, whose status depends on them. */
const reload = (id: number) =>
  invalidate(
    `/api/v4/projects/${id}/approval_rules`,
    `/api/v4/projects/${id}/approvals`,
    `/api/v4/projects/${id}/merge_requests`,
    '/api/v4/merge_requests',
  )

export function ApprovalsSection({ id }: { id: number }) {
  return (
    <>
      <Rules id={id} />
      <Settings id={id} />
    </>
  )
}

function Rules({ id }: { id: number }) {
  const { data } = useAllPages('GET /projects/:id/approval_rules', { id, per_page: 100 })
  const [edited, setEdited] = useState<Rule | 'new'>()
  // The rule for all eligible users is a number among the settings below.
  const rules = data?.filter(({ rule_type }) => rule_type === 'regular')
  return (
    <>
      <div class="row row-apart">
        <h3>{words.rules}</h3>
        <Button onClick={() => setEdited('new')}>{words.add}</Button>
      </div>
      {rules?.length === 0 ? <p class="muted">{words.noRules}</p> : null}
      {rules && rules.length > 0 ? (
        <List label={words.rules}>
          {rules.map((rule) => (
            <ListRow
              key={rule.id}
              aside={
                <>
                  <span>
                    {rule.approvals_required === 0
                      ? words.optional
                      : words.requiredCount(rule.approvals_required)}
                  </span>
                  <Button look="quiet" onClick={() => setEdited(rule)}>
                    {words.edit}
                    <span class="only-spoken"> {rule.name}</span>
                  </Button>
                  <Button look="quiet" onClick={() => askToDelete(id, rule)}>
                    {words.delete}
                    <span class="only-spoken"> {rule.name}</span>
                  </Button>
                </>
              }
            >
              <strong>{rule.name}</strong>
              <p>{namesOf(rule).join(', ')}</p>
              <p class="muted">{words.targets(branchesOf(rule))}</p>
            </ListRow>
          ))}
        </List>
      ) : null}
      {edited ? (
        <EditRule
          id={id}
          rule={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      ) : null}
    </>
  )
}

const namesOf = ({ users, groups, contains_hidden_groups }: Rule): string[] => [
  ...users.map(({ name }) => name),
  ...groups.map(({ full_path }) => full_path),
  ...(contains_hidden_groups ? [words.privateGroups] : []),
]

const scopeOf = ({ applies_to_all_protected_branches, protected_branches }: Rule): Scope => {
  if (applies_to_all_protected_branches) return 'protected'
  return protected_branches.length > 0 ? 'some' : 'all'
}

function branchesOf(rule: Rule): string[] {
  const scope = scopeOf(rule)
  if (scope === 'some') return rule.protected_branches.map(({ name }) => name)
  return words.scopes.flatMap(([value, name]) => (value === scope ? [name] : []))
}

function askToDelete(id: number, { id: approval_rule_id, name }: Rule): void {
  confirmBefore({
    title: words.deleteTitle(name),
    text: words.deleteText,
    action: words.deleteRule,
    run: async () => {
      await call('DELETE /projects/:id/approval_rules/:approval_rule_id', { id, approval_rule_id })
      reload(id)
    },
  })
}

const protectionFinder = (id: number) => async (search: string) => {
  const found = await call('GET /projects/:id/protected_branches', { id, search, per_page: 50 })
  return found.map(choiceOfNamed)
}

const choiceOfNamed = (one: { id: number; name: string }): ComboboxChoice => ({
  value: String(one.id),
  words: one.name,
})

function EditRule({
  id,
  rule,
  onClose,
}: {
  id: number
  rule: Rule | undefined
  onClose: () => void
}) {
  const [users, setUsers] = useState<readonly PickedChoice[]>(rule?.users.map(choiceOfPerson) ?? [])
  const [groups, setGroups] = useState<readonly PickedChoice[]>(
    rule?.groups.map((one) => ({ value: String(one.id), words: one.full_path })) ?? [],
  )
  const [scope, setScope] = useState<Scope>(rule ? scopeOf(rule) : 'all')
  const [branches, setBranches] = useState<readonly PickedChoice[]>(
    rule?.protected_branches.map(choiceOfNamed) ?? [],
  )
  const namesNobody = users.length === 0 && groups.length === 0 && !rule?.contains_hidden_groups
  const isUnfinished = scope === 'some' && branches.length === 0
  const title = rule ? words.editTitle(rule.name) : words.add
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        action={rule ? words.save : words.add}
        blocked={(namesNobody && words.nobodyNamed) || (isUnfinished && words.noBranches)}
        more={<Button onClick={onClose}>{ui.cancel}</Button>}
        onSubmit={async (values) => {
          const shared = {
            id,
            name: values.text('name').trim(),
            approvals_required: Number(values.text('approvals_required')),
            protected_branch_ids: scope === 'some' ? idsOf(branches) : [],
            applies_to_all_protected_branches: scope === 'protected',
          }
          if (rule) {
            const user_ids = changedIds(rule.users, users)
            const group_ids = changedIds(rule.groups, groups)
            await call('PUT /projects/:id/approval_rules/:approval_rule_id', {
              ...shared,
              approval_rule_id: rule.id,
              ...(user_ids && { user_ids }),
              ...(group_ids && { group_ids }),
            })
          } else {
            await call('POST /projects/:id/approval_rules', {
              ...{ ...shared, rule_type: 'regular' },
              ...{ user_ids: idsOf(users), group_ids: idsOf(groups) },
            })
          }
          reload(id)
          onClose()
          showToast(rule ? words.saved : words.added)
        }}
      >
        <RuleFields
          {...{ projectId: id, rule, users, groups }}
          onUsers={setUsers}
          onGroups={setGroups}
        />
        <SelectField
          label={words.targetBranch}
          options={words.scopes}
          value={scope}
          onChange={(event) => setScope(event.currentTarget.value as Scope)}
        />
        {scope === 'some' ? (
          <PickedField
            label={words.branches}
            problemsOf="protected_branches"
            chosen={branches}
            find={protectionFinder(id)}
            onChoose={setBranches}
          />
        ) : null}
      </Form>
    </Dialog>
  )
}

/** Whose approvals a push ends, as `afterPushOptions` names it. */
function endedByPush(settings: ApprovalSettings): string {
  if (settings.reset_approvals_on_push) return 'all'
  return settings.selective_code_owner_removals ? 'owners' : 'none'
}

function Settings({ id }: { id: number }) {
  const { data: settings } = useApi('GET /projects/:id/approvals', { id })
  const [chosen, setChosen] = useState<string>()
  if (!settings) return null
  const afterPush = chosen ?? endedByPush(settings)
  return (
    <>
      <h3>{words.settings}</h3>
      <Form
        action={words.saveSettings}
        onSubmit={async (values) => {
          await call('POST /projects/:id/approvals', {
            id,
            approvals_before_merge: Number(values.text('approvals_before_merge')),
            merge_requests_author_approval: !values.has('author'),
            merge_requests_disable_committers_approval: values.has('committers'),
            disable_overriding_approvers_per_merge_request: values.has('editing'),
            reset_approvals_on_push: afterPush === 'all',
            selective_code_owner_removals: afterPush === 'owners',
            require_password_to_approve: values.has('password'),
          })
          reload(id)
          showToast(words.settingsSaved)
        }}
      >
        <TextField
          label={words.everybodyRequired}
          hint={words.everybodyHint}
          name="approvals_before_merge"
          type="number"
          min={0}
          max={approvals_max}
          required
          defaultValue={String(settings.approvals_before_merge)}
        />
        <CheckField
          label={words.preventAuthor}
          hint={words.preventAuthorHint}
          name="author"
          defaultChecked={!settings.merge_requests_author_approval}
        />
        <CheckField
          label={words.preventCommitters}
          hint={words.preventCommittersHint}
          name="committers"
          defaultChecked={settings.merge_requests_disable_committers_approval}
        />
        <CheckField
          label={words.preventEditing}
          name="editing"
          defaultChecked={settings.disable_overriding_approvers_per_merge_request}
        />
        <RadioField
          legend={words.afterPush}
          name="after_push"
          options={words.afterPushOptions.map(([value, label]) => ({ value, label }))}
          value={afterPush}
          onChange={setChosen}
        />
        <CheckField
          label={words.requirePassword}
          name="password"
          defaultChecked={settings.require_password_to_approve}
        />
      </Form>
    </>
  )
}
