// What comboboxes choose from: people, refs, namespaces, groups.
import { call } from '../../api/call.ts'
import type { ComboboxChoice } from './combobox.tsx'

const per_page = 12

/** People, by name, user name or whole address; the value is the id. */
export async function findPeople(search: string): Promise<ComboboxChoice[]> {
  const people = await call('GET /users', { search, per_page, active: true })
  return people.map(choiceOfPerson)
}

/** Branches of a project; the value is the name. */
export const branchFinder = (id: number) => async (search: string) => {
  const branches = await call('GET /projects/:id/repository/branches', { id, search, per_page })
  return branches.map(({ name }): ComboboxChoice => ({ value: name, words: name }))
}

/** Tags of a project; the value is the name. */
export const tagFinder = (id: number) => async (search: string) => {
  const tags = await call('GET /projects/:id/repository/tags', { id, search, per_page })
  return tags.map(({ name }): ComboboxChoice => ({ value: name, words: name }))
}

/** Branches, then tags. */
export const refFinder = (id: number) => async (search: string) => {
  const [branches, tags] = await Promise.all([branchFinder(id)(search), tagFinder(id)(search)])
  return [...branches, ...tags]
}

/** Where one may put projects; the value is the id. */
export async function findNamespaces(search: string): Promise<ComboboxChoice[]> {
  const found = await call('GET /namespaces', { search, per_page })
  return found.map(({ id, full_path, name }) => ({
    value: String(id),
    words: full_path,
    ...(name === full_path ? {} : { detail: name }),
  }))
}

/** Groups one sees; the value is the id. */
export async function findGroups(search: string): Promise<ComboboxChoice[]> {
  const found = await call('GET /groups', { search, per_page })
  return found.map(({ id, full_path }) => ({ value: String(id), words: full_path }))
}

/** People who see a project, whoever they are there; the value is the id. */
export const projectUserFinder = (id: number) => async (search: string) => {
  const people = await call('GET /projects/:id/users', {
    id,
    per_page,
    search,
  })
  return people.map(choiceOfPerson)
}

export const choiceOfPerson = (person: {
  id: number
  name: string
  username: string
}): ComboboxChoice => ({
  value: String(person.id),
  words: person.name,
  detail: `@${person.username}`,
})

/** Labels of a project and the groups above it; the value is the name. */
export const labelFinder = (id: number) => async (search: string) => {
  const labels = await call('GET /projects/:id/labels', {
    id,
    per_page: 50,
    include_ancestor_groups: true,
    search,
  })
  return labels.map(({ name, color }) => ({ value: name, words: name, color }))
}

/** Labels of a group and those above it; the value is the name. */
export const groupLabelFinder = (id: number) => async (search: string) => {
  const labels = await call('GET /groups/:id/labels', {
    id,
    per_page: 50,
    search,
  })
  return labels.map(({ name, color }) => ({ value: name, words: name, color }))
}

/** Open milestones of a project and the groups above it; the value is the id. */
export const milestoneFinder = (id: number) => async (search: string) => {
  const milestones = await call('GET /projects/:id/milestones', {
    id,
    per_page: 50,
    state: 'active',
    include_ancestors: true,
    search,
  })
  return milestones.map(choiceOfMilestone)
}

/** Open milestones of a group; the value is the id. */
export const groupMilestoneFinder = (id: number) => async (search: string) => {
  const milestones = await call('GET /groups/:id/milestones', {
    id,
    per_page: 50,
    state: 'active',
    search,
  })
  return milestones.map(choiceOfMilestone)
}

export const choiceOfMilestone = (milestone: { id: number; title: string }): ComboboxChoice => ({
  value: String(milestone.id),
  words: milestone.title,
})

/** Projects one is a member of; the value is the id. */
export async function findOwnProjects(search: string): Promise<ComboboxChoice[]> {
  const found = await call('GET /projects', {
    membership: true,
    simple: true,
    search_namespaces: true,
    order_by: 'last_activity_at',
    per_page,
    search,
  })
  return found.map(({ id, path_with_namespace }) => ({
    value: String(id),
    words: path_with_namespace,
  }))
}
