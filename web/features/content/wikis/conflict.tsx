import { LineDiff } from '../../../surfaces/line-diff/line-diff.tsx'
import { issuables as words } from '../../../text/issues.ts'

/** Tells that somebody else saved the page meanwhile, with what both texts differ in. */
export function Conflict({ theirs, own }: { theirs: string; own: string }) {
  return (
    <section class="stack stack-close" role="alert">
      <h2>{words.conflictTitle}</h2>
      <p>{words.conflictText}</p>
      <LineDiff label={words.conflictDiff} before={theirs} after={own} />
    </section>
  )
}
