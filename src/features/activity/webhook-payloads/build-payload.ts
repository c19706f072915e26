import type { Instance } from '../../../http/endpoint.ts'
import { buildDeploymentPayload, buildJobPayload, buildPipelinePayload } from './ci-payload.ts'
import type { WebhookKind } from './hook-event.ts'
import { buildIssuablePayload, buildNotePayload } from './issuable-payload.ts'
import { buildPushPayload, buildRepositoryUpdatePayload } from './push-payload.ts'
import { buildReleasePayload } from './release-payload.ts'
import type { WebhookSubject } from './webhook-subject.ts'
import { buildWikiPagePayload } from './wiki-payload.ts'

/** Returns the body of a webhook request; undefined if its object was deleted. */
export async function buildWebhookPayload(
  uses: Instance,
  about: WebhookSubject,
  kind: WebhookKind,
): Promise<object | undefined> {
  switch (about.kind) {
    case 'push':
      return buildPushPayload(uses, about, { isSystem: kind === 'system' })
    case 'repository_update':
      return buildRepositoryUpdatePayload(uses, about)
    case 'pipeline':
      return buildPipelinePayload(uses, about)
    case 'job':
      return buildJobPayload(uses, about)
    case 'deployment':
      return buildDeploymentPayload(uses, about)
    case 'issuable':
      return buildIssuablePayload(uses, about)
    case 'note':
      return buildNotePayload(uses, about)
    case 'release':
      return buildReleasePayload(uses, about)
    case 'wiki_page':
      return buildWikiPagePayload(uses, about)
    case 'body':
      return about.body
  }
}
