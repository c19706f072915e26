import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { type Answer, call } from '../../../api/call.ts'
import { mayInProject, type ProjectRecord, useProject } from '../../../api/project.ts'
import { useAllPages, useApi } from '../../../api/use-api.ts'
import { generalText, protectionText as words } from '../../../text/settings.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Combobox } from '../../../ui/combobox/combobox.tsx'
import { branchFinder } from '../../../ui/combobox/finders.ts'
import { confirmBefore, Dialog } from '../../../ui/dialog/dialog.tsx'
import { CheckField, SelectField, TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'
import { describeAccessLevels, matchesWildcard } from './describe-access-levels.ts'

type Protection = Answer<'GET /projects/:id/protected_branches'>[number]

export function DefaultBranchSection({ project }: { project: ProjectRecord }) {
  const branch = project.default_branch ?? ''
  return (
    <Section title={generalText.branch}>
      <Form
        action={generalText.save}
        onSubmit={async (values) => {
          await call('PUT /projects/:id', { id: project.id, default_branch: values.text('branch') })
          invalidate(`/api/v4/projects/${project.id}`, '/api/v4/resolve')
          showToast(generalText.saved)
        }}
      >
        <Combobox
          label={generalText.branch}
          name="branch"
          chosen={{ value: branch, words: branch }}
          find={branchFinder(project.id)}
          required
          problemsOf="default_branch"
        />
      </Form>
    </Section>
  )
}

const sentenceOf = (protection: Protection) => {
  const rule = words.branchRule(
    describeAccessLevels(protection.push_access_levels),
    describeAccessLevels(protection.merge_access_levels),
    protection.allow_force_push,
  )
  return protection.code_owner_approval_required ? `${rule} ${words.codeOwnersRequired}` : rule
}

function CodeOwnersField({ isRequired = false }: { isRequired?: boolean }) {
  return (
    <CheckField
      label={words.requireCodeOwners}
      hint={words.requireCodeOwnersHint}
      name="owners"
      defaultChecked={isRequired}
    />
  )
}

export function ProtectedBranchesSection({ id }: { id: number }) {
  const { data } = useAllPages('GET /projects/:id/protected_branches', { id, per_page: 100 })
  const { data: project } = useProject(id)
  // On the free tier nobody may.
  const mayChange = mayInProject(project, 'change_branch_protections')
  const [made, setMade] = useState(0)
  const [name, setName] = useState('')
  const [edited, edit] = useState<Protection>()
  const after = () =>
    invalidate(
      `/api/v4/projects/${id}/protected_branches`,
      `/api/v4/projects/${id}/repository/branches`,
    )
  const remove = ({ name }: Protection) =>
    confirmBefore({
      title: words.removeBranchTitle(name),
      text: words.removeBranchText,
      action: words.removeBranch,
      run: async () => {
        await call('DELETE /projects/:id/protected_branches/:name', { id, name })
        after()
      },
    })
  return (
    <Section id="protected-branches" title={words.branches} lead={words.branchesLead}>
      {data?.length === 0 ? <p>{words.noBranches}</p> : null}
      <List label={words.branches}>
        {data?.map((one) => (
          <ListRow
            key={one.id}
            aside={
              <>
                {mayChange && !one.inherited ? (
                  <Button look="quiet" onClick={() => edit(one)}>
                    {words.edit}
                    <span class="only-spoken"> {words.branchNamed(one.name)}</span>
                  </Button>
                ) : null}
                <Button look="quiet" onClick={() => remove(one)}>
                  {words.remove}
                  <span class="only-spoken"> {words.branchNamed(one.name)}</span>
                </Button>
              </>
            }
          >
            <span class="row">
              <strong class="mono">{one.name}</strong>
              <Matches id={id} pattern={one.name} />
            </span>
            <p>{sentenceOf(one)}</p>
          </ListRow>
        ))}
      </List>
      {edited ? (
        <EditProtection
          id={id}
          protection={edited}
          onClose={() => edit(undefined)}
          onSaved={after}
        />
      ) : null}
      {data && data.length > 0 ? <TryName protections={data} /> : null}
      <Form
        key={made}
        action={words.protect}
        onSubmit={async (values) => {
          await call('POST /projects/:id/protected_branches', {
            id,
            name: values.text('name'),
            push_access_level: Number(values.text('push')) as 40,
            merge_access_level: Number(values.text('merge')) as 40,
            allow_force_push: values.has('force'),
            code_owner_approval_required: values.has('owners'),
          })
          after()
          setMade(made + 1)
          setName('')
        }}
      >
        <Combobox
          label={words.name}
          name="name"
          find={(typed) => {
            setName(typed)
            return branchFinder(id)(typed)
          }}
          onChoose={({ value }) => setName(value)}
          isFree
          required
        />
        <p role="status">
          <Matches id={id} pattern={name} />
        </p>
        <SelectField label={words.push} name="push" options={words.levels} value="40" />
        <SelectField label={words.merge} name="merge" options={words.levels} value="40" />
        <CheckField label={words.allowForcePush} name="force" />
        {mayChange ? <CodeOwnersField /> : null}
      </Form>
    </Section>
  )
}

/** How many branches there are that a wildcard is about. */
function Matches({ id, pattern }: { id: number; pattern: string }) {
  const isWildcard = pattern.includes('*')
  const regex = `^${pattern.split('*').map(RegExp.escape).join('.*')}$`
  const { page } = useApi(
    'GET /projects/:id/repository/branches',
    isWildcard ? { id, regex, per_page: 1 } : undefined,
  )
  if (!isWildcard || typeof page?.total !== 'number') return null
  return <span class="muted">{words.matches(page.total)}</span>
}

const roleOf = (entries: Protection['push_access_levels']) =>
  entries.find((one) => one.access_level !== null && !one.user_id && !one.group_id)

/** The change of the role's entry; people and groups beside it stay. */
function changeOf(entries: Protection['push_access_levels'], chosen: string) {
  const role = roleOf(entries)
  const access_level = Number(chosen) as 40
  if (role?.access_level === access_level) return []
  return [{ ...(role ? { id: role.id } : {}), access_level }]
}

function EditProtection({
  id,
  protection,
  onClose,
  onSaved,
}: {
  id: number
  protection: Protection
  onClose: () => void
  onSaved: () => void
}) {
  const { name, push_access_levels, merge_access_levels, allow_force_push } = protection
  const levelOf = (entries: Protection['push_access_levels']) =>
    String(roleOf(entries)?.access_level ?? 40)
  return (
    <Dialog title={words.editTitle(name)} onClose={onClose}>
      <Form
        action={words.save}
        onSubmit={async (values) => {
          await call('PATCH /projects/:id/protected_branches/:name', {
            id,
            name,
            allowed_to_push: changeOf(push_access_levels, values.text('push')),
            allowed_to_merge: changeOf(merge_access_levels, values.text('merge')),
            allow_force_push: values.has('force'),
            code_owner_approval_required: values.has('owners'),
          })
          onSaved()
          onClose()
        }}
      >
        <SelectField
          label={words.push}
          name="push"
          options={words.levels}
          value={levelOf(push_access_levels)}
        />
        <SelectField
          label={words.merge}
          name="merge"
          options={words.levels}
          value={levelOf(merge_access_levels)}
        />
        <CheckField label={words.allowForcePush} name="force" defaultChecked={allow_force_push} />
        <CodeOwnersField isRequired={protection.code_owner_approval_required} />
      </Form>
    </Dialog>
  )
}

function TryName({ protections }: { protections: readonly Protection[] }) {
  const [name, setName] = useState('')
  const found = protections.filter((one) => matchesWildcard(one.name, name))
  return (
    <div class="form">
      <TextField
        label={words.testName}
        hint={words.testNameHint}
        value={name}
        spellcheck={false}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <p role="status">
        {name === ''
          ? ''
          : found.length === 0
            ? words.testNoMatch(name)
            : words.testResult(name, found.map(sentenceOf).join(' '))}
      </p>
    </div>
  )
}
