// Validates a pipeline configuration before it is pushed (docs/api/ci.md, "Lint").
import { type Static, Type } from 'typebox'
import type { Actor } from '../../../access/actor.ts'
import type { PlanRequest } from '../../../ci/plan-pipeline.ts'
import type { ConfigFiles, Diagnostic, PlanResult } from '../../../ci/planned.ts'
import { emptyTreeOid, zeroOid } from '../../../git/names.ts'
import type { Commit } from '../../../git/objects.ts'
import { hasBranches, resolveCommit } from '../../../git/refs.ts'
import {
  endpoint as endpointAnywhere,
  endpointFactory,
  type Instance,
} from '../../../http/endpoint.ts'
import {
  namedObject,
  nullableInteger,
  nullableText,
  optionalBoolean,
  optionalText,
} from '../../../http/schema.ts'
import { badParameters, notFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { mayCreatePipelines } from '../../../subjects/pipeline.ts'
import {
  mayDownloadCode,
  type Project,
  projectLoader,
  projectRepository,
} from '../../../subjects/project.ts'
import { createConfigFileReader, readConfigFileAt } from '../pipeline-creation/config-files.ts'
import { getCiSettings } from '../pipelines/pipeline.ts'
import { buildPredefinedVariables } from '../pipelines/pipeline-variables.ts'
import { collectCiVariables } from '../variables/collect-variables.ts'

const tag = 'CI lint'
const endpoint = endpointFactory({ tag, on: projectLoader })

const JobJson = namedObject('LintedJob', {
  name: Type.String(),
  stage: Type.String(),
  before_script: Type.Array(Type.String()),
  script: Type.Array(Type.String()),
  after_script: Type.Array(Type.String()),
  tag_list: Type.Array(Type.String()),
  only: Type.Unknown(),
  except: Type.Unknown(),
  environment: nullableText,
  when: Type.String(),
  allow_failure: Type.Boolean(),
  needs: Type.Unknown(),
})
const DiagnosticJson = namedObject('LintDiagnostic', {
  severity: Type.String(),
  text: Type.String(),
  file: nullableText,
  line: nullableInteger,
  column: nullableInteger,
})
const VariableJson = namedObject('LintedVariable', {
  key: Type.String(),
  value: Type.String(),
  description: nullableText,
  options: Type.Array(Type.String()),
})
const LintJson = namedObject('LintResult', {
  valid: Type.Boolean(),
  errors: Type.Array(Type.String()),
  warnings: Type.Array(Type.String()),
  merged_yaml: nullableText,
  includes: Type.Array(Type.Unknown()),
  jobs: Type.Optional(Type.Array(JobJson)),
  diagnostics: Type.Array(DiagnosticJson),
  variables: Type.Array(VariableJson),
})

const optionsInput = {
  dry_run: optionalBoolean,
  include_jobs: optionalBoolean,
  ref: optionalText,
  sha: optionalText,
}

type Asked = { include_jobs?: boolean; dry_run?: boolean; ref?: string; sha?: string }

const textsOf = (diagnostics: readonly Diagnostic[], severity: Diagnostic['severity']) =>
  diagnostics.filter((one) => one.severity === severity).map(({ text }) => text)

function present(result: PlanResult, { include_jobs, dry_run }: Asked): Static<typeof LintJson> {
  const diagnostics = result.diagnostics.filter(({ isOfEvent }) => dry_run || !isOfEvent)
  const errors = textsOf(diagnostics, 'error')
  // A dry run plans a pipeline for an event, and the plan may contain no jobs.
  if (dry_run && errors.length === 0 && result.refusal) errors.push(refusals[result.refusal])
  return {
    valid: errors.length === 0,
    errors,
    warnings: textsOf(diagnostics, 'warning'),
    merged_yaml: result.merged_yaml ?? null,
    includes: result.includes,
    ...(include_jobs ? { jobs: result.jobs } : {}),
    diagnostics: diagnostics.map(({ severity, text, file, line, column }) => ({
      severity,
      text,
      file: file ?? null,
      line: line ?? null,
      column: column ?? null,
    })),
    variables: result.variables.map(({ key, value, description, options }) => ({
      key,
      value,
      description: description ?? null,
      options: options ?? [],
    })),
  }
}

const refusals = {
  'no-jobs':
    'Pipeline will not run for the selected trigger. The rules configuration prevented any jobs from being added to the pipeline.',
  workflow: 'Pipeline filtered out by workflow rules.',
}

type Uses = Pick<Instance, 'db' | 'git' | 'config' | 'secretKey'> & {
  actor: Actor
  baseUrl: string
}

/**
 * Replaces the missing commit of an empty project, so that a configuration can be checked before the first
 * push.
 */
const noSignature = { name: '', email: '', date: '' }
const noCommit: Commit = {
  oid: zeroOid,
  tree: emptyTreeOid,
  parents: [],
  author: noSignature,
  committer: noSignature,
  message: '',
}
/** The error of a dry run in a project without commits. */
const noReference: Diagnostic = {
  severity: 'error',
  text: 'Reference not found',
  isOfEvent: true,
}

/**
 * Plans a pipeline of the given text as a push to the reference would, or of the commit's file if no text is
 * given.
 */
async function plan(
  uses: Uses,
  project: Project,
  { text, ref, sha }: Asked & { text?: string },
): Promise<PlanResult> {
  const { db, git, config, actor, baseUrl } = uses
  const repository = projectRepository(config, project)
  const name = ref || project.default_branch || 'HEAD'
  const oid = await resolveCommit(git.objects, repository, sha || name)
  const found = oid && (await git.objects.commit(repository, oid))
  if (!found && (sha || hasBranches(repository))) throw notFound('Commit')
  const commit = found ?? noCommit
  const { ci_config_path } = await getCiSettings(db, project.id)
  const path = ci_config_path || '.gitlab-ci.yml'
  const read =
    text === undefined
      ? await readConfigFileAt(uses, { project, commit: commit.oid, path })
      : { text }
  const content = 'text' in read ? read.text : ''
  const user = actor.user
  const collected = await collectCiVariables(uses, {
    project,
    isProtected: false,
    environment: undefined,
  })
  const of = { project, actor, commit: commit.oid, before: undefined }
  const files = {
    ...createConfigFileReader(uses, of),
    ...(found ? {} : { listPaths: async () => [] }),
  }
  const result = await lintText(content, path, {
    files,
    event: {
      source: 'push',
      ref: name,
      tag: false,
      project_path: project.full_path,
      predefined: buildPredefinedVariables({
        project,
        baseUrl,
        pages: config.pages,
        source: 'push',
        ref: name,
        tag: false,
        isProtected: false,
        commit,
        before_sha: null,
        config_path: path,
        user,
      }),
      given: Object.fromEntries(collected.map(({ key, value }) => [key, value])),
    },
  })
  return found ? result : { ...result, diagnostics: [...result.diagnostics, noReference] }
}

async function lintText(
  text: string,
  path: string,
  request: Pick<PlanRequest, 'event' | 'files'>,
): Promise<PlanResult> {
  if (text.trim() !== '') {
    const { planPipeline } = await import('../../../ci/plan-pipeline.ts')
    return planPipeline({ text, path, ...request })
  }
  const problem = { severity: 'error' as const, text: 'Please provide content of .gitlab-ci.yml' }
  return {
    diagnostics: [problem],
    merged_yaml: undefined,
    includes: [],
    jobs: [],
    variables: [],
    plan: undefined,
    refusal: undefined,
  }
}

/** For a configuration without a project: no file can be included. */
const noFiles: ConfigFiles = {
  read: async (file) => ({
    problem:
      file.kind === 'local'
        ? `Local file \`${file.path}\` does not have project!`
        : 'Files can only be included with a project.',
  }),
  listPaths: async () => [],
  listChanges: async () => undefined,
}

export const lintEndpoints = [
  endpoint({
    route: 'GET /projects/:id/ci/lint',
    summary: "Check a project's pipeline configuration",
    signIn: 'always',
    allow: mayDownloadCode,
    input: Type.Object({ ...optionsInput }),
    answer: LintJson,
    async run(context) {
      const { subject: project, input } = context
      return present(await plan(context, project, input), input)
    },
  }),

  endpoint({
    route: 'POST /projects/:id/ci/lint',
    summary: 'Check a pipeline configuration as one of a project',
    allow: mayCreatePipelines,
    transaction: 'none',
    body_bytes_max: limits.ci.file_bytes * 2,
    input: Type.Object({ content: Type.String(), ...optionsInput }),
    answer: LintJson,
    async run(context) {
      const { subject: project, input } = context
      return present(await plan(context, project, { ...input, text: input.content }), input)
    },
  }),

  endpointAnywhere({
    route: 'POST /ci/lint',
    summary: 'Check a pipeline configuration',
    tag,
    allow: () => true,
    transaction: 'none',
    body_bytes_max: limits.ci.file_bytes * 2,
    input: Type.Object({
      content: Type.String(),
      include_merged_yaml: optionalBoolean,
      include_jobs: optionalBoolean,
    }),
    answer: Type.Object({
      status: Type.String(),
      errors: Type.Array(Type.String()),
      warnings: Type.Array(Type.String()),
      merged_yaml: Type.Optional(nullableText),
      jobs: Type.Optional(Type.Array(JobJson)),
    }),
    async run({ input }) {
      if (input.content === '') throw badParameters(['content is empty'])
      const event = {
        source: 'push' as const,
        ref: 'main',
        tag: false,
        project_path: '',
        predefined: { CI: 'true', CI_PIPELINE_SOURCE: 'push', CI_COMMIT_BRANCH: 'main' },
        given: {},
      }
      const result = await lintText(input.content, '.gitlab-ci.yml', { event, files: noFiles })
      const { valid, errors, warnings, merged_yaml, jobs } = present(result, input)
      return {
        status: valid ? 'valid' : 'invalid',
        errors,
        warnings,
        ...(input.include_merged_yaml ? { merged_yaml } : {}),
        ...(jobs ? { jobs } : {}),
      }
    },
  }),
]
