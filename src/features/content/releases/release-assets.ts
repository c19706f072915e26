// URLs of releases and their assets, for records and webhooks.

const formats = ['zip', 'tar.gz', 'tar.bz2', 'tar'] as const

export const encodePathSegments = (path: string) =>
  path.split('/').map(encodeURIComponent).join('/')

/** Returns the URL of a release. The tag is one segment of it. */
export function releaseUrl(projectUrl: string, tag: string): string {
  return `${projectUrl}/-/releases/${encodeURIComponent(tag)}`
}

/** Returns the source archives of the tag in every format. */
export function releaseSourceArchives(
  projectUrl: string,
  { project, tag }: { project: { path: string }; tag: string },
): { format: string; url: string }[] {
  const name = `${project.path}-${tag.replaceAll('/', '-')}`
  return formats.map((format) => ({
    format,
    url: `${projectUrl}/-/archive/${encodePathSegments(tag)}/${encodeURIComponent(name)}.${format}`,
  }))
}

/** Whether a link leads outside of the project. */
export function isExternalLink(url: string, projectUrl: string): boolean {
  return !url.startsWith(`${projectUrl}/`)
}
