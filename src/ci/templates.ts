// The files of `include: template`. They are found by name in this list, never by a path that a user wrote.

const names: readonly string[] = [
  'Bash.gitlab-ci.yml',
  'C++.gitlab-ci.yml',
  'Clojure.gitlab-ci.yml',
  'CMake.gitlab-ci.yml',
  'Crystal.gitlab-ci.yml',
  'Deno.gitlab-ci.yml',
  'dotNET.gitlab-ci.yml',
  'Elixir.gitlab-ci.yml',
  'Getting-Started.gitlab-ci.yml',
  'Go.gitlab-ci.yml',
  'Gradle.gitlab-ci.yml',
  'Haskell.gitlab-ci.yml',
  'Julia.gitlab-ci.yml',
  'LaTeX.gitlab-ci.yml',
  'Maven.gitlab-ci.yml',
  'Nodejs.gitlab-ci.yml',
  'Pages/HTML.gitlab-ci.yml',
  'PHP.gitlab-ci.yml',
  'Python.gitlab-ci.yml',
  'Ruby.gitlab-ci.yml',
  'Rust.gitlab-ci.yml',
  'Scala.gitlab-ci.yml',
  'Swift.gitlab-ci.yml',
  'Terraform.gitlab-ci.yml',
  'Workflows/Branch-Pipelines.gitlab-ci.yml',
  'Workflows/MergeRequest-Pipelines.gitlab-ci.yml',
]

const ending = '.gitlab-ci.yml'

/** The names of all templates, sorted, without their suffix. */
export const ciTemplateNames = names.map((name) => name.slice(0, -ending.length))

/** Returns the location of a template; undefined for an unknown name. */
export function findCiTemplateUrl(name: string): URL | undefined {
  return names.includes(name) ? new URL(`./templates/${name}`, import.meta.url) : undefined
}
