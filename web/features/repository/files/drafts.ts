// Files of a commit that is being written: what they were, and what they are to be.

import { type Answer, call, type Input } from '../../../api/call.ts'
import { Refusal } from '../../../api/refusal.ts'
import { fileEditingText } from '../../../text/editing.ts'

/** `text` is null for bytes that are no text; then `base64` has what was uploaded. */
export type OriginalFile = { path: string; text: string | null; commit: string }
export type FileDraft = {
  id: number
  original: OriginalFile | null
  path: string
  text: string | null
  base64?: string
  size?: number
  isRemoved: boolean
}
export type FileDraftChange = 'added' | 'removed' | 'moved' | 'changed' | 'same'
type Action = Input<'POST /projects/:id/repository/commits'>['actions'][number]

let made = 0

export function createFileDraft(given: Partial<FileDraft>): FileDraft {
  made += 1
  return { original: null, path: '', text: '', isRemoved: false, ...given, id: made }
}

/** A file of a branch, to be edited. */
export function fileDraftOf(
  file: Answer<'GET /projects/:id/repository/files/:file_path'>,
): FileDraft {
  const text = textOf(file.content)
  const original = { path: file.file_path, text, commit: file.last_commit_id }
  return createFileDraft({ original, path: file.file_path, text })
}

/** Null for what is no UTF-8. */
function textOf(base64: string): string | null {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

export function classifyFileDraftChange({
  original,
  path,
  text,
  isRemoved,
}: FileDraft): FileDraftChange {
  if (!original) return 'added'
  if (isRemoved) return 'removed'
  if (original.path !== path) return 'moved'
  return original.text === text ? 'same' : 'changed'
}

/** What the commit does to the file; undefined where that is nothing. */
export function commitActionOfFileDraft(draft: FileDraft): Action | undefined {
  const { original, text, base64 } = draft
  const file_path = draft.path.trim()
  const change = classifyFileDraftChange(draft)
  if (change === 'same') return undefined
  const content =
    base64 === undefined
      ? { content: text ?? '' }
      : { content: base64, encoding: 'base64' as const }
  if (!original) return { action: 'create', file_path, ...content }
  const { path: previous_path, commit: last_commit_id } = original
  if (change === 'removed') return { action: 'delete', file_path: previous_path, last_commit_id }
  if (change === 'changed') return { action: 'update', file_path, last_commit_id, ...content }
  const isSame = text === original.text
  return { action: 'move', file_path, previous_path, last_commit_id, ...(isSame ? {} : content) }
}

export function suggestCommitTitle(drafts: readonly FileDraft[]): string {
  const changed = drafts.filter((draft) => classifyFileDraftChange(draft) !== 'same')
  const [first] = changed
  if (!first) return ''
  if (changed.length > 1) return fileEditingText.titles.several(changed.length)
  const name = first.path.split('/').at(-1) ?? ''
  const change = classifyFileDraftChange(first)
  if (change === 'added') return name === '' ? '' : fileEditingText.titles.add(name)
  if (change === 'removed') return fileEditingText.titles.remove(name)
  return change === 'moved'
    ? fileEditingText.titles.move(first.path)
    : fileEditingText.titles.update(name)
}

export async function createDraftFromUpload(file: File): Promise<FileDraft> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const base64 = await new Promise<string>((done) => {
    const reader = new FileReader()
    reader.onload = () => done(String(reader.result).split(',')[1] ?? '')
    reader.readAsDataURL(new Blob([bytes]))
  })
  const text = textOf(base64)
  return createFileDraft({
    path: file.name,
    size: file.size,
    ...(text === null ? { text, base64 } : { text }),
  })
}

/** The file as it is now: null where it is gone. Throws `Refusal`. */
export async function fetchCurrentFile(
  id: number,
  ref: string,
  path: string,
): Promise<OriginalFile | null> {
  try {
    const file = await call('GET /projects/:id/repository/files/:file_path', {
      id,
      ref,
      file_path: path,
    })
    return fileDraftOf(file).original
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return null
    throw error
  }
}

/** Whether the server refused a commit because a file is not what it was (docs/api/repository.md). */
export function isStaleFileRefusal(error: Refusal): boolean {
  return /changed since you started editing|doesn't exist|does not exist/i.test(error.sentence)
}

/** What was typed on a page and never committed, kept for this tab. */
export const fileDraftStorage = {
  read(key: string): FileDraft[] | undefined {
    try {
      const drafts = JSON.parse(sessionStorage.getItem(key) ?? 'null') as FileDraft[] | null
      return drafts?.map((draft) => createFileDraft(draft))
    } catch {
      return undefined
    }
  },
  write(key: string, drafts: readonly FileDraft[]): void {
    try {
      sessionStorage.setItem(key, JSON.stringify(drafts))
    } catch {
      // More than the browser keeps: the page itself still has it.
    }
  },
  drop: (key: string) => sessionStorage.removeItem(key),
}
