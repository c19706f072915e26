import { type Project, projectUrl } from '../../../subjects/project.ts'

/** Returns the URL of an alert's page. */
export function alertUrl(
  baseUrl: string,
  project: Pick<Project, 'full_path'>,
  { iid }: { iid: number },
): string {
  return `${projectUrl(baseUrl, project)}/-/alert_management/${iid}/details`
}
