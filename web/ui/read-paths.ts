// All paths of a reference, kept for as long as the commit stays.
import { readCached } from '../api/use-api.ts'

/** One path a line, as the API answers them; `ref` is the default branch if unsaid. Throws `Refusal`. */
export async function readPaths(projectId: number, ref: string | undefined): Promise<string[]> {
  const text = await readCached('GET /projects/:id/repository/paths', { id: projectId, ref })
  return String(text).split('\n').filter(Boolean)
}
