import { user } from '../api/session.ts'

/** The branch that a change begins to go to: the one it is made on, or a new one where somebody may not push to that. */
export function branchToCommitTo(ref: string, known: { can_push: boolean } | undefined): string {
  if (known?.can_push ?? true) return ref
  const number = 1_000 + Math.floor(Math.random() * 9_000)
  return `${user.value?.username}-patch-${number}`
}
