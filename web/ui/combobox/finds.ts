// What comboboxes choose from: people, refs, namespaces, groups.
import { call } from '../../api/call.ts'
import type { Choice } from './combobox.tsx'

const per_page = 12

/** People, by name, user name or whole address; the value is the id. */
export async function findPeople(search: string): Promise<Choice[]> {
  const people = await call('GET /users', { search, per_page, active: true })
  return people.map(({ id, name, username }) => ({
    value: String(id),
    words: name,
    detail: `@${username}`,
  }))
}

/** Branches of a project; the value is the name. */
export const findBranches = (id: number) => async (search: string) => {
  const branches = await call('GET /projects/:id/repository/branches', { id, search, per_page })
  return branches.map(({ name }): Choice => ({ value: name, words: name }))
}

/** Branches, then tags. */
export const findRefs = (id: number) => async (search: string) => {
  const [branches, tags] = await Promise.all([
    findBranches(id)(search),
    call('GET /projects/:id/repository/tags', { id, search, per_page }),
  ])
  return [...branches, ...tags.map(({ name }): Choice => ({ value: name, words: name }))]
}

/** Where one may put projects; the value is the id. */
export async function findNamespaces(search: string): Promise<Choice[]> {
  const found = await call('GET /namespaces', { search, per_page })
  return found.map(({ id, full_path, name }) => ({
    value: String(id),
    words: full_path,
    ...(name === full_path ? {} : { detail: name }),
  }))
}

/** Groups one sees; the value is the id. */
export async function findGroups(search: string): Promise<Choice[]> {
  const found = await call('GET /groups', { search, per_page })
  return found.map(({ id, full_path }) => ({ value: String(id), words: full_path }))
}
