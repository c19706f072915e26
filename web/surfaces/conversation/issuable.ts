// What the conversation on an issue or merge request asks of the server. Both have the same operations below their own.
import { useMemo } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { Award, Discussion, Note } from '../../api/operations.ts'
import { mayInProject, type ProjectRecord } from '../../api/project.ts'
import type { Refusal } from '../../api/refusal.ts'
import { user } from '../../api/session.ts'
import { useAllPages } from '../../api/use-api.ts'
import { addAwardsToThreads } from './add-awards-to-threads.ts'
import type { NoteCalls } from './note.tsx'
import type { ReactionCalls } from './reactions.tsx'
import { projectTextContext } from './text-context.ts'
import type { ThreadContext } from './thread.tsx'

/** An issue or merge request: how its routes begin, what they name, and what reads it again after a write. */
export type IssuableRoutes = { reload: () => void } & (
  | { base: '/projects/:id/issues/:issue_iid'; of: { id: number; issue_iid: number } }
  | {
      base: '/projects/:id/merge_requests/:merge_request_iid'
      of: { id: number; merge_request_iid: number }
    }
)

const per_page = 100

/** Nothing for visitors, who may not read it. */
const listInput = ({ of }: IssuableRoutes) => (user.value == null ? undefined : { ...of, per_page })

const none: readonly never[] = []

/** The threads, with the reactions to their notes where these are wanted; undefined until both are read. */
export function useIssuableThreads(
  issuable: IssuableRoutes,
  { isWithReactions = true } = {},
): Discussion[] | undefined {
  const { base } = issuable
  const input = listInput(issuable)
  const { data: threads } = useAllPages(
    `GET ${base}/discussions`,
    input && { ...input, render_html: true },
  )
  const reactions = useAllPages(`GET ${base}/note_award_emoji`, isWithReactions ? input : undefined)
  const awards = isWithReactions ? read(reactions) : none
  return useMemo(
    () => threads && awards && (addAwardsToThreads(threads, awards) as Discussion[]),
    [threads, awards],
  )
}

/** Changes of labels, milestones, state and, where there are any, weights; undefined until all are read. */
export function useIssuableEvents(issuable: IssuableRoutes, hasWeights: boolean) {
  const { base } = issuable
  const input = listInput(issuable)
  const labels = read(useAllPages(`GET ${base}/resource_label_events`, input))
  const milestones = read(useAllPages(`GET ${base}/resource_milestone_events`, input))
  const states = read(useAllPages(`GET ${base}/resource_state_events`, input))
  const ofIssue = hasWeights && 'issue_iid' in issuable.of && user.value ? issuable.of : undefined
  const changed = useAllPages(
    'GET /projects/:id/issues/:issue_iid/resource_weight_events',
    ofIssue && { ...ofIssue, per_page },
  )
  const weights = ofIssue ? read(changed) : none
  return useMemo(
    () => labels && milestones && states && weights && { labels, milestones, states, weights },
    [labels, milestones, states, weights],
  )
}

/** What a list has; nothing of one that is refused, undefined of one that is not read yet. */
function read<T>({ data, refusal }: { data: T | undefined; refusal: Refusal | undefined }) {
  return data ?? (refusal ? none : undefined)
}

/** Each throws `Refusal`. */
function threadCalls(issuable: IssuableRoutes): NoteCalls & Pick<ThreadContext, 'answer'> {
  const { base, of } = issuable
  const done = reloadAfter(issuable)
  const noteOf = ({ id: note_id }: Note) => ({ ...of, note_id })
  return {
    change: (note, body) => done(call(`PUT ${base}/notes/:note_id`, { ...noteOf(note), body })),
    remove: (note) => done(call(`DELETE ${base}/notes/:note_id`, noteOf(note))),
    react: (note, name) =>
      done(call(`POST ${base}/notes/:note_id/award_emoji`, { ...noteOf(note), name })),
    takeBack: (note, { id: award_id }) =>
      done(
        call(`DELETE ${base}/notes/:note_id/award_emoji/:award_id`, { ...noteOf(note), award_id }),
      ),
    answer: ({ id: discussion_id }, body) =>
      done(call(`POST ${base}/discussions/:discussion_id/notes`, { ...of, discussion_id, body })),
  }
}

/** What its threads need to know of the page; the same until one of it changes. */
export function useThreadContext(
  issuable: IssuableRoutes,
  {
    project,
    mayDiscuss,
    draftKey,
    resolve,
    mayResolveAll = false,
  }: {
    project: ProjectRecord | undefined
    mayDiscuss: boolean
    draftKey: string
    /** Undefined where threads are not resolved. */
    resolve?: ThreadContext['resolve']
    /** Whether the reader resolves threads that others began. */
    mayResolveAll?: boolean
  },
): ThreadContext {
  const within = projectTextContext(project, issuable.of.id)
  const mayChangeAll = mayInProject(project, 'protect_branches')
  return useMemo(() => {
    const calls = threadCalls(issuable)
    return {
      within,
      calls,
      mayDiscuss,
      mayChangeAll,
      draftKey,
      answer: calls.answer,
      resolve,
      mayResolve: ({ notes }) => mayResolveAll || notes[0]?.author.id === user.value?.id,
    }
  }, [
    Object.values(issuable.of).join(),
    within.path,
    within.mayUpload,
    mayDiscuss,
    mayChangeAll,
    draftKey,
    mayResolveAll,
  ])
}

/** Reactions to the issue or merge request itself. Each throws `Refusal`. */
export function reactionCalls(issuable: IssuableRoutes): ReactionCalls {
  const { base, of } = issuable
  const done = reloadAfter(issuable)
  return {
    give: (name) => done(call(`POST ${base}/award_emoji`, { ...of, name })),
    takeBack: ({ id: award_id }: Award) =>
      done(call(`DELETE ${base}/award_emoji/:award_id`, { ...of, award_id })),
  }
}

const reloadAfter =
  ({ reload }: IssuableRoutes) =>
  async (request: Promise<unknown>): Promise<void> => {
    await request
    reload()
  }
