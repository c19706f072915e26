import { type Static, Type } from 'typebox'
import { anyone } from '../../../access/rule.ts'
import { type Context, endpoint } from '../../../http/endpoint.ts'
import { notBlank } from '../../../http/parameters.ts'
import { namedObject, nullable, nullableText } from '../../../http/schema.ts'
import { today } from '../../../kernel/clock.ts'
import { badRequest } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { type AvatarOwner, avatarUrl } from '../../../subjects/avatar-url.ts'
import {
  fullIssuableReference,
  type IssuableKind,
  issuableUrl,
} from '../../../subjects/issuable.ts'
import {
  quickSearchGroups,
  quickSearchOwnIssuables,
  quickSearchProjects,
  quickSearchUsers,
} from './quick-search.store.ts'

/** `path` is a full path, a username, or the full reference of an issue or merge request. */
const HitJson = namedObject('QuickHit', {
  type: Type.Union([
    Type.Literal('project'),
    Type.Literal('group'),
    Type.Literal('user'),
    Type.Literal('issue'),
    Type.Literal('merge_request'),
  ]),
  id: Type.Integer(),
  iid: nullable(Type.Integer()),
  project_id: nullable(Type.Integer()),
  name: Type.String(),
  path: Type.String(),
  avatar_url: nullableText,
  web_url: Type.String(),
})
type Hit = Static<typeof HitJson>
type Ranked = { fit: number; hit: Hit }

const input = Type.Object({
  q: Type.String({ description: 'Of one or two characters: how a name begins.' }),
})

type QuickContext = Context<unknown, Static<typeof input>>

/**
 * Searches all kinds of records at once: exact names first, then prefixes, then substrings; of equal matches the best of
 * each kind before the second of any (docs/api/search.md, "Quick search").
 */
async function searchQuickly(context: QuickContext): Promise<Hit[]> {
  const { db, actor, input, baseUrl } = context
  const text = input.q.trim()
  const most = limits.quick_search.text_characters
  if ([...text].length > most) {
    throw badRequest(`Search query is too long (maximum is ${most} characters)`)
  }
  const name = text.replace(/^@/, '') || text
  const found = await Promise.all([
    quickSearchProjects(db, actor, text).then(placesAs('project', baseUrl)),
    quickSearchGroups(db, actor, text).then(placesAs('group', baseUrl)),
    actor.user ? quickSearchUsers(db, name).then(placesAs('user', baseUrl)) : [],
    actor.user ? ownIssuables(context, 'issue', text) : [],
    actor.user ? ownIssuables(context, 'merge_request', text) : [],
  ])
  return found
    .flatMap((kind) => kind.map(({ fit, hit }, place) => ({ fit, place, hit })))
    .sort((a, b) => a.fit - b.fit || a.place - b.place)
    .slice(0, limits.quick_search.hits)
    .map(({ hit }) => hit)
}

type Place = { id: number; name: string; path: string; avatar: string | null; fit: number }

function placesAs(type: AvatarOwner['kind'] & Hit['type'], baseUrl: string) {
  return (rows: Place[]): Ranked[] =>
    rows.map(({ id, name, path, avatar, fit }) => {
      const avatar_url = avatarUrl(baseUrl, { kind: type, id, avatar })
      const web_url = `${baseUrl}/${type === 'group' ? 'groups/' : ''}${path}`
      return {
        fit,
        hit: { type, id, iid: null, project_id: null, name, path, avatar_url, web_url },
      }
    })
}

const signs = { issue: '#', merge_request: '!' } as const

/**
 * Finds own issues or merge requests. `12` is the number of either, `#12` of an issue and `!12` of a merge
 * request.
 */
async function ownIssuables(
  { db, actor, clock, baseUrl }: QuickContext,
  kind: IssuableKind,
  text: string,
): Promise<Ranked[]> {
  const number = text.startsWith(signs[kind]) ? text.slice(1) : text
  const iid = /^\d{1,9}$/.test(number) ? Number(number) : undefined
  const rows = await quickSearchOwnIssuables(db, actor, { kind, text, iid, today: today(clock) })
  return rows.map(({ id, iid, project_id, name, full_path, fit }) => {
    const named = { kind, iid }
    const path = fullIssuableReference({ full_path }, named)
    const web_url = issuableUrl(baseUrl, { full_path }, named)
    return { fit, hit: { type: kind, id, iid, project_id, name, path, avatar_url: null, web_url } }
  })
}

export const quickSearchEndpoints = [
  endpoint({
    route: 'GET /search/quick',
    summary: 'Find projects, groups, users, and your issues and merge requests by name',
    tag: 'Search',
    signIn: 'never',
    allow: anyone,
    input,
    rules: [notBlank('q')],
    answer: Type.Array(HitJson),
    run: searchQuickly,
  }),
]
