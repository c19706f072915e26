import { Type } from 'typebox'
import { endpointFactory } from '../../../http/endpoint.ts'
import { nonBlankText, oneOf, optionalBoolean } from '../../../http/schema.ts'
import { badParameters } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { mayCreatePipelines } from '../../../subjects/pipeline.ts'
import { projectLoader } from '../../../subjects/project.ts'
import { ShownPipelineJson, showPipeline } from '../pipelines/show-pipeline.ts'
import { createPipeline } from './create-pipeline.ts'
import type { PipelineVariable } from './pipeline-request.ts'

const endpoint = endpointFactory({ tag: 'Pipelines', on: projectLoader })

const variableInput = Type.Object({
  key: nonBlankText(),
  value: Type.String(),
  variable_type: Type.Optional(oneOf(['env_var', 'file'])),
  raw: optionalBoolean,
})

/** Returns the variables of a request, each key once. */
function readVariables(
  given: readonly {
    key: string
    value: string
    variable_type?: 'env_var' | 'file'
    raw?: boolean
  }[],
): PipelineVariable[] {
  if (given.length > limits.pipelines.pipeline_variables_max) {
    throw badParameters(['variables is invalid'])
  }
  const variables = new Map<string, PipelineVariable>()
  for (const { key, value, variable_type = 'env_var', raw } of given) {
    if (!/^[A-Za-z0-9_]{1,255}$/.test(key) || value.length > limits.variable_characters) {
      throw badParameters(['variables is invalid'])
    }
    variables.set(key, { key, value, variable_type, raw })
  }
  return [...variables.values()]
}

export const pipelineCreationEndpoints = [
  endpoint({
    route: 'POST /projects/:id/pipeline',
    summary: 'Start a pipeline',
    allow: mayCreatePipelines,
    // The configuration is read and planned first; createPipeline opens the transaction.
    transaction: 'none',
    input: Type.Object({
      ref: nonBlankText(),
      variables: Type.Optional(Type.Array(variableInput)),
    }),
    status: 201,
    answer: ShownPipelineJson,
    async run(context) {
      const { subject: project, input, user, actor } = context
      const pipeline = await createPipeline(context, {
        project,
        ref: input.ref,
        // A caller with a browser session starts the pipeline from a page, as in the real product. Programs
        // send a token.
        source: actor.session ? 'web' : 'api',
        user,
        variables: readVariables(input.variables ?? []),
      })
      return showPipeline(context, project, pipeline)
    },
  }),
]
