import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { stories } from './browser.ts'
import { newClone } from './repositories.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer()
  return server
}

type WithUrl = { web_url: string }

stories(
  'every-web-url',
  (story) => {
    story('each address that a record names opens its page', async (visit) => {
      const { page } = visit
      await visit.signIn()
      const { ask, url } = await open()
      const clone = await newClone(await open(), `Urls ${visit.width}`)
      await clone.commit('Begin', { 'README.md': '# Read me\n' })
      await clone.git('tag', 'v1')
      await clone.git('checkout', '-q', '-b', 'a/branch')
      await clone.commit('More', { 'b.txt': 'b\n' })
      await clone.push('main', 'a/branch', 'v1')
      const path = `urls-${visit.width}`
      const group = await ask<WithUrl>('POST /groups', { name: path, path, visibility: 'public' })
      const project = await ask<WithUrl & { readme_url: string; default_branch: string }>(
        `GET /projects/${clone.id}`,
      )
      const api = `/projects/${clone.id}/repository`
      const branches = await ask<WithUrl[]>(`GET ${api}/branches`)
      const commits = await ask<WithUrl[]>(`GET ${api}/commits`)
      const user = await ask<WithUrl>('GET /user')
      const comparison = await ask<WithUrl>(`GET ${api}/compare?from=main&to=a/branch`)
      const urls = [
        project.web_url,
        project.readme_url,
        group.web_url,
        user.web_url,
        comparison.web_url,
        ...branches.map(({ web_url }) => web_url),
        ...commits.map(({ web_url }) => web_url),
      ]
      const more = [
        'tags',
        'tags/v1',
        'branches/all',
        'graphs/main',
        'forks',
        'starrers',
        'branches',
      ]
      const places = [
        ...urls.map((one) => one.replace(url, '')),
        ...more.map((one) => `${clone.path}/-/${one}`),
        '/',
        '/explore/projects',
        '/explore/groups',
        '/dashboard/projects',
        '/dashboard/groups',
        `/root?tab=starred`,
        `/root?tab=followers`,
      ]
      expect(urls).toHaveLength(8)
      for (const [from, to] of [
        ['/-/user_settings/profile', '/-/profile'],
        ['/-/profile/profile', '/-/profile'],
        [`${clone.path}/edit`, `${clone.path}/-/settings/general`],
        [`/groups/${path}/-/edit`, `/groups/${path}/-/settings/general`],
      ] as const) {
        await visit.open(from)
        await page.waitForURL((now) => now.pathname === to)
        places.push(to)
      }
      for (const place of places) {
        await visit.open(place)
        const title = await page.locator('main h1').first().innerText()
        expect(title, place).not.toMatch(/not available yet|Nothing here|Something went wrong/)
        await visit.checkWidth()
      }
      for (const place of places.filter((_one, at) => at % 2 === 0)) {
        await visit.open(place)
        await visit.checkAccess()
      }
    })
  },
  open,
)
