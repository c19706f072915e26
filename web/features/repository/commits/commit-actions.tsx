// What can be done with a commit: put on another branch, or taken back; tried first, without a trace.
import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { mayInProject, type ProjectRecord } from '../../../api/project.ts'
import { commitActionsText as words } from '../../../text/write.ts'
import { Button } from '../../../ui/button/button.tsx'
import { RefField } from '../../../ui/combobox/ref-field.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { Menu } from '../../../ui/menu/menu.tsx'
import { navigate } from '../../../ui/navigation.ts'
import { showToast } from '../../../ui/toast/toast.tsx'

type Kind = 'cherry_pick' | 'revert'

export function CommitActions({ project, sha }: { project: ProjectRecord; sha: string }) {
  const [kind, setKind] = useState<Kind>()
  if (!mayInProject(project, 'push_code')) return null
  return (
    <>
      <Menu
        label={words.menu}
        items={[
          { words: words.cherryPick, run: () => setKind('cherry_pick') },
          { words: words.revert, run: () => setKind('revert') },
        ]}
      >
        {words.menu}
      </Menu>
      {kind ? (
        <Carry key={kind} {...{ project, sha, kind }} onClose={() => setKind(undefined)} />
      ) : null}
    </>
  )
}

function Carry({
  project,
  sha,
  kind,
  onClose,
}: {
  project: ProjectRecord
  sha: string
  kind: Kind
  onClose: () => void
}) {
  const [branch, setBranch] = useState(project.default_branch ?? '')
  const [tried, setTried] = useState<string>()
  const route =
    kind === 'revert'
      ? ('POST /projects/:id/repository/commits/:sha/revert' as const)
      : ('POST /projects/:id/repository/commits/:sha/cherry_pick' as const)
  const input = { id: project.id, sha, branch }
  return (
    <Dialog title={kind === 'revert' ? words.revert : words.cherryPick} onClose={onClose}>
      <p class="muted">{kind === 'revert' ? words.revertText : words.cherryPickText}</p>
      <Form
        action={tried === branch ? words.commitTo(branch) : words.checkConflicts}
        onSubmit={async () => {
          if (tried !== branch) {
            await call(route, { ...input, dry_run: true })
            setTried(branch)
            return
          }
          const made = await call(route, input)
          invalidate(`/api/v4/projects/${project.id}/repository`, '/api/v4/resolve')
          showToast(words.committedTo(branch))
          onClose()
          if ('id' in made) navigate(`/${project.path_with_namespace}/-/commit/${made.id}`)
        }}
        more={<Button onClick={onClose}>{words.cancel}</Button>}
      >
        <RefField
          projectId={project.id}
          value={branch}
          withTags={false}
          label={words.targetBranch}
          onPick={setBranch}
        />
        <p role="status">{tried === branch ? words.noConflicts(branch) : ''}</p>
      </Form>
    </Dialog>
  )
}
