import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { useProject } from '../../../api/project.ts'
import { useApi } from '../../../api/use-api.ts'
import { pipelines as words } from '../../../text/pipelines.ts'
import { Button } from '../../../ui/button/button.tsx'
import { RefField } from '../../../ui/combobox/ref-field.tsx'
import { SelectField, TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { navigate } from '../../../ui/navigation.ts'
import { Page } from '../../../ui/page/page.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { placeBasePath } from '../../../ui/project-address.ts'

export const page: PageModule<PlaceLocation> = { View: NewPipeline }

/** Returns the variables of the configuration that have a description. */
function useDeclared(id: number, ref: string) {
  const { data } = useApi('GET /projects/:id/ci/lint', ref === '' ? undefined : { id, ref })
  return (data?.variables ?? []).filter(({ description }) => description !== null)
}

function NewPipeline({ at }: { at: PlaceLocation }) {
  const { data: project } = useProject(at.place.id)
  const [ref, setRef] = useState<string>()
  const [count, setCount] = useState(1)
  const chosen = ref ?? project?.default_branch ?? ''
  const declared = useDeclared(at.place.id, chosen)
  return (
    <Page title={words.newTitle} lead={words.newLead}>
      <Form
        action={words.run}
        onSubmit={async (values) => {
          const keys = values.all('key')
          const given = values.all('value')
          const variables = keys
            .map((key, place) => ({ key, value: given[place] ?? '' }))
            .filter(({ key }) => key !== '')
          for (const { key, value } of declared) {
            const chosenValue = values.text(`variable ${key}`)
            if (chosenValue !== value) variables.push({ key, value: chosenValue })
          }
          const { id } = await call('POST /projects/:id/pipeline', {
            id: at.place.id,
            ref: chosen,
            variables,
          })
          invalidate(`/api/v4/projects/${at.place.id}/pipelines`)
          navigate(`${placeBasePath(at.place)}/-/pipelines/${id}`)
        }}
      >
        <RefField projectId={at.place.id} value={chosen} label={words.ref} onPick={setRef} />
        {declared.map(({ key, value, description, options }) => {
          const field = { label: key, hint: description ?? undefined, name: `variable ${key}` }
          const id = `${chosen} ${key}`
          return options.length > 0 ? (
            <SelectField
              key={id}
              {...field}
              value={value}
              options={[...new Set([value, ...options])].map((one) => [one, one])}
            />
          ) : (
            <TextField key={id} {...field} defaultValue={value} autocomplete="off" />
          )
        })}
        <fieldset class="stack stack-close">
          <legend class="field-label">{words.variables}</legend>
          {Array.from({ length: count }, (_, place) => (
            <div class="row" key={place}>
              <TextField label={words.key} name="key" autocomplete="off" spellcheck={false} />
              <TextField label={words.value} name="value" autocomplete="off" spellcheck={false} />
            </div>
          ))}
          <div>
            <Button look="quiet" onClick={() => setCount(count + 1)}>
              {words.addVariable}
            </Button>
          </div>
        </fieldset>
      </Form>
    </Page>
  )
}
