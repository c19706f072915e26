// What a description said before and after a change, below the system note that tells of it.
import { useEffect, useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { DescriptionVersion, Note } from '../../api/operations.ts'
import { Refusal } from '../../api/refusal.ts'
import { descriptionChange as words } from '../../text/description-change.ts'
import { LoadingRows } from '../../ui/blank/blank.tsx'
import { Button } from '../../ui/button/button.tsx'
import { confirmBefore } from '../../ui/dialog/dialog.tsx'
import { RefusalNote } from '../../ui/refusal/refusal.tsx'
import { LineDiff } from '../line-diff/line-diff.tsx'

export function DescriptionChange({ note }: { note: Note }) {
  const [version, setVersion] = useState<DescriptionVersion>()
  const [refusal, setRefusal] = useState<Refusal>()
  const [mayDelete, setMayDelete] = useState(false)
  const [isGone, setGone] = useState(false)
  const calls = callsOf(note)
  useEffect(() => {
    Promise.all([calls.read(), calls.mayUpdate()]).then(
      ([read, mayUpdate]) => {
        setVersion(read)
        setMayDelete(mayUpdate)
      },
      (error) => {
        if (!(error instanceof Refusal)) throw error
        if (error.status === 404) setGone(true)
        else setRefusal(error)
      },
    )
  }, [note.id])
  if (isGone) return <p>{words.versionGone}</p>
  if (refusal) return <RefusalNote refusal={refusal} />
  if (!version) return <LoadingRows rows={3} />
  const remove = () =>
    confirmBefore({
      title: words.removeVersion,
      text: words.removeVersionText,
      action: words.removeVersion,
      run: async () => {
        await calls.remove()
        setGone(true)
      },
    })
  return (
    <div class="stack stack-close">
      <LineDiff
        label={words.descriptionChange}
        before={version.previous_description ?? ''}
        after={version.description ?? ''}
      />
      {mayDelete ? (
        <p class="row">
          <Button look="danger" onClick={remove}>
            {words.removeVersion}
          </Button>
        </p>
      ) : null}
    </div>
  )
}

function callsOf({ id: note_id, project_id: id, noteable_type, noteable_iid }: Note) {
  const iid = noteable_iid ?? 0
  if (noteable_type === 'Issue') {
    const of = { id, issue_iid: iid }
    const version = { ...of, note_id }
    const route = '/projects/:id/issues/:issue_iid/notes/:note_id/description_version'
    return {
      read: () => call(`GET ${route}`, version),
      remove: () => call(`DELETE ${route}`, version),
      mayUpdate: async () => {
        const issue = await call('GET /projects/:id/issues/:issue_iid', {
          ...of,
          with_abilities: true,
        })
        return issue.abilities?.update ?? false
      },
    }
  }
  const of = { id, merge_request_iid: iid }
  const version = { ...of, note_id }
  const route = '/projects/:id/merge_requests/:merge_request_iid/notes/:note_id/description_version'
  return {
    read: () => call(`GET ${route}`, version),
    remove: () => call(`DELETE ${route}`, version),
    mayUpdate: async () => {
      const request = await call('GET /projects/:id/merge_requests/:merge_request_iid', {
        ...of,
        with_abilities: true,
      })
      return request.abilities?.update ?? false
    },
  }
}
