/** Words of the releases of a project. */
export const releases = {
  title: 'Releases',
  empty: 'No releases yet',
  emptyText:
    'A release is a tag with notes and files. Create one with the API or from a pipeline job.',
  assets: 'Assets',
  source: (format: string) => `Source code (${format})`,
  by: (name: string) => `by ${name}`,
  upcoming: 'upcoming release',
}
