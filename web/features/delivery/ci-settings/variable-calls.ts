// API operations of variables, the same for all owners.

export type VariableOwner = { kind: 'projects' | 'groups' | 'instance'; id: number }

/** A route names the one that its operation is of. */
const routes = {
  projects: {
    list: 'GET /projects/:id/variables',
    add: 'POST /projects/:id/variables',
    change: 'PUT /projects/:id/variables/:key',
    remove: 'DELETE /projects/:id/variables/:key',
  },
  groups: {
    list: 'GET /groups/:id/variables',
    add: 'POST /groups/:id/variables',
    change: 'PUT /groups/:id/variables/:key',
    remove: 'DELETE /groups/:id/variables/:key',
  },
  // Of the instance there is one: without an id, by the same parameters.
  instance: {
    list: 'GET /admin/ci/variables' as 'GET /groups/:id/variables',
    add: 'POST /admin/ci/variables' as 'POST /groups/:id/variables',
    change: 'PUT /admin/ci/variables/:key' as 'PUT /groups/:id/variables/:key',
    remove: 'DELETE /admin/ci/variables/:key' as 'DELETE /groups/:id/variables/:key',
  },
} as const

export const variableRoutesOf = ({ kind }: VariableOwner) => routes[kind]

/** What names the owner in an operation; the type asks for an id of all, the instance has none. */
export const variableOwnerInput = ({ kind, id }: VariableOwner): { id: number } =>
  (kind === 'instance' ? {} : { id }) as { id: number }

/** Which of the variables with one key is meant, where they differ by scope. */
export const variableScopeInput = (environment_scope: string | undefined) =>
  environment_scope ? { filter: { environment_scope } } : {}

export const variablesUrl = ({ kind, id }: VariableOwner) =>
  kind === 'instance' ? '/api/v4/admin/ci/variables' : `/api/v4/${kind}/${id}/variables`
