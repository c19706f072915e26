import { issuables as words } from '../../text/issues.ts'
import { LazyLineDiff } from './lazy-line-diff.ts'

/** Tells that somebody else saved the text meanwhile, with what both texts differ in. */
export function Conflict({ theirs, own }: { theirs: string; own: string }) {
  return (
    <section class="stack stack-close" role="alert">
      <h2>{words.conflictTitle}</h2>
      <p>{words.conflictText}</p>
      <LazyLineDiff label={words.conflictDiff} before={theirs} after={own} />
    </section>
  )
}
