// Creates all refusals that a client can get; http/server.ts writes their bodies.

/** Messages by field name, as responses of model validation contain them. */
export type FieldErrors = Record<string, string[]>

/**
 * Formats messages as Ruby prints a hash (`{:path=>["is too long"]}`), for messages that contain one and that clients match.
 */
export function formatFieldErrors(problems: FieldErrors): string {
  const fields = Object.entries(problems).map(
    ([field, messages]) =>
      `:${field}=>[${messages.map((text) => JSON.stringify(text)).join(', ')}]`,
  )
  return `{${fields.join(', ')}}`
}

/** The HTTP status of each kind of refusal, and the key of the response body that holds its detail. */
export const refusalKinds = {
  'bad-parameters': { status: 400, key: 'error' },
  invalid: { status: 400, key: 'message' },
  unauthorized: { status: 401, key: 'message' },
  'invalid-token': { status: 401, key: 'error' },
  forbidden: { status: 403, key: 'message' },
  'insufficient-scope': { status: 403, key: 'error' },
  'limit-reached': { status: 403, key: 'error' },
  'not-found': { status: 404, key: 'message' },
  'unknown-route': { status: 404, key: 'error' },
  'method-not-allowed': { status: 405, key: 'error' },
  'moved-not-allowed': { status: 405, key: 'message' },
  'not-acceptable': { status: 406, key: 'message' },
  conflict: { status: 409, key: 'message' },
  gone: { status: 410, key: 'error' },
  'precondition-failed': { status: 412, key: 'message' },
  'too-large': { status: 413, key: 'message' },
  'url-too-long': { status: 414, key: 'message' },
  'unsupported-media-type': { status: 415, key: 'error' },
  unprocessable: { status: 422, key: 'message' },
  'unprocessable-parameter': { status: 422, key: 'error' },
  'too-many-requests': { status: 429, key: 'message' },
  unavailable: { status: 503, key: 'message' },
  'insufficient-storage': { status: 507, key: 'message' },
} as const

export type RefusalKind = keyof typeof refusalKinds

/**
 * An expected refusal. `detail` is sent to the client unchanged, so it must not contain anything that the client may not
 * know. `cause` is only logged.
 */
export class ApiError extends Error {
  readonly kind: RefusalKind
  readonly detail: string | string[] | FieldErrors
  /** Further members of the body, besides the detail. */
  readonly extra: Record<string, unknown>
  readonly headers: Record<string, string>

  constructor(
    kind: RefusalKind,
    detail: string | string[] | FieldErrors,
    options: {
      extra?: Record<string, unknown>
      headers?: Record<string, string>
      cause?: unknown
    } = {},
  ) {
    super(typeof detail === 'string' ? detail : JSON.stringify(detail), { cause: options.cause })
    this.name = 'ApiError'
    this.kind = kind
    this.detail = detail
    this.extra = options.extra ?? {}
    this.headers = options.headers ?? {}
  }

  get status(): number {
    return refusalKinds[this.kind].status
  }

  /** The JSON body of the response: parameter errors under `error`, everything else under `message`. */
  get body(): Record<string, unknown> {
    return { [refusalKinds[this.kind].key]: this.detail, ...this.extra }
  }
}

/** 401: credentials are missing or not known. */
export function unauthorized(): ApiError {
  return new ApiError('unauthorized', '401 Unauthorized')
}

/** 401: the password is correct, and a one-time or recovery code is needed too. */
export function otpRequired(): ApiError {
  return new ApiError('unauthorized', '401 Unauthorized', { extra: { error: 'otp_required' } })
}

const tokenProblems = {
  expired: 'Token is expired. You can either do re-authorization or token refresh.',
  revoked: 'Token was revoked. You have to re-authorize from the user.',
} as const

/** 401 in the OAuth format (RFC 6750, section 3): the token was revoked or has expired. */
export function invalidToken(problem: keyof typeof tokenProblems): ApiError {
  const description = tokenProblems[problem]
  return new ApiError('invalid-token', 'invalid_token', {
    extra: { error_description: description },
    headers: {
      'www-authenticate': `Bearer realm="Protected by OAuth 2.0", error="invalid_token", error_description="${description}"`,
    },
  })
}

