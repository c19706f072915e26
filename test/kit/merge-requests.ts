// Merge requests for tests: a project with a branch of its own, and a request from it.
import type { Project } from '../../src/subjects/project.ts'
import type { Who, World } from './world.ts'

let made = 0

/** A project with `files` on `main`, and a branch `topic` with `changes` on top of that. */
export async function newBranches(
  world: World,
  {
    changes = { topic: 'topic\n' },
    files = { 'README.md': '# Readme\n' },
    options = {},
  }: {
    changes?: Record<string, string>
    files?: Record<string, string>
    options?: Parameters<World['newProject']>[0]
  } = {},
): Promise<{ project: Project; url: string; head: string }> {
  const project = await world.newProject({ ...options, files })
  const head = await world.commit(project, changes, {
    branch: 'topic',
    start_branch: 'main',
    message: 'Change the topic',
  })
  return { project, url: `/projects/${project.id}/merge_requests`, head }
}

/** A merge request from `topic` into `main`, made by the API; what follows it has not happened yet. */
export async function newRequest(
  world: World,
  { url }: { url: string },
  { who = 'developer', ...body }: { who?: Who } & Record<string, unknown> = {},
) {
  const given = { title: `Request ${++made}`, source_branch: 'topic', target_branch: 'main' }
  const answer = await world.as(who).post(url, { ...given, ...body })
  if (answer.statusCode !== 201) throw new Error(`${answer.statusCode} ${answer.body}`)
  return answer.json()
}
