// The fields that every form of an approval rule has: its name, how many approvals it requires, and who can give them.
import { approvals as words } from '../../text/approvals.ts'
import { findGroups, projectUserFinder } from '../../ui/combobox/finders.ts'
import { TextField } from '../../ui/field/field.tsx'
import type { PickedChoice } from '../../ui/picker/picker.tsx'
import { PickedField } from './picked-field.tsx'

/** The server takes no more (docs/api/approvals.md, "Rules"). */
export const approvals_max = 100

export function RuleFields({
  projectId,
  rule,
  users,
  groups,
  onUsers,
  onGroups,
}: {
  projectId: number
  /** The rule that is edited; undefined for a new one. */
  rule?: { name: string; approvals_required: number } | undefined
  users: readonly PickedChoice[]
  groups: readonly PickedChoice[]
  onUsers: (users: readonly PickedChoice[]) => void
  onGroups: (groups: readonly PickedChoice[]) => void
}) {
  return (
    <>
      <TextField
        label={words.name}
        hint={words.nameHint}
        name="name"
        maxLength={255}
        required
        defaultValue={rule?.name ?? ''}
      />
      <TextField
        label={words.required}
        name="approvals_required"
        type="number"
        min={0}
        max={approvals_max}
        required
        defaultValue={String(rule?.approvals_required ?? 1)}
      />
      <PickedField
        label={words.users}
        hint={words.usersHint}
        problemsOf="user_ids"
        chosen={users}
        find={projectUserFinder(projectId)}
        onChoose={onUsers}
      />
      <PickedField
        label={words.groups}
        problemsOf="group_ids"
        chosen={groups}
        find={findGroups}
        onChoose={onGroups}
      />
    </>
  )
}
