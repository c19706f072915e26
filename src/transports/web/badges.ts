// Badges with the status of a branch or tag, for readmes (docs/api/ci.md, "Badges").

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../../access/actor.ts'
import { findPipelineStatusForBadge } from '../../features/delivery/jobs/job.ts'
import type { Instance } from '../../http/endpoint.ts'
import { queryStringOf } from '../../http/raw-parameters.ts'
import { unknownRoute } from '../../kernel/errors.ts'
import { escapeHtml } from '../../kernel/html.ts'
import { mayReadPipelines } from '../../subjects/pipeline.ts'
import { findVisibleProject } from '../../subjects/project.ts'

type Asked = {
  project: string
  ref: string
  picture: 'pipeline' | 'coverage'
  actor: Actor
  request: FastifyRequest
  reply: FastifyReply
}

const colours: ReadonlyMap<string, string> = new Map([
  ['success', '#4c1'],
  ['failed', '#e05d44'],
  ['running', '#dfb317'],
  ['pending', '#dfb317'],
])
const unknownColour = '#9f9f9f'
const text_characters_max = 64

/** Sends a badge. A project that nobody may see counts as missing; without access to pipelines the badge says `unknown`. */
export async function sendBadge(
  { db }: Pick<Instance, 'db'>,
  { project: path, ref, picture, actor, request, reply }: Asked,
): Promise<FastifyReply> {
  const found = await findVisibleProject(db, actor, { path })
  if (!found) throw unknownRoute()
  const query = new URLSearchParams(queryStringOf(request.raw.url ?? ''))
  const mayRead = mayReadPipelines({ subject: found.project, level: found.level, actor })
  const facts = mayRead
    ? await findPipelineStatusForBadge(db, {
        project_id: found.project.id,
        ref,
        job: query.get('job') ?? undefined,
      })
    : undefined
  const label = (query.get('key_text') || picture).slice(0, text_characters_max)
  const { value, colour } =
    picture === 'pipeline' ? statusOf(facts?.status) : coverageOf(facts?.coverage)
  return reply
    .headers({
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': 'no-cache, no-store, must-revalidate',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    })
    .send(drawBadge({ label, value, colour }))
}

function statusOf(status: string | undefined): { value: string; colour: string } {
  const colour = colours.get(status ?? '') ?? unknownColour
  return { value: status === 'success' ? 'passed' : (status ?? 'unknown'), colour }
}

function coverageOf(coverage: number | null | undefined): { value: string; colour: string } {
  if (coverage === null || coverage === undefined)
    return { value: 'unknown', colour: unknownColour }
  const colour =
    coverage >= 95 ? '#4c1' : coverage >= 90 ? '#a3c51c' : coverage >= 75 ? '#dfb317' : '#e05d44'
  return { value: `${coverage.toFixed(2)}%`, colour }
}

/** Estimates the width of a text in pixels, since the picture embeds no font. */
const widthOf = (text: string) => 10 + [...text].length * 7

function drawBadge({
  label,
  value,
  colour,
}: {
  label: string
  value: string
  colour: string
}): string {
  const [left, right] = [widthOf(label), widthOf(value)]
  const texts = [escapeHtml(label), escapeHtml(value)]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${texts.join(': ')}">
<title>${texts.join(': ')}</title>
<rect width="${left}" height="20" fill="#555"/>
<rect x="${left}" width="${right}" height="20" fill="${colour}"/>
<g fill="#fff" text-anchor="middle" font-family="DejaVu Sans,Verdana,sans-serif" font-size="11">
<text x="${left / 2}" y="14">${texts[0]}</text>
<text x="${left + right / 2}" y="14">${texts[1]}</text>
</g>
</svg>
`
}
