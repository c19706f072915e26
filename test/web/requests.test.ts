// What pages ask when they are opened by a browser that has nothing of them yet.
import { expect, it } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { visit } from './browser.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer()
  return server
}

/** Opens a page in a browser of its own; the paths of scripts and of the API that it asked for, without their numbers. */
async function listRequests(path: string): Promise<{ scripts: string[]; calls: string[] }> {
  const visited = await visit(await open())
  const paths: string[] = []
  try {
    visited.page.on('request', (request) => paths.push(new URL(request.url()).pathname))
    await visited.signIn()
    await visited.open(path)
    await visited.settle()
    expect(visited.problems).toEqual([])
  } finally {
    await visited.close()
  }
  const named = (pattern: RegExp) =>
    paths.flatMap((one) => pattern.exec(one)?.[1] ?? []).sort((a, b) => (a < b ? -1 : 1))
  return {
    scripts: named(/^\/-\/assets\/(.+)-[\w-]{8}\.js$/).filter((name) => name !== 'palette'),
    calls: named(/^\/api\/v4(\/.+)$/),
  }
}

it('asks for nothing twice, and for nothing it does not show', { timeout: 120_000 }, async () => {
  const { ask } = await open()
  const project = await ask<{ id: number }>('POST /projects', {
    name: 'Requests',
    initialize_with_readme: true,
  })
  const at = `/projects/${project.id}`
  await ask(`POST ${at}/repository/commits`, {
    branch: 'topic',
    start_branch: 'main',
    commit_message: 'Change',
    actions: [{ action: 'create', file_path: 'a.txt', content: 'a\n' }],
  })
  await ask(`POST ${at}/labels`, { name: 'heat', color: '#c0392b' })
  await ask(`POST ${at}/issues`, { title: 'Cold', description: 'Too cold.', labels: 'heat' })
  await ask(`POST ${at}/issues/1/notes`, { body: 'Still.' })
  await ask(`POST ${at}/merge_requests`, {
    source_branch: 'topic',
    target_branch: 'main',
    title: 'Warm it',
    labels: 'heat',
  })
  const every = ['/broadcast_messages', '/events/stream', '/resolve', '/session']
  const sorted = (paths: string[]) => [...every, ...paths].sort((a, b) => (a < b ? -1 : 1))

  const issue = await listRequests('/root/requests/-/issues/1')
  expect(issue.scripts).toEqual(['base', 'comment-boxes', 'details', 'issue.page'])
  const ofIssue = (names: string[]) => names.map((name) => `${at}/issues/1${name}`)
  expect(issue.calls).toEqual(
    sorted(
      ofIssue([
        '',
        '/award_emoji',
        '/discussions',
        '/links',
        '/note_award_emoji',
        '/participants',
        '/related_merge_requests',
        '/resource_label_events',
        '/resource_milestone_events',
        '/resource_state_events',
        '/resource_weight_events',
      ]),
    ),
  )

  const diff = await listRequests('/root/requests/-/merge_requests/1/diffs')
  expect(diff.scripts).toEqual([
    'base',
    'details',
    'diff',
    'moved-lines',
    'request-changes',
    'request.page',
  ])
  const ofRequest = (names: string[]) => names.map((name) => `${at}/merge_requests/1${name}`)
  expect(diff.calls).toEqual(
    sorted([
      ...ofRequest([
        '',
        '/approvals',
        '/discussions',
        '/draft_notes',
        '/note_award_emoji',
        '/versions',
        '/viewed_files',
      ]),
      `${at}/repository/compare/diffs`,
    ]),
  )
})
