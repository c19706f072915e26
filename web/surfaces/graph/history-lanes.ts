// Where the commits of a list and the lines between them go: each line of development in a lane, from its newest commit down
// to where it left another.

type Commit = { id: string; parent_ids: readonly string[] }
/** From a commit to a parent: `via` is the lane between them, `into` that of the parent; without `to` it leaves the list. */
export type HistoryEdge = {
  from: number
  to: number | undefined
  at: number
  via: number
  into: number
}
type Lane = { awaited: string; edges: HistoryEdge[] }

/** The lane of each commit, by its place in the list, newest first; and the lines. */
export function layOutHistory(commits: readonly Commit[]): { at: number[]; edges: HistoryEdge[] } {
  const lanes: (Lane | undefined)[] = []
  const edges: HistoryEdge[] = []
  const seen = new Set<string>()
  const at = commits.map(({ id, parent_ids }, row) => {
    const ending = lanes.flatMap((lane, place) => (lane?.awaited === id ? [place] : []))
    const own = ending[0] ?? freeIn(lanes)
    for (const place of ending) {
      for (const edge of lanes[place]?.edges ?? []) Object.assign(edge, { to: row, into: own })
      lanes[place] = undefined
    }
    seen.add(id)
    for (const [nth, parent] of parent_ids.entries()) {
      // Clocks that go wrong may have put a parent above.
      if (seen.has(parent)) continue
      const known = lanes.findIndex((lane) => lane?.awaited === parent)
      const via = nth === 0 ? own : known >= 0 ? known : freeIn(lanes)
      const edge = { from: row, to: undefined, at: own, via, into: via }
      edges.push(edge)
      const lane = lanes[via] ?? { awaited: parent, edges: [] }
      lane.edges.push(edge)
      lanes[via] = lane
    }
    return own
  })
  return { at, edges }
}

function freeIn(lanes: readonly (Lane | undefined)[]): number {
  const free = lanes.indexOf(undefined)
  return free < 0 ? lanes.length : free
}
