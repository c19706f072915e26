// Addresses that redirect to another one that only the server knows: by a number, or to the latest.
import { call } from '../api/call.ts'
import { encodePath } from '../ui/navigation.ts'
import type { PageLocation, PageModule, PlaceLocation } from '../ui/page-module.ts'
import { placeBasePath } from '../ui/project-address.ts'

const View = () => null

/** `/projects/7`: redirects to the project with that id. */
export const projectByIdRedirect: PageModule = {
  View,
  forward: async ({ params: { id = '' } }: PageLocation) => {
    if (!/^\d{1,15}$/.test(id)) return undefined
    const { path_with_namespace } = await call('GET /projects/:id', { id: Number(id) })
    return `/${path_with_namespace}`
  },
}

/** `/-/pipelines/latest?ref=`: redirects to the latest pipeline of a reference, by default the default branch. */
export const latestPipelineRedirect: PageModule<PlaceLocation> = {
  View,
  forward: async ({ place, url }) => {
    const ref = url.searchParams.get('ref')
    const input = { id: place.id, ...(ref ? { ref } : {}) }
    const { id } = await call('GET /projects/:id/pipelines/latest', input)
    return `${placeBasePath(place)}/-/pipelines/${id}`
  },
}

/**
 * `/-/jobs/artifacts/REF/browse/FOLDER?job=`: redirects to artifacts of the latest successful pipeline of a
 * reference.
 */
export const latestArtifactsRedirect: PageModule<PlaceLocation> = {
  View,
  forward: async ({ place, url }) => {
    const [, ref, kind, path = ''] =
      /^artifacts\/(.+?)\/(browse|file)(?:\/(.+))?$/.exec(place.rest ?? '') ?? []
    if (!ref || !kind) return undefined
    const passed = { id: place.id, ref, status: 'success' as const, per_page: 1 }
    const [pipeline] = await call('GET /projects/:id/pipelines', passed)
    if (!pipeline) return undefined
    const input = { id: place.id, pipeline_id: pipeline.id, per_page: 100 }
    const jobs = await call('GET /projects/:id/pipelines/:pipeline_id/jobs', input)
    const job = jobs.find(({ name }) => name === url.searchParams.get('job'))
    const rest = path === '' ? '' : `/${encodePath(path)}`
    return job && `${placeBasePath(place)}/-/jobs/${job.id}/artifacts/${kind}${rest}`
  },
}