/** 403 in the OAuth format: the token is valid, but none of its scopes covers the operation. */
export function insufficientScope(accepted: readonly string[]): ApiError {
  return new ApiError('insufficient-scope', 'insufficient_scope', {
    extra: {
      error_description:
        'The request requires higher privileges than provided by the access token.',
      scope: accepted.join(' '),
    },
  })
}

/** 403: the caller can see the object but may not do this to it. */
export function forbidden(reason?: string): ApiError {
  return new ApiError('forbidden', reason ? `403 Forbidden - ${reason}` : '403 Forbidden')
}

/** 403 with a list under `error`: a limit of the user is reached. */
export function limitReached(message: string): ApiError {
  return new ApiError('limit-reached', [message])
}

/** 404 `404 <noun> Not Found`: missing, or hidden from the caller. The two must be indistinguishable. */
export function notFound(noun?: string): ApiError {
  return new ApiError('not-found', noun ? `404 ${noun} Not Found` : '404 Not Found')
}

/** 404 with a lower-case "found": a record within an existing parent is missing (member, access token). */
export function recordNotFound(): ApiError {
  return new ApiError('not-found', '404 Not found')
}

/** 405: the state of the record does not allow this, such as merging a merged merge request. */
export function notAllowedInState(): ApiError {
  return new ApiError('moved-not-allowed', '405 Method Not Allowed')
}

/** 404 `Not Found` without the number, as for an invitation of a hidden group. */
export function notFoundWithoutCode(): ApiError {
  return new ApiError('not-found', 'Not Found')
}

/** 404 under `error`: there is no such route, or the operation is not in the instance's tier. */
export function unknownRoute(): ApiError {
  return new ApiError('unknown-route', '404 Not Found')
}

/** 410 for everything below `/api/v3`. */
export function apiVersionGone(): ApiError {
  return new ApiError('gone', 'API V3 is no longer supported. Use API V4 instead.')
}

/** 405: the path exists with other methods, which are in `allowed`. */
export function methodNotAllowed(allowed: readonly string[]): ApiError {
  return new ApiError('method-not-allowed', '405 Not Allowed', {
    headers: { allow: allowed.join(', ') },
  })
}

/** 405 for a write through a former path of a renamed or transferred object. */
export function writeToFormerPathNotAllowed(): ApiError {
  return new ApiError('moved-not-allowed', 'Non GET methods are not allowed for moved projects')
}

/** 405: the list has no keyset pagination in this order. */
export function keysetUnavailable(): ApiError {
  return new ApiError(
    'method-not-allowed',
    'Keyset pagination is not yet available for this type of request',
  )
}

/** 405: the list has a limit for page numbers (docs/api/conventions.md, "Pages"). */
export function offsetTooLarge(offset_max: number, type: string): ApiError {
  return new ApiError(
    'method-not-allowed',
    `Offset pagination has a maximum allowed offset of ${offset_max} for requests that return objects of type ${type}. Remaining records can be retrieved using keyset pagination.`,
  )
}

/** 400 under `error`: the problems of parameter validation, in the order of the declaration. */
export function badParameters(problems: readonly string[]): ApiError {
  return new ApiError('bad-parameters', problems.join(', '))
}

/** 400 `400 Bad request - <reason>`. */
export function badRequest(reason?: string): ApiError {
  return new ApiError('invalid', reason ? `400 Bad request - ${reason}` : '400 Bad request')
}

/** 400 under `message`: a sentence, or the messages of model validation by field. */
export function invalid(detail: string | FieldErrors): ApiError {
  return new ApiError('invalid', detail)
}

/** 400 `{"message":{"error":"..."}}`: the search needs an index over all projects. */
export function advancedSearchOnly(): ApiError {
  const error = 'Scope not supported without Elasticsearch!'
  return new ApiError('invalid', error, { extra: { message: { error } } })
}

