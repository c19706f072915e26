// Endpoints that issues and merge requests share: participants and subscriptions, to-do items, time tracking.
import { type Static, type TSchema, Type } from 'typebox'
import { Level } from '../../../access/level.ts'
import type { Facts, Rule } from '../../../access/rule.ts'
import { Answer } from '../../../http/answer.ts'
import {
  type Context,
  type Endpoint,
  endpoint,
  type SubjectLoader,
} from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { namedObject, optionalText, pageInput } from '../../../http/schema.ts'
import { badParameters, invalid } from '../../../kernel/errors.ts'
import {
  type Issuable,
  type IssuableKind,
  type IssuableSubject,
  mayAdminIssuable,
  mayDiscussIssuable,
  mayReadIssuable,
  mayRemoveIssuable,
  mayUpdateIssuable,
  withNotFoundUnlessReadable,
} from '../../../subjects/issuable.ts'
import { isUnarchived } from '../../../subjects/project.ts'
import { BasicUserJson, presentBasicUser } from '../../../subjects/user.ts'
import { changeIssuable } from './change-issuable.ts'
import { parseTrackedTime_s } from './duration.ts'
import { addTimelog, findSubscription, isParticipant, setSubscription } from './issuable.store.ts'
import { insertSystemNotes, readIssuableVersion } from './issuable.ts'
import { listParticipants } from './list-participants.ts'
import { presentTimeStats, TimeStatsJson } from './show-issuables.ts'

type IssuableContext<Input = unknown> = Context<IssuableSubject, Input>

/** Whether the caller gets notifications about the issuable: by a subscription, or as a participant. */
export async function isSubscribedToIssuable(
  { db, actor }: Pick<IssuableContext, 'db' | 'actor'>,
  issuable: Issuable,
): Promise<boolean> {
  const user_id = actor.user?.id
  if (user_id === undefined) return false
  const chosen = await findSubscription(db, { issuable_id: issuable.id, user_id })
  return chosen ?? isParticipant(db, issuable, user_id)
}

const signedInReader: Rule<IssuableSubject> = (facts) =>
  facts.actor.user !== undefined && mayReadIssuable(facts)

async function subscribe(context: IssuableContext, subscribed: boolean): Promise<boolean> {
  const { db, user, subject } = context
  if ((await isSubscribedToIssuable(context, subject.issuable)) === subscribed) return false
  await setSubscription(db, { issuable_id: subject.issuable.id, user_id: user.id, subscribed })
  return true
}

async function estimate(context: IssuableContext, seconds: number) {
  const { subject, level } = context
  const fields = { time_estimate_s: seconds }
  const issuable = await changeIssuable(context, {
    subject,
    level,
    fields,
    own: {
      notes:
        seconds === subject.issuable.time_estimate_s
          ? []
          : [
              seconds === 0
                ? 'removed time estimate'
                : `changed time estimate to ${printed(seconds)}`,
            ],
    },
  })
  return presentTimeStats(issuable)
}

const printed = (seconds: number) =>
  presentTimeStats({ time_estimate_s: seconds, time_spent_s: 0 }).human_time_estimate ?? '0h'

async function spend(
  { db, clock, user, subject }: IssuableContext,
  { seconds, summary }: { seconds: number; summary: string | null },
) {
  const { issuable } = subject
  const changed = await addTimelog(db, clock, {
    issuable,
    user_id: user.id,
    spent_s: seconds,
    summary,
  })
  if (changed.time_spent_s < 0) {
    throw invalid({ base: ['Time to subtract exceeds the total time spent'] })
  }
  const isLess = seconds < 0
  await insertSystemNotes(db, clock, {
    issuable,
    author_id: user.id,
    bodies: [`${isLess ? 'subtracted' : 'added'} ${printed(Math.abs(seconds))} of time spent`],
  })
  return presentTimeStats(changed)
}

function durationOf(text: string): number {
  const seconds = parseTrackedTime_s(text)
  if (seconds === undefined) throw badParameters(['duration is invalid'])
  return seconds
}

const trackTime: Rule<IssuableSubject> = (facts) =>
  mayAdminIssuable(facts) &&
  isUnarchived(facts.subject) &&
  facts.level >= (facts.subject.issuable.kind === 'issue' ? Level.reporter : Level.developer)

/** What the caller may do with an issue or merge request (docs/api/conventions.md, "Abilities"). */
export const IssuableAbilitiesJson = namedObject('IssuableAbilities', {
  update: Type.Boolean({ description: 'Change its title, description and state.' }),
  change_details: Type.Boolean({
    description: 'Change its labels, people, milestone, dates and lock.',
  }),
  discuss: Type.Boolean(),
  write_internal_notes: Type.Boolean(),
  track_time: Type.Boolean(),
  remove: Type.Boolean(),
})

