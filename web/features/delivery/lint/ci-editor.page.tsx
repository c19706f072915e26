import { useEffect, useState } from 'preact/hooks'
import { touch } from '../../../api/cache.ts'
import { type Answer, call } from '../../../api/call.ts'
import { may, useProject } from '../../../api/project.ts'
import { useApi } from '../../../api/use-api.ts'
import { CodeField } from '../../../surfaces/editor/code-field.tsx'
import { ciEditor as words } from '../../../text/ci-editor.ts'
import { TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { navigate } from '../../../ui/navigation.ts'
import { Page, Section } from '../../../ui/page/page.tsx'
import type { AtPlace, PageModule } from '../../../ui/page-module.ts'
import { baseOf } from '../../../ui/project-address.ts'
import { StateBar } from '../../../ui/state-bar/state-bar.tsx'
import { Status } from '../../../ui/status/status.tsx'
import { tell } from '../../../ui/toast/toast.tsx'

type Lint = Answer<'POST /projects/:id/ci/lint'>

const path = '.gitlab-ci.yml'
const typing_ms = 500

export const page: PageModule<AtPlace> = { View: CiEditor }

function CiEditor({ at: { place } }: { at: AtPlace }) {
  const { data: project } = useProject(place.id)
  const { data: entries } = useApi(
    'GET /projects/:id/repository/tree',
    project && !project.empty_repo ? { id: place.id, per_page: 100 } : undefined,
  )
  const branch = project?.default_branch ?? 'main'
  const isThere = entries?.some((entry) => entry.path === path) ?? false
  const { data: file } = useApi(
    'GET /projects/:id/repository/files/:file_path',
    isThere ? { id: place.id, file_path: path, ref: branch } : undefined,
  )
  if (!project || (!project.empty_repo && !entries) || (isThere && !file)) return null
  const before = file ? new TextDecoder().decode(bytesOf(file.content)) : words.first
  return (
    <Page title={words.title} lead={words.lead} isWide>
      <Editing
        key={file?.blob_id ?? ''}
        id={place.id}
        base={baseOf(place)}
        {...{ before, branch, isThere }}
        mayPush={may(project, 'push_code')}
      />
    </Page>
  )
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
}

type EditingProps = {
  id: number
  base: string
  before: string
  branch: string
  isThere: boolean
  mayPush: boolean
}

function Editing({ id, base, before, branch, isThere, mayPush }: EditingProps) {
  const [text, setText] = useState(before)
  const lint = useLint(id, text)
  return (
    <>
      <StateBar
        state={<Status status={lint ? (lint.valid ? 'success' : 'failed') : 'pending'} isQuiet />}
      >
        <span role="status">{lint ? (lint.valid ? words.good : words.wrong) : ''}</span>
      </StateBar>
      <CodeField label={words.file} text={before} path={path} onText={setText} />
      {lint ? <Found lint={lint} /> : null}
      {mayPush ? (
        <Form
          action={words.commit}
          onSubmit={async (values) => {
            const chosen = values.text('branch').trim()
            await call('POST /projects/:id/repository/commits', {
              id,
              branch: chosen,
              commit_message: values.text('message'),
              ...(chosen === branch || !isThere ? {} : { start_branch: branch }),
              actions: [{ action: isThere ? 'update' : 'create', file_path: path, content: text }],
            })
            touch(`/api/v4/projects/${id}`, '/api/v4/resolve')
            tell(words.committed)
            navigate(`${base}/-/pipelines`)
          }}
        >
          <TextField
            label={words.message}
            name="message"
            required
            defaultValue={words.messageText}
            problemsOf="commit_message"
          />
          <TextField label={words.branch} name="branch" required defaultValue={branch} />
        </Form>
      ) : null}
    </>
  )
}

/** What the server says of the text, a moment after it was last changed. */
function useLint(id: number, text: string): Lint | undefined {
  const [lint, setLint] = useState<Lint>()
  useEffect(() => {
    let isOver = false
    const timer = setTimeout(() => {
      void call('POST /projects/:id/ci/lint', {
        id,
        content: text,
        include_jobs: true,
        dry_run: true,
      })
        .then((found) => {
          if (!isOver) setLint(found)
        })
        .catch(() => {})
    }, typing_ms)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [id, text])
  return lint
}

function Found({ lint }: { lint: Lint }) {
  const jobs = lint.jobs ?? []
  return (
    <>
      {lint.errors.length > 0 ? (
        <Section title={words.errors}>
          <ul class="stack stack-close">
            {lint.errors.map((error) => (
              <li key={error}>{error}</li>
            ))}
          </ul>
        </Section>
      ) : null}
      {lint.warnings.length > 0 ? (
        <Section title={words.warnings}>
          <ul class="stack stack-close">
            {lint.warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Section>
      ) : null}
      {jobs.length > 0 ? (
        <Section title={words.jobs}>
          <ul class="stack stack-close">
            {jobs.map(({ name, stage }) => (
              <li key={name}>
                <strong>{name}</strong> <span class="muted">{words.stage(stage)}</span>
              </li>
            ))}
          </ul>
        </Section>
      ) : null}
    </>
  )
}
