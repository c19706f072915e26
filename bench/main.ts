// `npm run bench [-- [--quick] [--twice] [--profile=<folder>] [<filter>...]]`: measures the rows whose
// name contains one of the filters and prints them beside the floor taken in the same run.
import { cpus, totalmem } from 'node:os'
import { Bench } from './bench.ts'
import { runGit } from './machine.ts'
import { administrationRows } from './rows/administration.ts'
import { alertRows } from './rows/alerts.ts'
import { artifactRows } from './rows/artifacts.ts'
import { backupRows } from './rows/backups.ts'
import { bootRows } from './rows/boots.ts'
import { commitRows } from './rows/commits.ts'
import { dependencyRows } from './rows/dependencies.ts'
import { eventStreamRows } from './rows/event-streams.ts'
import { historyRows } from './rows/history.ts'
import { hookRows } from './rows/hooks.ts'
import { issueRows } from './rows/issues.ts'
import { largeRows } from './rows/large.ts'
import { largeRecordRows } from './rows/large-records.ts'
import { listRows } from './rows/lists.ts'
import { logRows } from './rows/logs.ts'
import { memoryRows } from './rows/memory.ts'
import { mergeRows } from './rows/merges.ts'
import { pagesRows } from './rows/pages.ts'
import { pipelineRows } from './rows/pipelines.ts'
import { projectRows } from './rows/projects.ts'
import { quickSearchRows } from './rows/quick-search.ts'
import { readRows } from './rows/reads.ts'
import { scheduleRows } from './rows/schedules.ts'
import { signatureRows } from './rows/signatures.ts'
import { spawnRows } from './rows/spawns.ts'
import { storageMoveRows } from './rows/storage-moves.ts'
import { taskRows } from './rows/tasks.ts'
import { transferRows } from './rows/transfers.ts'
import { userRows } from './rows/users.ts'
import { vulnerabilityRows } from './rows/vulnerabilities.ts'
import { vulnerabilityExportRows } from './rows/vulnerability-exports.ts'
import { webRows } from './rows/web.ts'
import { webWorkRows } from './rows/web-work.ts'
import { wikiRows } from './rows/wikis.ts'
import { workerRows } from './rows/workers.ts'
import { writeRows } from './rows/writes.ts'
import { sizesOf } from './sizes.ts'
import { formatLine, formatTable, type Line } from './table.ts'

const args = process.argv.slice(2)
const isQuick = args.includes('--quick')
const times = args.includes('--twice') ? 2 : 1
const profile = args.find((arg) => arg.startsWith('--profile='))?.slice('--profile='.length)
const filters = args.filter((arg) => !arg.startsWith('--'))

const sizes = sizesOf({ isQuick })
const rows = [
  ...readRows(sizes),
  ...commitRows(sizes),
  ...writeRows,
  ...mergeRows(sizes),
  ...historyRows(sizes),
  ...signatureRows(sizes),
  ...listRows(sizes),
  ...projectRows(sizes),
  ...userRows(sizes),
  ...quickSearchRows(sizes),
  ...transferRows(sizes),
  ...bootRows(sizes),
  ...memoryRows(sizes),
  ...workerRows,
  ...spawnRows(sizes),
  ...taskRows(sizes),
  ...hookRows(sizes),
  ...issueRows(sizes),
  ...scheduleRows(sizes),
  ...pipelineRows(sizes),
  ...artifactRows(sizes),
  ...logRows(sizes),
  ...eventStreamRows,
  ...backupRows(sizes),
  ...pagesRows(sizes),
  ...administrationRows(sizes),
  ...dependencyRows(sizes),
  ...webRows(sizes),
  ...webWorkRows,
  ...wikiRows(sizes),
  ...storageMoveRows(sizes),
  ...vulnerabilityRows(sizes),
  ...vulnerabilityExportRows(sizes),
  ...alertRows(sizes),
  // The suite of real size takes half an hour, so it runs only when it is asked for.
  ...(filters.some((text) => text.startsWith('large'))
    ? [...largeRows(sizes), ...largeRecordRows(sizes)]
    : []),
].filter(({ name }) => filters.length === 0 || filters.some((text) => name.includes(text)))

const bench = new Bench(sizes, profile)
const lines: Line[] = []
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => void bench.close().finally(() => process.exit(1)))
}
try {
  for (const row of rows) {
    for (let time = 0; time < times; time++) {
      const line = await measured(row)
      lines.push(line)
      process.stderr.write(`${formatLine(line)}\n`)
    }
  }
} finally {
  await bench.close()
}
const version = (await runGit(['version'])).trim()
const memory_gb = Math.round(totalmem() / 1024 ** 3)
console.log(
  `\n${cpus().length} x ${cpus()[0]?.model}, ${memory_gb} GB, Node ${process.version}, ${version}`,
)
console.log(`${formatTable(lines)}\n`)

async function measured(row: (typeof rows)[number]): Promise<Line> {
  try {
    return { row, measured: await row.measure(bench) }
  } catch (error) {
    process.exitCode = 1
    return { row, measured: undefined, problem: (error as Error).message.split('\n', 1)[0] }
  }
}
