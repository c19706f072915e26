// Error responses of OAuth (RFC 6749, section 5.2), with the messages that clients know.
import { ApiError } from '../../../kernel/errors.ts'

const known = {
  invalid_request: {
    status: 400,
    text: 'The request is missing a required parameter, includes an unsupported parameter value, or is otherwise malformed.',
  },
  invalid_client: {
    status: 401,
    text: 'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
  },
  invalid_grant: {
    status: 400,
    text: 'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
  },
  invalid_scope: {
    status: 400,
    text: 'The requested scope is invalid, unknown, or malformed.',
  },
  unauthorized_client: {
    status: 401,
    text: 'The client is not authorized to perform this request using this method.',
  },
  unsupported_grant_type: {
    status: 400,
    text: 'The authorization grant type is not supported by the authorization server.',
  },
  unsupported_response_type: {
    status: 400,
    text: 'The authorization server does not support this response type.',
  },
  access_denied: {
    status: 400,
    text: 'The resource owner or authorization server denied the request.',
  },
  login_required: {
    status: 400,
    text: 'The authorization server requires end-user authentication',
  },
  consent_required: { status: 400, text: 'The authorization server requires end-user consent' },
  request_not_supported: { status: 400, text: 'The request parameter is not supported' },
  authorization_pending: {
    status: 400,
    text: 'The authorization request is still pending as the end user has not yet completed the user interaction steps.',
  },
  slow_down: {
    status: 400,
    text: 'The authorization request is still pending and polling should continue, but the interval must be increased.',
  },
  expired_token: { status: 400, text: 'The device code has expired.' },
} as const

export type OauthErrorName = keyof typeof known

/** An expected refusal; `text` is for developers of clients. */
export class OauthError extends Error {
  readonly error: OauthErrorName
  readonly text: string
  readonly status: number

  constructor(error: OauthErrorName, { text, status }: { text?: string; status?: number } = {}) {
    super(error)
    this.name = 'OauthError'
    this.error = error
    this.text = text ?? known[error].text
    this.status = status ?? known[error].status
  }

  get body(): { error: string; error_description: string } {
    return { error: this.error, error_description: this.text }
  }
}

/** 400 `invalid_request`: a parameter is missing. */
export function missingParameter(name: string): OauthError {
  return new OauthError('invalid_request', { text: `Missing required parameter: ${name}.` })
}

/** Converts a failed sign-in to an error that tells the application no details. */
export function toInvalidGrantError(error: unknown): OauthError {
  const isRefusal =
    error instanceof ApiError && (error.kind === 'forbidden' || error.kind === 'unauthorized')
  if (!isRefusal) throw error
  return new OauthError('invalid_grant')
}
