// When and where a broadcast message is shown (docs/api/broadcast-messages.md, "Where it is shown").
import { matchesWildcard } from '../../../kernel/wildcard.ts'

/** Whether the message is active, from its start to its end, both included. */
export function isMessageActive(
  { starts_at, ends_at }: { starts_at: string; ends_at: string },
  now: string,
): boolean {
  return starts_at <= now && now <= ends_at
}

/**
 * Whether a message for `target` is shown at `path`, regardless of case: everywhere without a target, and
 * nowhere without a path if there is one.
 */
export function isShownAt(target: string | null, path: string | undefined): boolean {
  if (!target) return true
  if (!path) return false
  const rooted = path.startsWith('/') ? path : `/${path}`
  return matchesWildcard(target.toLowerCase(), rooted.toLowerCase())
}

/** Whether the message is for users with that level; without levels it is for everybody. */
export function isForLevel(levels: readonly number[], level: number): boolean {
  return levels.length === 0 || levels.includes(level)
}
