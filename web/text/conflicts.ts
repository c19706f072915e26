import { formatCount, formatCountWithNoun } from './numbers.ts'

/** Words of the page that resolves conflicts. */
export const conflicts = {
  title: 'Resolve conflicts',
  tab: (iid: number) => `Resolve conflicts · !${iid}`,
  intoSource: (target: string, source: string) =>
    `${target} and ${source} changed the same lines. This commit merges ${target} into ${source}.`,
  none: 'No conflicts',
  noneText: 'There are no conflicts to resolve.',
  mayNot: 'Ask someone who can push to the source branch to resolve the conflicts.',
  back: 'Back to merge request',
  notHere: 'These conflicts cannot be resolved here',
  reasons: {
    not_changed_by_both:
      'The file was added, deleted or renamed on one side, or is not a regular file.',
    binary: 'The file is binary, or not UTF-8.',
    too_large: 'The file is too large.',
    too_many: 'Too many files have conflicts.',
    has_markers: 'The file has lines that look like conflict markers.',
  },
  fileOf: (path: string) => `Conflicts in ${path}`,
  count: (number: number) => formatCountWithNoun(number, 'conflict', 'conflicts'),
  resolved: (number: number, all: number) =>
    `${formatCount(number)} of ${formatCountWithNoun(all, 'conflict', 'conflicts')} resolved`,
  conflict: (number: number, path: string) => `Conflict ${number} in ${path}`,
  useOurs: 'Use ours',
  useTheirs: 'Use theirs',
  ours: (branch: string) => `Ours: ${branch}`,
  theirs: (branch: string) => `Theirs: ${branch}`,
  deleted: 'These lines were deleted.',
  moreLines: (number: number) =>
    `${formatCountWithNoun(number, 'unchanged line', 'unchanged lines')} not shown`,
  named: (action: string, what: string) => `${action}: ${what}`,
  editFile: 'Edit file',
  chooseSections: 'Choose sections',
  contentsOf: (path: string) => `Contents of ${path}`,
  markersLeft: (path: string) => `${path} still has conflict markers.`,
  message: 'Commit message',
  commit: (branch: string) => `Commit to ${branch}`,
  resolveFirst: 'Resolve all conflicts first.',
  moved:
    'The branches changed in the meantime. Your choices are kept for conflicts that are still the same.',
  done: 'Conflicts resolved',
}
