import {
  findPeople,
  groupLabelFinder,
  groupMilestoneFinder,
  labelFinder,
  milestoneFinder,
  projectUserFinder,
} from '../../ui/combobox/finders.ts'
import type { FilterFinders } from './filter-bar.tsx'

const nothing = async () => []

/** What a list of issues or merge requests can be filtered by, by whose list it is. */
export const issuableFilterFinders = {
  project: (id: number): FilterFinders => ({
    people: projectUserFinder(id),
    labels: labelFinder(id),
    milestones: milestoneFinder(id),
  }),
  group: (id: number): FilterFinders => ({
    people: findPeople,
    labels: groupLabelFinder(id),
    milestones: groupMilestoneFinder(id),
  }),
  all: { people: findPeople, labels: nothing, milestones: nothing } satisfies FilterFinders,
}
