import {
  findGroupLabels,
  findGroupMilestones,
  findLabels,
  findMilestones,
  findPeople,
  findProjectUsers,
} from '../../ui/combobox/finds.ts'
import type { Finds } from './filter-bar.tsx'

const nothing = async () => []

/** What a list of issues or merge requests can be filtered by, by whose list it is. */
export const finds = {
  project: (id: number): Finds => ({
    people: findProjectUsers(id),
    labels: findLabels(id),
    milestones: findMilestones(id),
  }),
  group: (id: number): Finds => ({
    people: findPeople,
    labels: findGroupLabels(id),
    milestones: findGroupMilestones(id),
  }),
  all: { people: findPeople, labels: nothing, milestones: nothing } satisfies Finds,
}
