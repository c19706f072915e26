// What starting a program costs the process that asks for it, small and large: the main thread's own
// processor time, because on a busy machine the clock also counts what others do.
import { runScript } from '../machine.ts'
import type { Goal, Measured, Row } from '../row.ts'
import type { Sizes } from '../sizes.ts'
import type { SpawnCost } from '../spawn-loop.ts'

const large_mb = 650
const cpu_us_goal = 66

const goal: Goal = {
  text: `<= ${cpu_us_goal} us`,
  isMet: ({ ours }) => ours.value <= cpu_us_goal,
}

async function measure(megabytes: number, count: number): Promise<Measured> {
  const script = new URL('../spawn-loop.ts', import.meta.url)
  const cost = (how: 'helper' | 'direct') =>
    runScript<SpawnCost>(script, ['cost', how, String(megabytes), String(count)])
  const direct = await cost('direct')
  const helped = await cost('helper')
  const tell = ({ call_us, whole_ms, rss_mb }: SpawnCost) =>
    `${whole_ms.toFixed(1)} ms in all, the call ${call_us.toFixed(0)} us, at ${rss_mb.toFixed(0)} MB`
  return {
    floor: { value: direct.cpu_us, unit: 'us', of: 'child_process.spawn' },
    ours: { value: helped.cpu_us, unit: 'us' },
    note: `helper: ${tell(helped)}; child_process: ${tell(direct)}`,
  }
}

export function spawnRows({ samples }: Sizes): Row[] {
  return [
    { name: 'start of git, small process', goal, measure: () => measure(0, samples * 10) },
    {
      name: `start of git, process of ${large_mb} MB`,
      goal,
      measure: () => measure(large_mb, samples * 10),
    },
  ]
}
