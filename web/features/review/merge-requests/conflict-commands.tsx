// How a conflict is resolved with a clone.
import type { RequestRecord } from './request-calls.ts'

const quote = (name: string) =>
  /^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`

/** Commands for a clone of the source project. */
export function conflictCommands({ source_branch, target_branch }: RequestRecord): string {
  return [
    'git fetch origin',
    `git switch ${quote(source_branch)}`,
    `git merge ${quote(`origin/${target_branch}`)}`,
    '# resolve the conflicts, then:',
    'git add --all && git commit',
    `git push origin ${quote(source_branch)}`,
  ].join('\n')
}
