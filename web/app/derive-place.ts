// Guesses what an address belongs to from the page that links to it: most links lead to the same project, many to the
// same ref. The server's answer follows (docs/api/addresses.md).
import type { Place } from '../ui/page-module.ts'

/** Sections whose addresses contain a reference. Only the server can tell where it ends and the path begins. */
const ofReference = /^(?:blame|blob|commit|commits|compare|edit|find_file|graphs|new|raw|tree)$/
const nothing = {
  ref: null,
  ref_type: null,
  commit: null,
  path: null,
  entry_type: null,
  from: null,
  from_commit: null,
}

/** `base` is the address of what both are of. `isSure` where the server would say nothing else. Undefined where only it knows. */
export function derivePlace(
  path: string,
  from: Place,
  base: string,
): { place: Place; isSure: boolean } | undefined {
  const plain = { ...from, ...nothing, canonical_path: path }
  if (path === base) return { place: { ...plain, section: null, rest: null }, isSure: true }
  if (!path.startsWith(`${base}/-/`)) return undefined
  const encoded = path.slice(base.length + 3)
  const slash = encoded.indexOf('/')
  const section = slash < 0 ? encoded : encoded.slice(0, slash)
  const rest = decoded(slash < 0 ? '' : encoded.slice(slash + 1))
  if (section === '' || rest === undefined) return undefined
  if (!ofReference.test(section)) return { place: { ...plain, section, rest }, isSure: true }
  if (section === 'commit' && /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(rest)) {
    const found = { ref: rest, ref_type: 'commit' as const, commit: rest }
    return { place: { ...plain, section, rest, ...found }, isSure: true }
  }
  const { ref, ref_type, commit } = from
  const isEntry = section === 'blob' || section === 'tree'
  if (!isEntry || ref === null || commit === null) return undefined
  if (rest !== ref && !rest.startsWith(`${ref}/`)) return undefined
  const entry = { path: rest.slice(ref.length + 1), entry_type: section } as const
  return { place: { ...plain, section, rest, ref, ref_type, commit, ...entry }, isSure: false }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
