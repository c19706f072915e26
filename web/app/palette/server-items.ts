// The results of the palette from the server. They are shown in one order when all requests have been answered, so that
// no row moves while the user points at it.
import { useEffect, useState } from 'preact/hooks'
import type { Answer } from '../../api/call.ts'
import { findCachedProject, mayInProject } from '../../api/project.ts'
import { user } from '../../api/session.ts'
import { readCached } from '../../api/use-api.ts'
import { palette } from '../../text/palette.ts'
import { encodePath } from '../../ui/navigation.ts'
import type { Place } from '../../ui/page-module.ts'
import { placeBasePath, repositoryPageUrl } from '../../ui/project-address.ts'
import { type PaletteItem, rankPaletteItems } from './palette-items.ts'

const typing_ms = 80
const each_max = 5
/** Short lists are loaded once as a whole and searched here. */
const list_max = 100

const kinds = {
  project: { sign: '', kind: palette.project },
  group: { sign: '', kind: palette.group },
  user: { sign: '@', kind: palette.user },
  issue: { sign: '#', kind: palette.issue },
  merge_request: { sign: '!', kind: palette.mergeRequest },
} as const

/** `isWaiting` until the server has answered for these words; what it said before stays as far as it fits. */
export function useServerItems(
  typed: string,
  place: Place | undefined,
): { finds: PaletteItem[]; isWaiting: boolean } {
  const [found, setFound] = useState<{ typed: string; finds: PaletteItem[] }>({
    typed: '',
    finds: [],
  })
  const isAsked = typed.trim() !== '' && !/^[>~:]/.test(typed)
  useEffect(() => {
    if (!isAsked) return
    let isOver = false
    const timer = setTimeout(async () => {
      const finds = await findAll(typed, place)
      if (!isOver) setFound({ typed, finds })
    }, typing_ms)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [typed, isAsked, place?.id])
  if (!isAsked) return { finds: [], isWaiting: false }
  const isWaiting = found.typed !== typed
  const words = typed.replace(/^[@#!]/, '')
  return { finds: isWaiting ? rankPaletteItems(found.finds, words) : found.finds, isWaiting }
}

async function findAll(typed: string, place: Place | undefined): Promise<PaletteItem[]> {
  const sign = /^[@#!]/.exec(typed)?.[0] ?? ''
  const words = typed.replace(/^[@#!]/, '').trim()
  if (words === '') return []
  const parts = [
    readCached('GET /search/quick', { q: words }).then((hits) => findsOf(hits, sign)),
    ...(sign === '' && place?.kind === 'project' ? ofProject(place, words) : []),
    ...(sign === '' && user.value ? ofAccount(words) : []),
  ]
  // A refused request does not keep the results of the others from being shown.
  const found = await Promise.all(parts.map((part) => part.catch(() => [])))
  return found.flat()
}

function findsOf(hits: Answer<'GET /search/quick'>, sign: string): PaletteItem[] {
  return hits
    .filter(({ type }) => sign === '' || sign === kinds[type].sign)
    .map(({ type, id, name, path, web_url }) => ({
      id: `${type}:${id}`,
      kind: kinds[type].kind,
      words: path === '' || path === name ? name : `${path}  ${name}`,
      href: new URL(web_url).pathname,
    }))
}

const best = (finds: PaletteItem[], words: string) =>
  rankPaletteItems(finds, words).slice(0, each_max)

/**
 * Finds branches, tags, environments, jobs, schedules and members of a project, as far as the reader can see
 * them.
 */
function ofProject(place: Place, words: string): Promise<PaletteItem[]>[] {
  const { id } = place
  const base = placeBasePath(place)
  const project = findCachedProject(id)
  const of = (kind: string) => (name: string, href: string) => ({
    id: `${kind}:${href}`,
    kind,
    words: name,
    href,
  })
  const [branch, tag, environment, job, schedule, member] = [
    palette.branch,
    palette.tag,
    palette.environment,
    palette.job,
    palette.schedule,
    palette.member,
  ].map(of) as [Of, Of, Of, Of, Of, Of]
  const named = { id, search: words, per_page: each_max }
  const parts: (false | (() => Promise<PaletteItem[]>))[] = [
    mayInProject(project, 'download_code') &&
      (async () =>
        (await readCached('GET /projects/:id/repository/branches', named)).map(({ name }) =>
          branch(name, repositoryPageUrl(base, 'tree', name)),
        )),
    mayInProject(project, 'download_code') &&
      (async () =>
        (await readCached('GET /projects/:id/repository/tags', named)).map(({ name }) =>
          tag(name, `${base}/-/tags/${encodePath(name)}`),
        )),
    mayInProject(project, 'read_environments') &&
      Boolean(user.value) &&
      (async () => {
        const all = await readCached('GET /projects/:id/environments', { id, per_page: list_max })
        return best(
          all.map((one) => environment(one.name, `${base}/-/environments/${one.id}`)),
          words,
        )
      }),
    mayInProject(project, 'read_pipelines') &&
      (async () => {
        const all = await readCached('GET /projects/:id/jobs', { id, per_page: list_max })
        const latest = new Map(all.reverse().map((one) => [one.name, one]))
        return best(
          [...latest.values()].map((one) => job(one.name, `${base}/-/jobs/${one.id}`)),
          words,
        )
      }),
    mayInProject(project, 'read_pipelines') &&
      Boolean(user.value) &&
      (async () => {
        const all = await readCached('GET /projects/:id/pipeline_schedules', {
          id,
          per_page: list_max,
        })
        return best(
          all.map((one) =>
            schedule(one.description, `${base}/-/pipeline_schedules/${one.id}/edit`),
          ),
          words,
        )
      }),
    Boolean(user.value) &&
      (async () => {
        const all = await readCached('GET /projects/:id/members/all', { id, per_page: list_max })
        return best(
          all.map(({ name, username }) => member(`${name} @${username}`, `/${username}`)),
          words,
        )
      }),
  ]
  return parts.filter((part) => part !== false).map((part) => part())
}

type Of = (name: string, href: string) => PaletteItem

/** Finds the user's own SSH keys and tokens by title. */
function ofAccount(words: string): Promise<PaletteItem[]>[] {
  const keys = async () => {
    const all = await readCached('GET /user/keys', { per_page: list_max })
    const href = '/-/profile/keys'
    return best(
      all.map(({ id, title }) => ({ id: `key:${id}`, kind: palette.sshKey, words: title, href })),
      words,
    )
  }
  const tokens = async () => {
    const all = await readCached('GET /personal_access_tokens', {
      state: 'active',
      per_page: list_max,
    })
    const href = '/-/profile/personal_access_tokens'
    return best(
      all.map(({ id, name }) => ({ id: `token:${id}`, kind: palette.token, words: name, href })),
      words,
    )
  }
  return [keys(), tokens()]
}
