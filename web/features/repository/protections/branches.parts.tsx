import { useState } from 'preact/hooks'
import { touch } from '../../../api/cache.ts'
import { type Answer, call } from '../../../api/call.ts'
import type { ProjectRecord } from '../../../api/project.ts'
import { useAll } from '../../../api/use-api.ts'
import { generalText, protectionText as words } from '../../../text/settings.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Combobox } from '../../../ui/combobox/combobox.tsx'
import { findBranches } from '../../../ui/combobox/finds.ts'
import { confirmThen } from '../../../ui/dialog/dialog.tsx'
import { CheckField, SelectField, TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { List, Row } from '../../../ui/list/list.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { tell } from '../../../ui/toast/toast.tsx'
import { fits, who } from './levels.ts'

type Protection = Answer<'GET /projects/:id/protected_branches'>[number]

export function DefaultBranch({ project }: { project: ProjectRecord }) {
  const branch = project.default_branch ?? ''
  return (
    <Section title={generalText.branch}>
      <Form
        action={generalText.save}
        onSubmit={async (values) => {
          await call('PUT /projects/:id', { id: project.id, default_branch: values.text('branch') })
          touch(`/api/v4/projects/${project.id}`, '/api/v4/resolve')
          tell(generalText.saved)
        }}
      >
        <Combobox
          label={generalText.branch}
          name="branch"
          chosen={{ value: branch, words: branch }}
          find={findBranches(project.id)}
          required
          problemsOf="default_branch"
        />
      </Form>
    </Section>
  )
}

const sentenceOf = ({ push_access_levels, merge_access_levels, allow_force_push }: Protection) =>
  words.branchRule(who(push_access_levels), who(merge_access_levels), allow_force_push)

export function ProtectedBranches({ id }: { id: number }) {
  const { data } = useAll('GET /projects/:id/protected_branches', { id, per_page: 100 })
  const [made, setMade] = useState(0)
  const after = () =>
    touch(`/api/v4/projects/${id}/protected_branches`, `/api/v4/projects/${id}/repository/branches`)
  const remove = ({ name }: Protection) =>
    confirmThen({
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
          <Row
            key={one.id}
            aside={
              <Button look="quiet" onClick={() => remove(one)}>
                {words.remove}
                <span class="only-spoken"> {words.branchNamed(one.name)}</span>
              </Button>
            }
          >
            <strong class="mono">{one.name}</strong>
            <p>{sentenceOf(one)}</p>
          </Row>
        ))}
      </List>
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
          })
          after()
          setMade(made + 1)
        }}
      >
        <Combobox label={words.name} name="name" find={findBranches(id)} isFree required />
        <SelectField label={words.push} name="push" options={words.levels} value="40" />
        <SelectField label={words.merge} name="merge" options={words.levels} value="40" />
        <CheckField label={words.allowForcePush} name="force" />
      </Form>
    </Section>
  )
}

function TryName({ protections }: { protections: readonly Protection[] }) {
  const [name, setName] = useState('')
  const found = protections.filter((one) => fits(one.name, name))
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
