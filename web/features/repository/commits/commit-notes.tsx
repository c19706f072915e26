// Notes on a commit, and on lines of it.
import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { mayInProject, type ProjectRecord } from '../../../api/project.ts'
import { useAllPages } from '../../../api/use-api.ts'
import { commitNotesText as words } from '../../../text/write.ts'
import { Avatar } from '../../../ui/avatar/avatar.tsx'
import { TextArea } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Time } from '../../../ui/time/time.tsx'

export function CommitNotes({ project, sha }: { project: ProjectRecord; sha: string }) {
  const { data: notes } = useAllPages('GET /projects/:id/repository/commits/:sha/comments', {
    id: project.id,
    sha,
    per_page: 100,
  })
  const [made, setMade] = useState(0)
  const mayWrite = mayInProject(project, 'comment_on_commits')
  if (!mayWrite && !notes?.length) return null
  return (
    <Section title={words.title}>
      {notes?.map((note, at) => (
        <article class="commit-note stack stack-close" key={at}>
          <div class="row">
            <Avatar name={note.author.name} url={note.author.avatar_url} />
            <strong>{note.author.name}</strong>
            <span class="muted">
              <Time at={note.created_at} />
            </span>
            {note.path ? <span class="mono">{words.location(note.path, note.line)}</span> : null}
          </div>
          <p>{note.note}</p>
        </article>
      ))}
      {mayWrite ? (
        <Form
          key={made}
          action={words.add}
          onSubmit={async (values) => {
            await call('POST /projects/:id/repository/commits/:sha/comments', {
              id: project.id,
              sha,
              note: values.text('note'),
            })
            invalidate(`/api/v4/projects/${project.id}/repository/commits/${sha}/comments`)
            setMade(made + 1)
          }}
        >
          <TextArea label={words.note} name="note" required />
        </Form>
      ) : null}
    </Section>
  )
}
