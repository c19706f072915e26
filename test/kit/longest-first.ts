// In which order a run takes its files: what takes long is begun first, so that no long file is left alone at the end.
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take half a minute and more, the longest first: the size of a file, by which others go, does not tell. */
const longest = [
  'test/web/pages-agree-with-access-matrix.test.ts',
  'test/web/every-page.test.ts',
  'test/web/large-changes.test.ts',
  'test/stories/hostile-text.test.ts',
  'test/access-matrix/further/review.test.ts',
  'test/stories/clones-in-steps.test.ts',
  'src/features/operating/nodes/node.test.ts',
  'src/blobs/s3-blobs.test.ts',
  'test/access-matrix/further/delivery.test.ts',
  'test/stories/real-size.test.ts',
  'test/access-matrix/further/repository.test.ts',
  'test/stories/many-references.test.ts',
  'test/stories/git-over-ssh.test.ts',
  'test/access-matrix/review.test.ts',
  'test/stories/waiting-for-memory.test.ts',
  'test/hidden-objects.test.ts',
  'test/audited-operations.test.ts',
  'test/stories/short-of-memory.test.ts',
  'test/stories/builtin-runner.test.ts',
  'test/stories/fuzz.test.ts',
]

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // Projects and their groups stay together: a process that has loaded what it needs is kept for the next file of a project.
    const sorted = await super.sort(files)
    const projects = [...new Set(sorted.map(({ project }) => project))]
    return projects.flatMap((project) => {
      const own = sorted.filter((file) => file.project === project)
      const ranks = new Map(own.map((file) => [file, rankOf(file)]))
      return own.sort((one, other) => (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0))
    })
  }
}

function rankOf({ moduleId, project }: TestSpecification): number {
  const rank = longest.indexOf(relative(project.config.root, moduleId))
  return rank === -1 ? longest.length : rank
}
