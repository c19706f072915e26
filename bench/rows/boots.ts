// From the start of the process to its first answer with status 200.
import { mkdir } from 'node:fs/promises'
import type { Bench } from '../bench.ts'
import { median } from '../measure.ts'
import { below, type Figure, type Row } from '../row.ts'
import { type Server, startFloorServer, startServer } from '../server.ts'
import type { Sizes } from '../sizes.ts'

const starts = 5

/** The median time of some starts, the first of which is not counted. */
async function bootTime(start: () => Promise<Server>, of?: string): Promise<Figure> {
  const times: number[] = []
  for (let number = 0; number <= starts; number++) {
    const server = await start()
    await server.stop()
    if (number > 0) times.push(server.boot_ms)
  }
  return { value: median(times) / 1000, unit: 's', of }
}

async function bareServer(bench: Bench): Promise<Figure> {
  return bootTime(async () => {
    const folder = bench.newFolder('bare')
    await mkdir(folder)
    return startFloorServer(folder)
  }, 'bare Fastify, one look-up')
}

async function emptyData(bench: Bench): Promise<string> {
  const data = bench.newFolder('empty')
  await mkdir(data)
  return data
}

export function bootRows({ projects }: Sizes): Row[] {
  const many = projects[1] ?? 10_000
  return [
    {
      name: 'boot, empty data',
      goal: below(1, 's'),
      async measure(bench) {
        const floor = await bareServer(bench)
        const ours = await bootTime(async () => startServer({ data: await emptyData(bench) }))
        return { floor, ours, note: 'each makes its database; medians of 5' }
      },
    },
    {
      name: 'boot, empty data, nothing compiled yet',
      goal: below(1, 's'),
      async measure(bench) {
        const floor = await bareServer(bench)
        const ours = await bootTime(async () => {
          const env = { NODE_COMPILE_CACHE: bench.newFolder('compiled') }
          return startServer({ data: await emptyData(bench), env })
        })
        return { floor, ours, note: 'as at the first start on a machine; medians of 5' }
      },
    },
    {
      name: `boot, ${many} projects`,
      goal: below(1, 's'),
      async measure(bench) {
        const { data } = await bench.massSite(many)
        const floor = await bareServer(bench)
        return { floor, ours: await bootTime(() => startServer({ data })), note: 'medians of 5' }
      },
    },
  ]
}
