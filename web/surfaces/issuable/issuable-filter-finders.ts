import {
  findPeople,
  groupLabelFinder,
  groupMilestoneFinder,
  labelFinder,
  milestoneFinder,
  projectUserFinder,
} from '../../ui/combobox/finders.ts'
import type { Finds } from './filter-bar.tsx'

const nothing = async () => []

/** What a list of issues or merge requests can be filtered by, by whose list it is. */
export const issuableFilterFinders = {
  project: (id: number): Finds => ({
    people: projectUserFinder(id),
    labels: labelFinder(id),
    milestones: milestoneFinder(id),
  }),
  group: (id: number): Finds => ({
    people: findPeople,
    labels: groupLabelFinder(id),
    milestones: groupMilestoneFinder(id),
  }),
  all: { people: findPeople, labels: nothing, milestones: nothing } satisfies Finds,
}
