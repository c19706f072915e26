import {
  addressOf,
  type Example,
  type Examples,
  issue,
  mergeRequest,
  nothing,
} from '../../../../test/kit/examples.ts'

/** A to-do item of the caller, or of the owner for an anonymous caller. */
const ownTodo: Example = async (world, who) => {
  const { path } = await issue(world)
  const client = world.as(who === 'anonymous' || who === 'outsider' ? 'owner' : who)
  await client.post(addressOf('/projects/:id/issues/:issue_iid/todo', path))
  const [todo] = (await client.get('/todos')).json()
  return { path: { todo_id: todo.id } }
}

export const examples: Examples = {
  'GET /todos': nothing,
  'POST /todos/:todo_id/mark_as_done': ownTodo,
  'POST /todos/mark_as_done': nothing,
  'POST /projects/:id/issues/:issue_iid/todo': issue,
  'POST /projects/:id/merge_requests/:merge_request_iid/todo': mergeRequest,
  'GET /user_counts': nothing,
}
