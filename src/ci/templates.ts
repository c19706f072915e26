// The files that `include: template` knows. They are found by name in this list, never by a path that
// somebody wrote.

const names = [
  'Getting-Started.gitlab-ci.yml',
  'Pages/HTML.gitlab-ci.yml',
  'Workflows/Branch-Pipelines.gitlab-ci.yml',
  'Workflows/MergeRequest-Pipelines.gitlab-ci.yml',
]

/** Where the text of a template is; undefined where there is none of that name. */
export function findTemplate(name: string): URL | undefined {
  return names.includes(name) ? new URL(`./templates/${name}`, import.meta.url) : undefined
}
