// An endpoint is a value: mount.ts serves it, openapi.ts documents it, the access matrix tests it.
import type { Static, TSchema } from 'typebox'
import type { Actor, ActorUser } from '../access/actor.ts'
import type { Facts, Rule } from '../access/rule.ts'
import { type Config, type RateLimitName, type Tier, tiers } from '../config.ts'
import type { Db } from '../db/db.ts'
import type { GitAccess } from '../git/git.ts'
import type { Clock } from '../kernel/clock.ts'
import { type ApiError, forbidden } from '../kernel/errors.ts'
import type { Answer } from './answer.ts'
import type { Page, PageRange } from './pagination.ts'
import type { ParameterRule, RawParameters } from './parameters.ts'
import type { RateLimiter } from './rate-limit.ts'

/** The parts of an HTTP request that operations may need besides its parameters. */
export type RequestFacts = {
  readonly id: string
  readonly method: string
  /** Path without query, as sent. */
  readonly path: string
  readonly ip: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The path's and the query's parameters as sent; `Link` repeats them. */
  readonly pathParameters: Readonly<Record<string, string>>
  readonly query: RawParameters
  /** Aborted when the client goes away before the answer is complete. */
  readonly signal: AbortSignal
}

/** The running server as operations see it. It is the same for all requests. */
export type Instance = {
  /** For a write with a transaction: the open transaction. */
  readonly db: Db
  readonly git: GitAccess
  readonly clock: Clock
  readonly config: Config
  /** Seals and opens secrets at rest (kernel/secrets.ts). */
  readonly secretKey: Buffer
}

export type Context<Subject, Input, Loaded = unknown> = Instance & {
  readonly subject: Subject
  /** What the endpoint's `load` answered. */
  readonly loaded: Loaded
  /** The caller's level on the subject; an administrator's is Level.owner. */
  readonly level: number
  readonly actor: Actor
  readonly input: Input
  /** Which rows a list is asked for, by `page` and `per_page` of its input. */
  readonly range: PageRange
  readonly request: RequestFacts
  /** For an operation that has a limit of its own. */
  readonly rateLimiter: RateLimiter
  /** Public base URL, without a trailing slash. */
  readonly baseUrl: string
  /** The signed-in caller; throws 401 for an anonymous one. */
  readonly user: ActorUser
}

