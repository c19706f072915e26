// Wikis over git: cloned, pushed to and read again by the API, over HTTP and SSH (docs/api/wikis.md, "As a repository").
import { beforeAll, describe, expect, it } from 'vitest'
import type { Project } from '../../src/subjects/project.ts'
import { runRealGit } from '../kit/git.ts'
import { newSshWorld, type SshWorld } from '../kit/ssh.ts'

let world: SshWorld
beforeAll(async () => {
  world = await newSshWorld()
})

/** What git needs to know of whatever has a wiki. */
const wikiOf = ({ full_path }: { full_path: string }) =>
  ({ full_path: `${full_path}.wiki` }) as Project

async function newPlace(kind: 'groups' | 'projects') {
  const group = await world.newMemberedGroup()
  const owner = kind === 'groups' ? group : await world.newProject({ group })
  return { owner, wiki: wikiOf(owner), url: `/${kind}/${owner.id}/wikis` }
}

describe.each(['groups', 'projects'] as const)('The wiki of %s', (kind) => {
  it('is cloned, edited and pushed over HTTP, and the API shows it', async () => {
    const { wiki, url } = await newPlace(kind)
    await world.as('developer').post(url, { title: 'home', content: 'by the API' })
    const copy = await world.clone(wiki, { as: 'developer' })
    expect(await copy.must(['log', '--format=%s'])).toMatch(/^\S+ created page: home$/)
    await copy.commit({ 'home.md': 'by git', 'guide/a b.textile': 'h1. x', 'x.png': 'x' })
    await copy.must(['push', 'origin', 'HEAD'])
    expect((await world.as('guest').get(`${url}/home`)).json().content).toBe('by git')
    const list = (await world.as('guest').get(url)).json()
    expect(list).toEqual([
      { format: 'textile', slug: 'guide/a b', title: 'a b' },
      { format: 'markdown', slug: 'home', title: 'home' },
    ])
    const first = await copy.must(['rev-parse', 'HEAD~1'])
    const old = await world.as('guest').get(`${url}/home?version=${first}`)
    expect(old.json().content).toBe('by the API')
  })

  it('has pages that are found by the names they were pushed with', async () => {
    const { wiki, url } = await newPlace(kind)
    const copy = await world.begin(wiki, 'developer')
    await copy.commit({ 'guide/a  b.md': 'spaced', 'c.md': 'plain' })
    await copy.must(['push', 'origin', 'HEAD:main'])
    const client = world.as('developer')
    for (const { slug } of (await client.get(url)).json()) {
      const shown = await client.get(`${url}/${encodeURIComponent(slug)}`)
      expect([shown.statusCode, shown.json().slug]).toEqual([200, slug])
    }
    const gone = await client.delete(`${url}/${encodeURIComponent('guide/a  b')}`)
    expect(gone.statusCode).toBe(204)
    expect((await client.get(url)).json()).toHaveLength(1)
  })

  it('is begun by a push over SSH, with the branch it brings', async () => {
    const { wiki, url } = await newPlace(kind)
    const key = await world.keyOf('developer')
    const copy = await world.beginOverSsh(wiki, key)
    await copy.must(['checkout', '--quiet', '-b', 'trunk'])
    await copy.commit({ 'home.md': 'first' })
    await copy.must(['push', 'origin', 'trunk'])
    expect((await world.as('guest').get(`${url}/home`)).json().content).toBe('first')
    await world.as('developer').put(`${url}/home`, { content: 'second' })
    await copy.must(['pull', '--quiet', 'origin', 'trunk'])
    expect(await copy.must(['show', 'HEAD:home.md'])).toBe('second')
    const clone = await world.cloneOverSsh(wiki, await world.keyOf('guest'))
    expect(await clone.must(['rev-parse', '--abbrev-ref', 'HEAD'])).toBe('trunk')
  })

  it('is hidden, shown and refused as its pages are', async () => {
    const { owner, wiki } = await newPlace(kind)
    const read = async (as: Parameters<typeof world.remote>[1]) =>
      (await runRealGit(['ls-remote', world.remote(wiki, as)])).stderr
    expect(await read('guest')).toContain('not found')
    const copy = await world.begin(wiki, 'developer')
    await copy.commit({ 'home.md': 'x' })
    await copy.must(['push', 'origin', 'HEAD:main'])
    expect(await read('guest')).toBe('')
    expect(await read('outsider')).toContain('not found')
    const guests = await world.begin(wiki, 'guest')
    await guests.commit({ 'home.md': 'y' })
    const refused = await guests.run(['push', '--force', 'origin', 'HEAD:main'])
    expect(refused.stderr).toContain('You are not allowed to push code to this wiki.')
    const overSsh = await world.beginOverSsh(wiki, await world.keyOf('guest'))
    await overSsh.commit({ 'home.md': 'y' })
    const again = await overSsh.run(['push', '--force', 'origin', 'HEAD:main'])
    expect(again.stderr).toContain('ERROR: You are not allowed to push code to this wiki.')
    const unknown = await world.begin(wikiOf({ full_path: `${owner.full_path}-none` }), 'owner')
    await unknown.commit({ a: 'a' })
    expect((await unknown.run(['push', 'origin', 'HEAD'])).stderr).toContain('not found')
  })

  it('shows banners to who pushes to it', async () => {
    const { wiki } = await newPlace(kind)
    await world.as('admin').post('/broadcast_messages', { message: 'Back at noon' })
    const copy = await world.begin(wiki, 'developer')
    await copy.commit({ 'home.md': 'x' })
    const { stderr } = await copy.run(['push', 'origin', 'HEAD:main'])
    expect(stderr).toContain('Back at noon')
  })

  it('goes with what it is of', async () => {
    const { owner, wiki, url } = await newPlace(kind)
    await world.as('developer').post(url, { title: 'home', content: 'x' })
    const row = await world.app.db
      .selectFrom('wikis')
      .selectAll()
      .where(kind === 'groups' ? 'namespace_id' : 'project_id', '=', owner.id)
      .executeTakeFirstOrThrow()
    await world.as('admin').delete(`/${kind}/${owner.id}`)
    await world.app.worker.drain()
    const found = await runRealGit(['ls-remote', world.remote(wiki, 'admin')])
    expect(found.status).toBe(128)
    expect(
      await world.app.db.selectFrom('wikis').select('id').where('id', '=', row.id).execute(),
    ).toEqual([])
  })
})
