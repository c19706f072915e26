// How a conflict is resolved with a clone.
import { requestDialogs as words } from '../../../text/merge-request-dialogs.ts'
import { CopyLine } from '../../../ui/copy-line/copy-line.tsx'
import type { RequestRecord } from './request-calls.ts'

const quote = (name: string) =>
  /^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`

/** The commands for a clone of the source project. */
export function ConflictCommands({ request }: { request: RequestRecord }) {
  return (
    <>
      <p>{words.conflictsText}</p>
      <CopyLine label={words.conflictCommands} text={conflictCommands(request)} />
    </>
  )
}

function conflictCommands({ source_branch, target_branch }: RequestRecord): string {
  return [
    'git fetch origin',
    `git switch ${quote(source_branch)}`,
    `git merge ${quote(`origin/${target_branch}`)}`,
    '# resolve the conflicts, then:',
    'git add --all && git commit',
    `git push origin ${quote(source_branch)}`,
  ].join('\n')
}
