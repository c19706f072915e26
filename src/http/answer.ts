import type { Readable } from 'node:stream'

/** Returned by `run` when the response needs more than a body: a status, headers, or bytes. */
export class Answer {
  readonly status: number
  /** A JSON value, bytes, a stream, or undefined for no body. */
  readonly body: unknown
  readonly headers: Readonly<Record<string, string | string[]>>
  /** The body is sent as it is, under the content type its headers give. */
  readonly isRaw: boolean

  private constructor(status: number, body: unknown, headers: Answer['headers'], isRaw: boolean) {
    this.status = status
    this.body = body
    this.headers = headers
    this.isRaw = isRaw
  }

  static json(status: number, body: unknown, headers: Answer['headers'] = {}): Answer {
    return new Answer(status, body, headers, false)
  }

  static empty(status: number, headers: Answer['headers'] = {}): Answer {
    return new Answer(status, undefined, headers, false)
  }

  /** Bytes as they are; `headers` must give a content type. */
  static raw(
    body: Buffer | Readable | undefined,
    headers: Record<string, string>,
    status = 200,
  ): Answer {
    return new Answer(status, body, headers, true)
  }
}

/** 202 `{"message":"202 Accepted"}`: the work continues after the response. */
export function acceptedAnswer(): Answer {
  return Answer.json(202, { message: '202 Accepted' })
}

/**
 * The path is a former path of a renamed or transferred object. A GET request is redirected to the id; other methods are
 * refused.
 */
export class MovedError extends Error {
  /** Which path parameter holds the old path. */
  readonly parameter: string
  readonly id: number

  constructor(parameter: string, id: number) {
    super('The path was moved.')
    this.parameter = parameter
    this.id = id
  }
}