/** 400: the body is not valid JSON although its type says so. */
export function malformedJson(): ApiError {
  return new ApiError(
    'bad-parameters',
    "Problem:\n  message body does not match declared format\nResolution:\n  when specifying application/json as content-type, you must pass valid application/json in the request's 'body' \n",
  )
}

/**
 * 404 with the text of a conflict: a change of a user takes a value that another user has (docs/api/users.md, "Taken
 * addresses and names").
 */
export function conflictAnsweredAsNotFound(message: string): ApiError {
  return new ApiError('not-found', message)
}

export const readOnlyText = 'The repository is temporarily read-only. Please try again later.'

/** 503: the repository is being moved to another storage. Reads still work. */
export function repositoryReadOnly(): ApiError {
  return new ApiError('unavailable', readOnlyText, { headers: { 'retry-after': '5' } })
}

/** Whether an error is the one of `repositoryReadOnly`. */
export function isReadOnlyError(error: unknown): error is ApiError {
  return error instanceof ApiError && error.detail === readOnlyText
}

/** Returns a 403 whose message is only the given sentence, without the "403" that others begin with. */
export function forbiddenWithMessage(message: string): ApiError {
  return new ApiError('forbidden', message)
}

export function conflict(detail: ApiError['detail']): ApiError {
  return new ApiError('conflict', detail)
}

export function unprocessable(detail: ApiError['detail']): ApiError {
  return new ApiError('unprocessable', detail)
}

/** Returns a 422 with the sentence under `error`: the value of a parameter cannot be used. */
export function unprocessableParameter(text: string): ApiError {
  return new ApiError('unprocessable-parameter', text)
}

/**
 * Returns the 429 `{"message":{"error":"..."}}` of an operation with its own rate limit. `headers` say when the limit
 * ends.
 */
export function tooManyRequests(text: string, headers: Record<string, string>): ApiError {
  return new ApiError('too-many-requests', text, { extra: { message: { error: text } }, headers })
}

export function preconditionFailed(): ApiError {
  return new ApiError('precondition-failed', '412 Precondition Failed')
}

export function tooLarge(): ApiError {
  return new ApiError('too-large', '413 Request Entity Too Large')
}

export function urlTooLong(): ApiError {
  return new ApiError('url-too-long', '414 URI Too Long')
}

export function unsupportedMediaType(type: string): ApiError {
  return new ApiError(
    'unsupported-media-type',
    `The provided content-type '${type}' is not supported.`,
  )
}

/** The value of `Retry-After` for temporary refusals: an estimate, since the duration of other requests is unknown. */
const retry_after_s = 5

/** 503: the server is too busy, or a wait took too long. */
export function unavailable(): ApiError {
  return new ApiError('unavailable', '503 Service Unavailable', {
    headers: { 'retry-after': String(retry_after_s) },
  })
}

/** 503: a program was stopped because the machine ran out of memory. */
export function outOfMemory(): ApiError {
  const text = '503 Service Unavailable - The server is short of memory. Please try again later.'
  return new ApiError('unavailable', text, {
    headers: { 'retry-after': String(retry_after_s) },
  })
}

/** Returns a 503 for a lost database connection. The change that was requested may or may not have been committed. */
export function databaseUnavailable(): ApiError {
  const text = '503 Service Unavailable - The database cannot be reached. Please try again later.'
  return new ApiError('unavailable', text, {
    headers: { 'retry-after': String(retry_after_s) },
  })
}

/** 503: the repository is on the disk of another server that does not respond. */
export function repositoryAway(): ApiError {
  const text =
    '503 Service Unavailable - The server that stores the repository cannot be reached. Please try again later.'
  return new ApiError('unavailable', text, {
    headers: { 'retry-after': String(retry_after_s) },
  })
}

/** 429: this caller has too many requests in progress. */
export function tooBusy(): ApiError {
  return new ApiError('too-many-requests', '429 Too Many Requests', {
    headers: { 'retry-after': String(retry_after_s) },
  })
}
