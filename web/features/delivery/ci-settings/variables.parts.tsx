// The variables of a project, a group or the instance.
import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import type { Variable } from '../../../api/operations.ts'
import { useAllPages } from '../../../api/use-api.ts'
import { variables as words } from '../../../text/variables.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { Menu } from '../../../ui/menu/menu.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'
import {
  type VariableOwner,
  variableOwnerInput,
  variableRoutesOf,
  variableScopeInput,
  variablesUrl,
} from './variable-calls.ts'
import { VariableForm } from './variable-form.tsx'

export function VariablesSection(owner: VariableOwner) {
  const routes = variableRoutesOf(owner)
  const { data, refusal, again } = useAllPages(routes.list, {
    ...variableOwnerInput(owner),
    per_page: 100,
  })
  /** The variable that is edited, or `new`. */
  const [edited, setEdited] = useState<Variable | 'new'>()
  const remove = ({ key, environment_scope }: Variable) =>
    confirmBefore({
      title: words.removeTitle(key),
      text: words.removeText,
      action: words.remove,
      run: async () => {
        const one = { ...variableOwnerInput(owner), key, ...variableScopeInput(environment_scope) }
        await call(routes.remove, one)
        invalidate(variablesUrl(owner))
        showToast(words.removed(key))
      },
    })
  return (
    <Section
      id="variables"
      title={words.title}
      lead={words.lead[owner.kind]}
      actions={<Button onClick={() => setEdited('new')}>{words.add}</Button>}
    >
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <LoadingRows />}
      {data?.length === 0 ? <EmptyState title={words.empty} /> : null}
      {data && data.length > 0 ? (
        <List label={words.title}>
          {data.map((variable) => (
            <VariableRow
              key={`${variable.key} ${variable.environment_scope}`}
              variable={variable}
              onEdit={() => setEdited(variable)}
              onRemove={() => remove(variable)}
            />
          ))}
        </List>
      ) : null}
      {edited ? (
        <VariableForm
          owner={owner}
          variable={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      ) : null}
    </Section>
  )
}

function VariableRow({
  variable,
  onEdit,
  onRemove,
}: {
  variable: Variable
  onEdit: () => void
  onRemove: () => void
}) {
  const { key, environment_scope: scope = '', description } = variable
  const facts = [
    scope === '*' ? '' : scope,
    variable.variable_type === 'file' && words.file,
    variable.raw && words.raw,
    variable.hidden ? words.hidden : variable.masked && words.masked,
    variable.protected && words.protected,
  ].filter((fact) => typeof fact === 'string' && fact !== '')
  return (
    <ListRow
      aside={
        <>
          {facts.map((fact) => (
            <Chip key={fact}>{fact}</Chip>
          ))}
          <Menu
            look="quiet"
            label={words.menu(key, scope)}
            items={[
              { words: words.edit, run: onEdit },
              { words: words.remove, run: onRemove, isDanger: true },
            ]}
          >
            {words.menuSign}
          </Menu>
        </>
      }
    >
      <span class="mono">{key}</span>
      {description ? <p class="muted">{description}</p> : null}
    </ListRow>
  )
}
