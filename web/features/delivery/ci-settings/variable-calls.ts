// API operations of variables, the same for all owners.

export type VariableOwner = { kind: 'projects' | 'groups' | 'instance'; id: number }

/** The routes of the operations, by kind of owner. */
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
  // The instance has the same parameters without an id.
  instance: {
    list: 'GET /admin/ci/variables' as 'GET /groups/:id/variables',
    add: 'POST /admin/ci/variables' as 'POST /groups/:id/variables',
    change: 'PUT /admin/ci/variables/:key' as 'PUT /groups/:id/variables/:key',
    remove: 'DELETE /admin/ci/variables/:key' as 'DELETE /groups/:id/variables/:key',
  },
} as const

export const variableRoutesOf = ({ kind }: VariableOwner) => routes[kind]

/** Returns the parameter for the owner. The type requires an id, which the instance does not have. */
export const variableOwnerInput = ({ kind, id }: VariableOwner): { id: number } =>
  (kind === 'instance' ? {} : { id }) as { id: number }

/** Returns the filter that selects one of several variables with the same key by its scope. */
export const variableScopeInput = (environment_scope: string | undefined) =>
  environment_scope ? { filter: { environment_scope } } : {}

export const variablesUrl = ({ kind, id }: VariableOwner) =>
  kind === 'instance' ? '/api/v4/admin/ci/variables' : `/api/v4/${kind}/${id}/variables`
