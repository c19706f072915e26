// Conflicts of a merge request, resolved without a clone: a side for each section, or the whole file in the editor.
import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { type Answer, call } from '../../../api/call.ts'
import { Refusal } from '../../../api/refusal.ts'
import { apiReadUrl, readCached, useApi } from '../../../api/use-api.ts'
import { CodeField } from '../../../surfaces/editor/code-field.tsx'
import { conflicts as words } from '../../../text/conflicts.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { Button, ButtonLink } from '../../../ui/button/button.tsx'
import { TextArea } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { lazyComponent } from '../../../ui/lazy-component.tsx'
import { navigate } from '../../../ui/navigation.ts'
import { Page, Section } from '../../../ui/page/page.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { placeBasePath } from '../../../ui/project-address.ts'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'
import {
  invalidateRequest,
  parseRequestAddress,
  type RequestId,
  type RequestRecord,
  requestInput,
} from './request-calls.ts'
import './conflicts.css'

const ConflictCommands = lazyComponent(() =>
  import('./conflict-commands.tsx').then(({ ConflictCommands: View }) => View),
)

const route = '/projects/:id/merge_requests/:merge_request_iid'
type Conflicts = Answer<'GET /projects/:id/merge_requests/:merge_request_iid/conflicts'>
type File = Conflicts['files'][number]
type Side = 'ours' | 'theirs'

/** How a file is resolved: by choices for its sections, or by its whole text. */
type Resolution = { choices: Readonly<Record<string, Side>>; content?: string | undefined }

export const page: PageModule<PlaceLocation> = {
  calls: (at) => [apiReadUrl(`GET ${route}`, requestInput(parseRequestAddress(at).of))],
  View: ConflictsPage,
}

function ConflictsPage({ at }: { at: PlaceLocation }) {
  const { of } = parseRequestAddress(at)
  const { data: request } = useApi(`GET ${route}`, requestInput(of))
  // Whether the reader may push to the source branch, the server says.
  const mayTry = request?.abilities?.update ?? false
  const { data, refusal, again } = useApi(`GET ${route}/conflicts`, mayTry ? of : undefined)
  const address = `${placeBasePath(at.place)}/-/merge_requests/${of.merge_request_iid}`
  if (!request) return null
  return (
    <Page
      isWide
      title={words.title}
      tab={words.tab(request.iid)}
      lead={<a href={address}>{`!${request.iid} ${request.title}`}</a>}
    >
      {!mayTry ? (
        <p>{words.mayNot}</p>
      ) : data ? (
        <Found of={of} request={request} conflicts={data} address={address} />
      ) : refusal ? (
        <RefusalNote refusal={refusal} onAgain={again} />
      ) : (
        <LoadingRows rows={10} />
      )}
    </Page>
  )
}

function Found({
  of,
  request,
  conflicts,
  address,
}: {
  of: RequestId
  request: RequestRecord
  conflicts: Conflicts
  address: string
}) {
  if (conflicts.files.length === 0) {
    return (
      <EmptyState title={words.none}>
        <p>{words.noneText}</p>
        <ButtonLink href={address}>{words.back}</ButtonLink>
      </EmptyState>
    )
  }
  if (!conflicts.resolvable) {
    return (
      <Section title={words.notHere}>
        <ul>
          {conflicts.files.map(({ path, reason }) => (
            <li key={path}>
              <code>{path}</code> {reason ? words.reasons[reason] : ''}
            </li>
          ))}
        </ul>
        <ConflictCommands request={request} />
      </Section>
    )
  }
  return <Resolve of={of} conflicts={conflicts} address={address} />
}

const conflictsIn = ({ sections }: File) => (sections ?? []).filter(({ id }) => id !== null)
/** What is chosen is known again after a push where the conflict is the same. */
const keyOf = ({ ours, theirs }: { ours: string | null; theirs: string | null }) =>
  JSON.stringify([ours, theirs])

