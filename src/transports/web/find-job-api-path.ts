// Maps web addresses of logs and artifacts to the API, which serves the bytes and checks access.

/**
 * Returns the API path for the address of job artifacts; undefined for any other address. Uses the syntax of the address
 * only.
 */
export function findJobApiPath(url: string): string | undefined {
  const [path = '', query = ''] = url.split('?')
  const [place = '', inside = '', more] = path.split('/-/jobs/')
  const project = place.slice(1)
  const [, job = '', what = ''] =
    /^(\d{1,15})\/(raw|artifacts\/download|artifacts\/raw\/.+)$/.exec(inside) ?? []
  if (!project.includes('/') || more !== undefined) return undefined
  const jobs = `/api/v4/projects/${project.replaceAll('/', '%2F')}/jobs`
  const latest = findLatest(inside)
  if (latest) {
    const { ref, bytes } = latest
    return `${jobs}/artifacts/${ref.replaceAll('/', '%2F')}/${bytes}${query === '' ? '' : `?${query}`}`
  }
  if (what === '') return undefined
  const base = `${jobs}/${job}`
  if (what === 'raw') return `${base}/trace`
  const file = what.replace(/^artifacts\/(?:download|raw\/?)/, '')
  return `${base}/artifacts${file === '' ? '' : `/${file}`}${query === '' ? '' : `?${query}`}`
}

/** `artifacts/REF/download` and `artifacts/REF/raw/PATH`: of the latest pipeline of a reference, which may have slashes. */
function findLatest(inside: string): { ref: string; bytes: string } | undefined {
  if (!inside.startsWith('artifacts/')) return undefined
  const rest = inside.slice('artifacts/'.length)
  const raw = rest.indexOf('/raw/')
  const end = raw < 0 && rest.endsWith('/download') ? rest.length - '/download'.length : raw
  return end <= 0 ? undefined : { ref: rest.slice(0, end), bytes: rest.slice(end + 1) }
}
