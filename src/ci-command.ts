// `bloomery ci lint|plan <file>`: checks a configuration and plans its pipeline, without a server.
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { planPipeline } from './ci/plan-pipeline.ts'
import {
  type ConfigFiles,
  type Diagnostic,
  type Include,
  type PipelineEvent,
  type PipelineSource,
  type Plan,
  type PlannedJob,
  pipelineSources,
} from './ci/planned.ts'
import { findCiTemplateUrl } from './ci/templates.ts'

const usage = `Usage: bloomery ci lint|plan <file> [--ref NAME] [--source SOURCE] [--var KEY=VALUE]...

  lint  prints the errors and warnings of a configuration
  plan  also prints the jobs of the pipeline it creates

  --ref     branch of the pipeline (default: main), or refs/tags/NAME for a tag
  --source  source of the pipeline (default: push)
  --var     sets a variable of the pipeline
`

type Asked = { command: 'lint' | 'plan'; path: string; event: PipelineEvent }

/** Runs the command in the root folder of the repository, and returns its exit status. */
export async function runCiCommand(
  args: readonly string[],
  root: string,
  write: (text: string) => void,
): Promise<number> {
  const asked = readArguments(args)
  if (!asked) {
    write(usage)
    return 2
  }
  const { command, path, event } = asked
  const text = await readIfThere(resolve(root, path))
  if (text === undefined) {
    write(`${path} does not exist\n`)
    return 1
  }
  const result = await planPipeline({ text, path, event, files: filesIn(root) })
  for (const diagnostic of result.diagnostics) write(`${lineOf(diagnostic, path)}\n`)
  if (result.diagnostics.some(({ severity }) => severity === 'error')) return 1
  if (command === 'lint') write(`${path} is valid: ${result.jobs.length} jobs\n`)
  else if (result.plan) write(tableOf(result.plan))
  else write(`No pipeline: ${reasons[result.refusal ?? 'no-jobs']}\n`)
  return 0
}

const reasons = {
  workflow: 'the workflow rules exclude it.',
  'no-jobs': 'the rules exclude all jobs, or all but those in .pre and .post.',
}

function readArguments(args: readonly string[]): Asked | undefined {
  const { values, positionals } = parseOptions(args) ?? {}
  const [command, path, ...others] = positionals ?? []
  const source = pipelineSources.find((known) => known === (values?.source ?? 'push'))
  if ((command !== 'lint' && command !== 'plan') || !path || others.length > 0 || !source) {
    return undefined
  }
  const given = (values?.var ?? []).map((pair) => {
    const [key = '', ...rest] = pair.split('=')
    return [key, rest.join('=')]
  })
  const event = makeEvent(values?.ref ?? 'main', source, Object.fromEntries(given))
  return { command, path, event }
}

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ref: { type: 'string' },
        source: { type: 'string' },
        var: { type: 'string', multiple: true },
      },
    })
  } catch {
    // Unknown option, or a missing value: the usage shows both.
    return undefined
  }
}

const tags = 'refs/tags/'

function makeEvent(
  written: string,
  source: PipelineSource,
  given: Record<string, string>,
): PipelineEvent {
  const tag = written.startsWith(tags)
  const ref = tag ? written.slice(tags.length) : written
  const isOfBranch = !tag && source !== 'merge_request_event'
  const predefined = {
    CI: 'true',
    CI_PIPELINE_SOURCE: source,
    CI_DEFAULT_BRANCH: 'main',
    CI_COMMIT_REF_NAME: ref,
    ...(tag && { CI_COMMIT_TAG: ref }),
    ...(isOfBranch && { CI_COMMIT_BRANCH: ref }),
  }
  return { source, ref, tag, project_path: '', predefined, given }
}

/** Reads local files from the folder. Only a server can read other includes. */
function filesIn(root: string): ConfigFiles {
  return {
    async read(file) {
      const place = placeOf(file, root)
      if (place === undefined) return { problem: `${nameOf(file)} can only be read by a server` }
      const text = await readIfThere(place)
      return text === undefined ? { problem: `${nameOf(file)} does not exist!` } : { text }
    },
    async listPaths() {
      const entries = await readdir(root, { recursive: true, withFileTypes: true })
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
        .filter((path) => !path.startsWith('.git/'))
    },
    async listChanges() {
      return undefined
    },
  }
}

function placeOf(file: Include, root: string): string | URL | undefined {
  if (file.kind === 'template') return findCiTemplateUrl(file.name)
  if (file.kind !== 'local') return undefined
  const place = resolve(root, file.path)
  return place.startsWith(resolve(root) + sep) ? place : undefined
}

function nameOf(file: Include): string {
  if (file.kind === 'local') return `Local file \`${file.path}\``
  if (file.kind === 'template') return `Template file \`${file.name}\``
  if (file.kind === 'remote') return `Remote file \`${file.url}\``
  return `File \`${file.path}\``
}

async function readIfThere(place: string | URL): Promise<string | undefined> {
  try {
    return await readFile(place, 'utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR') return undefined
    throw error
  }
}

function lineOf({ severity, text, file, line, column }: Diagnostic, path: string): string {
  return `${file ?? path}:${line ?? 1}:${column ?? 1} ${severity} ${text}`
}

function tableOf({ name, stages, jobs }: Plan): string {
  const inOrder = stages.flatMap((stage) => jobs.filter((job) => job.stage === stage))
  const rows = inOrder.map((job) => [job.stage, job.name, whenOf(job), needsOf(job)])
  const all = [['STAGE', 'JOB', 'WHEN', 'NEEDS'], ...rows]
  const widths = [0, 1, 2].map((at) => Math.max(...all.map((row) => row[at]?.length ?? 0)))
  const lines = all.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return `${name ? `${name}\n\n` : ''}${lines.join('\n')}\n`
}

function whenOf({ when, start_in_s, allow_failure, kind }: PlannedJob): string {
  const delay = start_in_s === undefined ? '' : ` after ${start_in_s} s`
  return `${when}${delay}${allow_failure ? ', may fail' : ''}${kind === 'bridge' ? ', triggers' : ''}`
}

function needsOf({ needs }: PlannedJob): string {
  if (!needs) return 'previous stages'
  return needs.map(({ name }) => name).join(', ') || 'none'
}
