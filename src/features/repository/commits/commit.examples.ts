import {
  commit,
  type Example,
  type Examples,
  keep,
  project,
  withBody,
} from '../../../../test/kit/examples.ts'

/** A commit of one branch to cherry-pick to, or revert on, another branch that is not protected. */
const pick =
  (sha: string): Example =>
  async (world) => ({
    path: { ...(await twoBranches(world)).path, sha },
    body: { branch: 'other' },
  })

const twoBranches = keep(async (world) => {
  const made = await world.newProject({ files: { a: 'a' } })
  await world.commit(made, { b: 'b' }, { branch: 'topic', start_branch: 'main' })
  await world.commit(made, { c: 'c' }, { branch: 'other', start_branch: 'main' })
  return { path: { id: made.id } }
})

export const examples: Examples = {
  'GET /projects/:id/repository/commits': project,
  'GET /projects/:id/repository/commits/:sha': commit,
  'GET /projects/:id/repository/commits/:sha/refs': commit,
  'GET /projects/:id/repository/commits/:sha/diff': commit,
  'GET /projects/:id/repository/commits/:sha/sequence': commit,
  'POST /projects/:id/repository/commits/:sha/cherry_pick': pick('topic'),
  'POST /projects/:id/repository/commits/:sha/revert': pick('other'),
  'GET /projects/:id/repository/commits/:sha/comments': commit,
  'POST /projects/:id/repository/commits/:sha/comments': withBody(commit, { note: 'n' }),
  'POST /projects/:id/repository/commits': withBody(project, {
    branch: 'topic',
    start_branch: 'main',
    commit_message: 'm',
    actions: [{ action: 'create', file_path: 'b' }],
  }),
}