/** Finds the object that the path names and the caller's level on it. Throws 404 if the caller cannot see it. */
export type SubjectLoader<Subject> = {
  /** The path parameters it reads, for the documentation. */
  readonly parameters: Readonly<Record<string, TSchema>>
  load(request: {
    db: Db
    actor: Actor
    parameters: Readonly<Record<string, string>>
    /** Of the endpoint: a HEAD finds what the GET would. */
    method: Method
  }): Promise<{ subject: Subject; level: number }>
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** See `Definition`. */
export type SignInRequirement = 'always' | 'for-writes' | 'never' | 'ignored'

export type Endpoint = {
  readonly method: Method
  /** Relative to `/api/v4`, with `:name` parameters. */
  readonly path: string
  readonly summary: string
  readonly tag: string
  readonly tier: Tier
  readonly signIn: SignInRequirement
  readonly scope: 'read_user' | 'read_repository' | 'any' | undefined
  readonly allowsExpiredPassword: boolean
  readonly jobToken: Tier | undefined
  readonly rateLimit: RateLimitName | undefined
  readonly body_bytes_max: number | undefined
  /** Path parameters that may hold slashes as they are. */
  readonly slashed: readonly string[]
  readonly transaction: boolean
  readonly isFixed: (input: RawParameters) => boolean
  readonly on: SubjectLoader<unknown> | undefined
  readonly allow: Rule<unknown>
  readonly refusal: (facts: Facts<unknown>) => ApiError
  readonly load: ((context: Context<unknown, RawParameters>) => Promise<unknown>) | undefined
  readonly authorize:
    | ((context: Context<unknown, RawParameters>) => Permission | Promise<Permission>)
    | undefined
  readonly input: TSchema | undefined
  readonly rules: readonly ParameterRule[]
  readonly status: number
  /** What may be answered, by status. */
  readonly answers: Readonly<Record<number, TSchema | undefined>>
  readonly run: (context: Context<unknown, RawParameters>) => Promise<unknown>
}

/** Whether an instance of `tier` has a feature that requires the tier `lowest`; `undefined` requires none. */
export function isTierSufficient(tier: Tier, lowest: Tier | undefined): boolean {
  return lowest !== undefined && tiers.indexOf(lowest) <= tiers.indexOf(tier)
}

/** Whether anonymous callers may not call the endpoint. */
export function requiresSignIn({ signIn, method }: Endpoint): boolean {
  return signIn === 'always' || (signIn === 'for-writes' && method !== 'GET')
}

/** The subject that access rules receive for an endpoint without one. */
export const emptySubject = { subject: undefined, level: 0 }

/** Whether the caller may do it; an ApiError refuses with its own message. */
export type Permission = boolean | ApiError

type Definition<Subject, Input extends TSchema, Loaded> = {
  /** Method and path relative to `/api/v4`: `GET /groups/:id/badges`. */
  route: `${Method} /${string}`
  summary: string
  /** The family it is listed under in the documentation. */
  tag: string
  /** The lowest tier that has it; below, the route is unknown. */
  tier?: Tier
  /**
   * Who may call without credentials. `for-writes` is the default with a subject: everybody who sees the
   * subject may read, and writing needs a sign-in. `always` is the default without a subject.
   * `ignored`: whoever calls is nobody, whatever they send; runners send tokens of theirs where others have
   * those of people.
   */
  signIn?: SignInRequirement
  /** The read scope that covers its GET beside `api` and `read_api`; `any` for every valid token. */
  scope?: 'read_user' | 'read_repository' | 'any'
  /** Also for a session whose user must choose another password first. */
  allowsExpiredPassword?: true
  /** The lowest tier on which the token of a running job is taken too; elsewhere it counts as none. */
  jobToken?: Tier
  /** The limit its requests count against, beside that of all requests. */
  rateLimit?: RateLimitName
  body_bytes_max?: number
  /** Path parameters that may hold slashes as they are (http/slashes.ts). */
  slashed?: readonly string[]
  /** Whether the answer to these parameters can never be another one: they name what they ask for by a full hash. */
  isFixed?: (input: Static<Input>) => boolean
  /** Writes run in one transaction; what changes git says `none` and opens short ones itself. */
  transaction?: 'none'
  on?: SubjectLoader<Subject>
  allow: Rule<Subject>
  /** What a caller is told when `allow` says no; by default 403 without a reason. */
  refusal?: (facts: Facts<Subject>) => ApiError
  /** Loads the record that the parameters name, once `allow` has said yes. Throws 404 if the caller sees none. */
  load?: (context: Context<Subject, Static<Input>>) => Promise<Loaded>
  /**
   * Who may, where that depends on rows or parameters: asked after `load` and right before `run`, in its transaction
   * where there is one. False answers 403 without a reason.
   */
  authorize?: (context: Context<Subject, Static<Input>, Loaded>) => Permission | Promise<Permission>
  /** The parameters beside those of the path's subject, from wherever the client puts them. */
  input?: Input
  rules?: ParameterRule[]
  /** The status of success, 200 if unsaid. */
  status?: number
  /** The schema of the body of success. Without one there is no body, or one that is not JSON. */
  answer?: TSchema
  /** The schemas of other answers than success and refusals, by status. */
  otherAnswers?: Record<number, TSchema | undefined>
  /** Answers the body of success, a Page of a list, or an Answer. */
  run: (context: Context<Subject, Static<Input>, Loaded>) => Promise<unknown | Page | Answer>
}

/** Declares an endpoint. `allow` has no default: an endpoint without a rule does not compile. */
export function endpoint<Subject = undefined, Input extends TSchema = TSchema, Loaded = undefined>(
  definition: Definition<Subject, Input, Loaded>,
): Endpoint {
  const [method = '', path = ''] = definition.route.split(' ')
  const isWrite = method !== 'GET'
  const status = definition.status ?? 200
  return {
    method: method as Method,
    path,
    summary: definition.summary,
    tag: definition.tag,
    tier: definition.tier ?? 'free',
    signIn: definition.signIn ?? (definition.on ? 'for-writes' : 'always'),
    scope: definition.scope,
    allowsExpiredPassword: definition.allowsExpiredPassword ?? false,
    jobToken: definition.jobToken,
    rateLimit: definition.rateLimit,
    body_bytes_max: definition.body_bytes_max,
    slashed: definition.slashed ?? [],
    transaction: isWrite && definition.transaction !== 'none',
    isFixed: (definition.isFixed ?? (() => false)) as Endpoint['isFixed'],
    on: definition.on,
    allow: definition.allow as Rule<unknown>,
    refusal: (definition.refusal ?? (() => forbidden())) as Endpoint['refusal'],
    load: definition.load as Endpoint['load'],
    authorize: definition.authorize as Endpoint['authorize'],
    input: definition.input,
    rules: definition.rules ?? [],
    status,
    answers: { [status]: definition.answer, ...definition.otherAnswers },
    run: definition.run as Endpoint['run'],
  }
}

/** The options that the endpoints of a family share. Access rules are not among them: each endpoint names its own. */
type Common<Subject> = { tag: string } & Pick<
  Definition<Subject, TSchema, unknown>,
  'tier' | 'signIn' | 'scope' | 'on' | 'jobToken'
>

/** Returns `endpoint` with defaults for a family. Each endpoint may override them. */
export function endpointFactory<Subject = undefined>(
  common: Common<Subject>,
): <Input extends TSchema = TSchema, Loaded = undefined>(
  definition: Omit<Definition<Subject, Input, Loaded>, 'tag'> & { tag?: string },
) => Endpoint {
  return (definition) => endpoint({ ...common, ...definition })
}
