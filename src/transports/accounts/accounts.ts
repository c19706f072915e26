// The pages that links in emails lead to, for whoever has nothing but a browser. Looking at one does
// nothing, for programs that check mail follow links; pressing its button does what the API does.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { confirmEmail } from '../../features/people/confirmations/confirm-email.ts'
import { resetPassword } from '../../features/people/sign-in/reset-password.ts'
import type { Instance } from '../../http/endpoint.ts'
import type { RateLimiter } from '../../http/rate-limit.ts'
import { parseForm } from '../../http/raw-parameters.ts'
import { ApiError } from '../../kernel/errors.ts'
import { escapeHtml } from '../../kernel/html.ts'
import { ownValue } from '../../kernel/own-value.ts'
import { sendPage } from '../plain-pages/plain-page.ts'
import { mountSignIn } from './sign-in.ts'

const body_bytes_max = 16 * 1024

/** Serves `/users/password/edit`, `/users/confirmation` and `/users/sign_in`, where the real product has them. */
export function mountAccounts(
  app: FastifyInstance,
  services: Pick<Instance, 'db' | 'clock' | 'config' | 'secretKey'> & { rateLimiter: RateLimiter },
): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'string', bodyLimit: body_bytes_max },
    async (_request: FastifyRequest, body: string | Buffer) => parseForm(String(body)),
  )
  const resetPath = '/users/password/edit'
  app.get(resetPath, async (request, reply) => {
    const token = queried(request, 'reset_password_token')
    return token === '' ? sendDeadLink(reply) : sendPasswordForm(reply, 200, { token })
  })
  app.post(resetPath, (request, reply) => reset(services, request, reply))
  const confirmationPath = '/users/confirmation'
  app.get(confirmationPath, async (request, reply) => {
    const token = queried(request, 'confirmation_token')
    return token === '' ? sendDeadLink(reply) : sendConfirmationForm(reply, token)
  })
  app.post(confirmationPath, (request, reply) => confirm(services, request, reply))
  mountSignIn(app, services, { queried, posted })
}

function queried({ raw: { url = '' } }: FastifyRequest, name: string): string {
  return URL.parse(url, 'http://localhost')?.searchParams.get(name) ?? ''
}

function posted({ body }: FastifyRequest, name: string): string {
  const value = ownValue((body ?? {}) as Record<string, unknown>, name)
  return typeof value === 'string' ? value : ''
}

async function reset(
  services: Pick<Instance, 'db' | 'clock' | 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const token = posted(request, 'reset_password_token')
  try {
    const given = { token, password: posted(request, 'password') }
    await resetPassword({ ...services, request }, given)
  } catch (error) {
    const problem = problemOf(error).password?.[0]
    return problem === undefined
      ? sendDeadLink(reply)
      : sendPasswordForm(reply, 400, { token, problem: `The password ${problem}.` })
  }
  return sendPage(reply, 200, {
    title: 'Your password was set',
    content:
      '<p>You can now <a href="../sign_in">sign in</a>. All your other sessions were signed out.</p>',
  })
}

async function confirm(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const token = posted(request, 'confirmation_token')
  try {
    await db.transaction().execute((tx) => confirmEmail(tx, clock, token))
  } catch (error) {
    problemOf(error)
    return sendDeadLink(reply)
  }
  return sendPage(reply, 200, {
    title: 'Your email address was confirmed',
    content: '<p>This address now belongs to your account.</p>',
  })
}

/** What is wrong, by field; a fault is thrown on. */
function problemOf(error: unknown): Record<string, string[] | undefined> {
  if (!(error instanceof ApiError) || error.kind !== 'invalid') throw error
  return typeof error.detail === 'object' && !Array.isArray(error.detail) ? error.detail : {}
}

/** Forms go to their own address without its query, wherever a proxy has put it. */
function sendPasswordForm(
  reply: FastifyReply,
  status: number,
  { token, problem }: { token: string; problem?: string },
): FastifyReply {
  const alert = problem === undefined ? '' : `<p role="alert">${escapeHtml(problem)}</p>`
  return sendPage(reply, status, {
    title: 'Set a new password',
    content: `${alert}
<form method="post" action="edit">
<input type="hidden" name="reset_password_token" value="${escapeHtml(token)}">
<label>New password (at least 8 characters)
<input type="password" name="password" autocomplete="new-password" minlength="8" maxlength="128" required autofocus></label>
<button>Set password</button>
</form>`,
  })
}

function sendConfirmationForm(reply: FastifyReply, token: string): FastifyReply {
  return sendPage(reply, 200, {
    title: 'Confirm your email address',
    content: `<form method="post" action="confirmation">
<input type="hidden" name="confirmation_token" value="${escapeHtml(token)}">
<button autofocus>Confirm email address</button>
</form>`,
  })
}

function sendDeadLink(reply: FastifyReply): FastifyReply {
  return sendPage(reply, 400, {
    title: 'This link is no longer valid',
    content:
      '<p>It was already used, has expired, or was replaced by a newer link. Request a new one.</p>',
  })
}