function Resolve({
  of,
  conflicts,
  address,
}: {
  of: RequestId
  conflicts: Conflicts
  address: string
}) {
  const { files, source_branch, target_branch, source_sha, target_sha } = conflicts
  const [byPath, setByPath] = useState<Readonly<Record<string, Resolution>>>({})
  const [isMoved, setMoved] = useState(false)
  const resolutionOf = ({ path }: File) => byPath[path] ?? { choices: {} }
  const change = (file: File, changes: Partial<Resolution>) =>
    setByPath((now) => ({
      ...now,
      [file.path]: { ...(now[file.path] ?? { choices: {} }), ...changes },
    }))
  const hasMarkers = ({ content }: Resolution) =>
    content !== undefined &&
    (content.includes(`<<<<<<< ${source_sha}`) || content.includes(`>>>>>>> ${target_sha}`))
  const resolvedIn = (file: File) => {
    const resolution = resolutionOf(file)
    const all = conflictsIn(file)
    if (resolution.content !== undefined) return hasMarkers(resolution) ? 0 : all.length
    return all.filter((section) => resolution.choices[keyOf(section)]).length
  }
  const all = files.reduce((sum, file) => sum + conflictsIn(file).length, 0)
  const resolved = files.reduce((sum, file) => sum + resolvedIn(file), 0)
  const submit = async (commit_message: string) => {
    try {
      await call(`POST ${route}/conflicts`, {
        ...of,
        source_sha,
        target_sha,
        commit_message,
        files: files.map((file) => {
          const { content, choices } = resolutionOf(file)
          if (content !== undefined) return { path: file.path, content }
          const sections = conflictsIn(file).flatMap((section) => {
            const use = choices[keyOf(section)]
            return use && section.id !== null ? { id: section.id, use } : []
          })
          return { path: file.path, sections }
        }),
      })
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 409) throw error
      invalidateRequest(of)
      // The form stays blocked until the page has the conflicts as they are now.
      await readCached(`GET ${route}/conflicts`, of)
      setMoved(true)
      return
    }
    invalidateRequest(of)
    invalidate(`/api/v4/projects/${of.id}/repository`)
    navigate(address)
    showToast(words.done)
  }
  return (
    <div class="stack">
      <p>{words.intoSource(target_branch, source_branch)}</p>
      {isMoved ? <p role="status">{words.moved}</p> : null}
      {files.map((file) => (
        <FileConflicts
          key={`${file.path} ${source_sha} ${target_sha}`}
          file={file}
          resolution={resolutionOf(file)}
          branches={{ ours: source_branch, theirs: target_branch }}
          onChange={(changes) => change(file, changes)}
        />
      ))}
      <p role="status">
        <strong>{words.resolved(resolved, all)}</strong>
      </p>
      <Form
        action={words.commit(source_branch)}
        blocked={resolved < all ? words.resolveFirst : false}
        onSubmit={(values) => submit(values.text('commit_message'))}
      >
        <TextArea
          label={words.message}
          name="commit_message"
          rows={5}
          defaultValue={conflicts.commit_message}
        />
      </Form>
    </div>
  )
}

function FileConflicts({
  file,
  resolution,
  branches,
  onChange,
}: {
  file: File
  resolution: Resolution
  branches: Readonly<Record<Side, string>>
  onChange: (changes: Partial<Resolution>) => void
}) {
  const isEdited = resolution.content !== undefined
  let number = 0
  return (
    <section class="conflicts-file" aria-label={words.fileOf(file.path)}>
      <header class="conflicts-head row row-apart">
        <h2 class="conflicts-name">{file.path}</h2>
        <span class="muted">{words.count(conflictsIn(file).length)}</span>
        <span class="grow" />
        <Button
          aria-label={words.named(isEdited ? words.chooseSections : words.editFile, file.path)}
          onClick={() => onChange({ content: isEdited ? undefined : (file.content ?? '') })}
        >
          {isEdited ? words.chooseSections : words.editFile}
        </Button>
      </header>
      {isEdited ? (
        <CodeField
          label={words.contentsOf(file.path)}
          text={resolution.content ?? ''}
          path={file.path}
          onText={(content) => onChange({ content })}
        />
      ) : (
        (file.sections ?? []).map((section, at) =>
          section.id === null ? (
            <Common
              key={at}
              text={section.text ?? ''}
              isFirst={at === 0}
              isLast={at === (file.sections?.length ?? 0) - 1}
            />
          ) : (
            <Choice
              key={at}
              title={words.conflict(++number, file.path)}
              section={section}
              branches={branches}
              chosen={resolution.choices[keyOf(section)]}
              onChoose={(side) =>
                onChange({ choices: { ...resolution.choices, [keyOf(section)]: side } })
              }
            />
          ),
        )
      )}
    </section>
  )
}

const context_lines = 3

/** Lines that both sides have: those near a conflict. */
function Common({ text, isFirst, isLast }: { text: string; isFirst: boolean; isLast: boolean }) {
  const lines = text.replace(/\n$/, '').split('\n')
  const head = isFirst ? 0 : context_lines
  const tail = isLast ? 0 : context_lines
  const hidden = lines.length - head - tail
  if (hidden <= 1) return <pre class="conflicts-lines">{lines.join('\n')}</pre>
  return (
    <>
      {head > 0 ? <pre class="conflicts-lines">{lines.slice(0, head).join('\n')}</pre> : null}
      <p class="conflicts-gap muted">{words.moreLines(hidden)}</p>
      {tail > 0 ? <pre class="conflicts-lines">{lines.slice(-tail).join('\n')}</pre> : null}
    </>
  )
}

function Choice({
  title,
  section,
  branches,
  chosen,
  onChoose,
}: {
  title: string
  section: { ours: string | null; theirs: string | null }
  branches: Readonly<Record<Side, string>>
  chosen: Side | undefined
  onChoose: (side: Side) => void
}) {
  const side = (name: Side, use: string) => (
    <div class={`conflicts-side conflicts-${name}`} data-chosen={chosen === name ? '' : undefined}>
      <div class="row row-apart">
        <strong>{words[name](branches[name])}</strong>
        <Button
          aria-label={words.named(use, title)}
          aria-pressed={chosen === name}
          onClick={() => onChoose(name)}
        >
          {chosen === name ? '✓ ' : ''}
          {use}
        </Button>
      </div>
      {section[name] ? (
        <pre class="conflicts-lines">{section[name]?.replace(/\n$/, '')}</pre>
      ) : (
        <p class="muted">{words.deleted}</p>
      )}
    </div>
  )
  return (
    <fieldset class="conflicts-choice" aria-label={title}>
      {side('ours', words.useOurs)}
      {side('theirs', words.useTheirs)}
    </fieldset>
  )
}
