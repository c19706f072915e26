// Files of a commit that is being written: what they were, and what they are to be.

import { type Answer, call, type Input } from '../../../api/call.ts'
import { Refusal } from '../../../api/refusal.ts'
import { editing } from '../../../text/editing.ts'

/** `text` is null for bytes that are no text; then `base64` has what was uploaded. */
export type Original = { path: string; text: string | null; commit: string }
export type Draft = {
  id: number
  original: Original | null
  path: string
  text: string | null
  base64?: string
  size?: number
  isRemoved: boolean
}
export type Change = 'added' | 'removed' | 'moved' | 'changed' | 'same'
type Action = Input<'POST /projects/:id/repository/commits'>['actions'][number]

let made = 0

export function newDraft(given: Partial<Draft>): Draft {
  made += 1
  return { original: null, path: '', text: '', isRemoved: false, ...given, id: made }
}

/** A file of a branch, to be edited. */
export function draftOfFile(file: Answer<'GET /projects/:id/repository/files/:file_path'>): Draft {
  const text = textOf(file.content)
  const original = { path: file.file_path, text, commit: file.last_commit_id }
  return newDraft({ original, path: file.file_path, text })
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

export function draftChange({ original, path, text, isRemoved }: Draft): Change {
  if (!original) return 'added'
  if (isRemoved) return 'removed'
  if (original.path !== path) return 'moved'
  return original.text === text ? 'same' : 'changed'
}

/** What the commit does to the file; undefined where that is nothing. */
export function actionOf(draft: Draft): Action | undefined {
  const { original, text, base64 } = draft
  const file_path = draft.path.trim()
  const change = draftChange(draft)
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

export function suggestCommitTitle(drafts: readonly Draft[]): string {
  const changed = drafts.filter((draft) => draftChange(draft) !== 'same')
  const [first] = changed
  if (!first) return ''
  if (changed.length > 1) return editing.titles.several(changed.length)
  const name = first.path.split('/').at(-1) ?? ''
  const change = draftChange(first)
  if (change === 'added') return name === '' ? '' : editing.titles.add(name)
  if (change === 'removed') return editing.titles.remove(name)
  return change === 'moved' ? editing.titles.move(first.path) : editing.titles.update(name)
}

export async function createDraftFromUpload(file: File): Promise<Draft> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const base64 = await new Promise<string>((done) => {
    const reader = new FileReader()
    reader.onload = () => done(String(reader.result).split(',')[1] ?? '')
    reader.readAsDataURL(new Blob([bytes]))
  })
  const text = textOf(base64)
  return newDraft({
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
): Promise<Original | null> {
  try {
    const file = await call('GET /projects/:id/repository/files/:file_path', {
      id,
      ref,
      file_path: path,
    })
    return draftOfFile(file).original
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return null
    throw error
  }
}

/** Whether the server refused a commit because a file is not what it was (docs/api/repository.md). */
export function isStale(error: Refusal): boolean {
  return /changed since you started editing|doesn't exist|does not exist/i.test(error.sentence)
}

/** What was typed on a page and never committed, kept for this tab. */
export const draftStorage = {
  read(key: string): Draft[] | undefined {
    try {
      const drafts = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Draft[] | null
      return drafts?.map((draft) => newDraft(draft))
    } catch {
      return undefined
    }
  },
  write(key: string, drafts: readonly Draft[]): void {
    try {
      sessionStorage.setItem(key, JSON.stringify(drafts))
    } catch {
      // More than the browser keeps: the page itself still has it.
    }
  },
  drop: (key: string) => sessionStorage.removeItem(key),
}