export function presentIssuableAbilities(
  facts: Facts<IssuableSubject>,
): Static<typeof IssuableAbilitiesJson> {
  const discuss = mayDiscussIssuable(facts)
  return {
    update: mayUpdateIssuable(facts),
    change_details: mayAdminIssuable(facts),
    discuss,
    write_internal_notes: discuss && facts.level >= Level.reporter,
    track_time: trackTime(facts),
    remove: mayRemoveIssuable(facts),
  }
}

/** Returns the fields that `with_abilities` adds to a record: the caller's abilities, and the record's version. */
export async function presentAbilitiesAndVersion<Abilities>(
  { db, subject }: Pick<IssuableContext, 'db' | 'subject'>,
  abilities: Abilities,
): Promise<{ abilities: Abilities; change_version: string }> {
  return { abilities, change_version: await readIssuableVersion(db, subject.issuable) }
}

/** Creates the endpoints below an issue or merge request that do not depend on its kind. `show` returns its record. */
export function issuableEndpointsOf({
  tag,
  kind,
  on,
  base,
  record: answer,
  show,
}: {
  tag: string
  kind: IssuableKind
  on: SubjectLoader<IssuableSubject>
  base: `/projects/:id/${string}`
  record: TSchema
  show: (context: IssuableContext) => Promise<unknown>
}): readonly Endpoint[] {
  const noun = kind === 'issue' ? 'an issue' : 'a merge request'
  const common = { tag, on, signIn: 'always' as const }
  return [
    endpoint({
      tag,
      on,
      route: `GET ${base}/participants`,
      summary: `List the participants of ${noun}`,
      allow: mayReadIssuable,
      input: Type.Object(pageInput),
      answer: Type.Array(BasicUserJson),
      async run({ db, subject, actor, level, range, baseUrl }) {
        const of = { issuable: subject.issuable, reader: { actor, level } }
        const { rows, total } = await listParticipants(db, of, range)
        return new Page({ items: rows.map((user) => presentBasicUser(user, baseUrl)), total })
      },
    }),

    ...(['subscribe', 'unsubscribe'] as const).map((verb) =>
      endpoint({
        ...common,
        on: withNotFoundUnlessReadable(on),
        route: `POST ${base}/${verb}`,
        summary: `${verb === 'subscribe' ? 'Subscribe to' : 'Unsubscribe from'} ${noun}`,
        allow: signedInReader,
        status: 201,
        answer,
        otherAnswers: { 304: undefined },
        run: async (context) =>
          (await subscribe(context, verb === 'subscribe')) ? show(context) : Answer.empty(304),
      }),
    ),

    endpoint({
      tag,
      on,
      route: `GET ${base}/time_stats`,
      summary: `Get the time tracking of ${noun}`,
      allow: mayReadIssuable,
      answer: TimeStatsJson,
      run: async ({ subject }) => presentTimeStats(subject.issuable),
    }),

    endpoint({
      ...common,
      route: `POST ${base}/time_estimate`,
      summary: `Set the time estimate of ${noun}`,
      allow: trackTime,
      input: Type.Object({ duration: Type.String() }),
      answer: TimeStatsJson,
      run: (context) => estimate(context, Math.max(0, durationOf(context.input.duration))),
    }),

    endpoint({
      ...common,
      route: `POST ${base}/reset_time_estimate`,
      summary: `Reset the time estimate of ${noun}`,
      allow: trackTime,
      answer: TimeStatsJson,
      run: (context) => estimate(context, 0),
    }),

    endpoint({
      ...common,
      route: `POST ${base}/add_spent_time`,
      summary: `Add time spent on ${noun}`,
      allow: trackTime,
      input: Type.Object({ duration: Type.String(), summary: optionalText }),
      status: 201,
      answer: TimeStatsJson,
      run: (context) =>
        spend(context, {
          seconds: durationOf(context.input.duration),
          summary: context.input.summary ?? null,
        }),
    }),

    endpoint({
      ...common,
      route: `POST ${base}/reset_spent_time`,
      summary: `Reset the time spent on ${noun}`,
      allow: trackTime,
      answer: TimeStatsJson,
      async run({ db, clock, user, subject }) {
        const { issuable } = subject
        if (issuable.time_spent_s === 0) return presentTimeStats(issuable)
        const changed = await addTimelog(db, clock, {
          issuable,
          user_id: user.id,
          spent_s: -issuable.time_spent_s,
          summary: null,
        })
        await insertSystemNotes(db, clock, {
          issuable,
          author_id: user.id,
          bodies: ['removed time spent'],
        })
        return presentTimeStats(changed)
      },
    }),
  ]
}
