// Configurations and what becomes of them. Each case is a `.yml` and a `.json` of the same name: the event
// and the files it may include, and then what is planned or what is wrong. `UPDATE=1` rewrites the latter.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { planPipeline } from './plan-pipeline.ts'
import type { Include, PipelineEvent, PlannedJob, PlanResult } from './planned.ts'

const folder = join(import.meta.dirname, 'cases')

type Given = {
  /** Of the event; a push to `main` is what is not said. */
  event?: Partial<PipelineEvent>
  /** What may be included, by the text `nameOf` gives it. */
  files?: Record<string, string>
  /** Paths of the repository beside the local files. */
  paths?: string[]
  /** Paths that changed; nothing is known where they are left out. */
  changes?: string[]
  /** Whether the merged configuration is part of what is expected. */
  isMergedShown?: boolean
}
type Expected = ReturnType<typeof summarize>

function nameOf(file: Include): string {
  if (file.kind === 'local') return file.path
  if (file.kind === 'project') return `${file.project}@${file.ref ?? ''}:${file.path}`
  if (file.kind === 'template') return `template:${file.name}`
  return file.kind === 'remote' ? file.url : `${file.job}:${file.path}`
}

async function plan(text: string, { event, files = {}, paths = [], changes }: Given) {
  const source = event?.source ?? 'push'
  const ref = event?.ref ?? 'main'
  const isTag = event?.tag ?? false
  const isMergeRequest = source === 'merge_request_event'
  const predefined = {
    CI_PIPELINE_SOURCE: source,
    CI_COMMIT_REF_NAME: ref,
    CI_DEFAULT_BRANCH: 'main',
    ...(isTag ? { CI_COMMIT_TAG: ref } : isMergeRequest ? {} : { CI_COMMIT_BRANCH: ref }),
    ...event?.predefined,
  }
  const asked = { project_path: 'group/project', given: {}, ...event, source, ref, tag: isTag }
  return planPipeline({
    text,
    path: '.gitlab-ci.yml',
    event: { ...asked, predefined },
    files: {
      async read(file) {
        const found = files[nameOf(file)]
        return found === undefined
          ? { problem: `Included file \`${nameOf(file)}\` does not exist!` }
          : { text: found }
      },
      async listPaths() {
        return [...Object.keys(files).filter((name) => !name.includes(':')), ...paths]
      },
      async listChanges() {
        return changes
      },
    },
  })
}

/** What a reader of a case looks for: of each job what is not as usual. */
function summarize(result: PlanResult, isMergedShown: boolean) {
  const told = result.diagnostics.map(({ severity, text, file, line, column }) => {
    const place = line === undefined ? '' : `${file}:${line}:${column} `
    return { severity, text: `${place}${text}` }
  })
  const texts = (wanted: string) =>
    told.filter(({ severity }) => severity === wanted).map(({ text }) => text)
  const { plan } = result
  const some = (list: string[]) => (list.length > 0 ? list : undefined)
  return {
    errors: some(texts('error')),
    warnings: some(texts('warning')),
    refusal: result.refusal,
    merged: isMergedShown ? result.merged_yaml : undefined,
    includes: some([...new Set(result.includes.map(nameOf))]),
    plan: plan && {
      name: plan.name,
      stages: plan.stages.join(' '),
      auto_cancel: plan.auto_cancel,
      jobs: plan.jobs.map(summarizeJob),
    },
  }
}

function summarizeJob(job: PlannedJob) {
  const { needs, variables, tags, options, ...rest } = job
  const usual = { kind: 'build', when: 'on_success', allow_failure: false, interruptible: false }
  const unusual = Object.entries(rest).filter(
    ([key, value]) => value !== (usual as Record<string, unknown>)[key],
  )
  return {
    ...Object.fromEntries(unusual),
    needs: needs?.map(
      ({ name, artifacts, optional }) =>
        `${name}${artifacts ? '' : ' without artifacts'}${optional ? ' if there' : ''}`,
    ),
    variables:
      variables.length > 0
        ? variables.map(({ key, value, raw }) => `${key}=${value}${raw ? ' (raw)' : ''}`)
        : undefined,
    tags: tags.length > 0 ? tags : undefined,
    ...options,
  }
}

async function check(name: string): Promise<void> {
  const path = join(folder, `${name}.json`)
  const text = readFileSync(join(folder, `${name}.yml`), 'utf8')
  const { given, expected } = JSON.parse(readFileSync(path, 'utf8')) as {
    given: Given
    expected: Expected
  }
  const result = await plan(text, given)
  const found = summarize(result, given.isMergedShown ?? false)
  const plain = JSON.parse(JSON.stringify(found)) as Expected
  if (process.env.UPDATE) {
    writeFileSync(path, `${JSON.stringify({ given, expected: plain }, undefined, 2)}\n`)
  } else expect(plain).toEqual(expected)
  if (!result.plan) return
  // What it was merged into means the same.
  const again = await plan(result.merged_yaml ?? '', given)
  expect(again.plan).toEqual(result.plan)
}

const names = readdirSync(folder)
  .filter((file) => file.endsWith('.yml'))
  .map((file) => file.slice(0, -'.yml'.length))
  .sort()

describe('a configuration', () => {
  it('has a case for each of many things', () => {
    expect(names.length).toBeGreaterThanOrEqual(150)
  })

  it.each(names)('is planned or refused as %s says', check)
})
