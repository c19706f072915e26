import type { Instance } from '../../../http/endpoint.ts'
import { deploymentPayload, jobPayload, pipelinePayload } from './ci-payload.ts'
import type { WebhookKind } from './hook-event.ts'
import { issuablePayload, notePayload } from './issuable-payload.ts'
import { pushPayload, repositoryUpdatePayload } from './push-payload.ts'
import { releasePayload } from './release-payload.ts'
import type { WebhookSubject } from './webhook-subject.ts'
import { wikiPagePayload } from './wiki-payload.ts'

/** The body of a call, or undefined where what it is about is gone. */
export async function buildPayload(
  uses: Instance,
  about: WebhookSubject,
  kind: WebhookKind,
): Promise<object | undefined> {
  switch (about.kind) {
    case 'push':
      return pushPayload(uses, about, { isSystem: kind === 'system' })
    case 'repository_update':
      return repositoryUpdatePayload(uses, about)
    case 'pipeline':
      return pipelinePayload(uses, about)
    case 'job':
      return jobPayload(uses, about)
    case 'deployment':
      return deploymentPayload(uses, about)
    case 'issuable':
      return issuablePayload(uses, about)
    case 'note':
      return notePayload(uses, about)
    case 'release':
      return releasePayload(uses, about)
    case 'wiki_page':
      return wikiPagePayload(uses, about)
    case 'body':
      return about.body
  }
}
