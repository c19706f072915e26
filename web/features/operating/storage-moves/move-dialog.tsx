import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { Refusal } from '../../../api/refusal.ts'
import { fetchAllPages } from '../../../api/use-api.ts'
import { storageText as words } from '../../../text/storage.ts'
import { Combobox, type ComboboxChoice } from '../../../ui/combobox/combobox.tsx'
import { findGroups } from '../../../ui/combobox/finders.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { SelectField } from '../../../ui/field/field.tsx'
import { Form, type FormValues } from '../../../ui/form/form.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'

/** Asks for moves of one project, of a group with all in it, or of everything on a storage. */
export function MoveDialog({
  storages,
  onClose,
}: {
  storages: readonly string[]
  onClose: () => void
}) {
  const [what, setWhat] = useState('storage')
  const named = storages.map((name) => [name, name] as const)
  const move = async (values: FormValues) => {
    const destination = values.text('destination')
    const to = destination === '' ? {} : { destination_storage_name: destination }
    if (what === 'storage') {
      const given = { source_storage_name: values.text('source'), ...to }
      await call('POST /project_repository_storage_moves', given)
      await call('POST /group_repository_storage_moves', given)
      showToast(words.scheduledAll)
    } else if (what === 'project') {
      const id = Number(values.text('project'))
      await call('POST /projects/:id/repository_storage_moves', { id, ...to })
      showToast(words.scheduled(1))
    } else await moveGroup(Number(values.text('group')), to)
    invalidate('/api/v4/project_repository_storage_moves', '/api/v4/group_repository_storage_moves')
    onClose()
  }
  return (
    <Dialog title={words.move} onClose={onClose}>
      <Form action={words.start} onSubmit={move}>
        <SelectField
          label={words.what}
          options={words.whats}
          value={what}
          onChange={(event) => setWhat(event.currentTarget.value)}
        />
        {what === 'storage' ? (
          <SelectField label={words.source} name="source" options={named} />
        ) : null}
        {what === 'project' ? (
          <Combobox label={words.project} name="project" required find={findAllProjects} />
        ) : null}
        {what === 'group' ? (
          <Combobox
            label={words.group}
            hint={words.groupHint}
            name="group"
            required
            find={findGroups}
          />
        ) : null}
        <SelectField
          label={words.destination}
          name="destination"
          problemsOf="destination_storage_name"
          options={[['', words.anyStorage], ...named]}
        />
      </Form>
    </Dialog>
  )
}

async function findAllProjects(search: string): Promise<ComboboxChoice[]> {
  const found = await call('GET /projects', {
    simple: true,
    search_namespaces: true,
    order_by: 'last_activity_at',
    per_page: 12,
    search,
  })
  return found.map(({ id, path_with_namespace }) => ({
    value: String(id),
    words: path_with_namespace,
  }))
}

/**
 * Moves the repositories of a group. Those that are already moving are skipped and counted; any other refusal
 * ends the run.
 */
async function moveGroup(id: number, to: { destination_storage_name?: string }): Promise<void> {
  const projects = await fetchAllPages('GET /groups/:id/projects', {
    id,
    include_subgroups: true,
    with_shared: false,
    simple: true,
  })
  const asks = [
    () => call('POST /groups/:id/repository_storage_moves', { id, ...to }),
    ...projects.map(
      (project) => () =>
        call('POST /projects/:id/repository_storage_moves', { id: project.id, ...to }),
    ),
  ]
  let skipped = 0
  for (const ask of asks) {
    try {
      await ask()
    } catch (error) {
      const isMoving = error instanceof Refusal && /read-only/.test(error.sentence)
      if (!isMoving) throw error
      skipped += 1
    }
  }
  showToast(
    words.scheduled(asks.length - skipped) + (skipped > 0 ? `. ${words.skipped(skipped)}` : ''),
  )
}
