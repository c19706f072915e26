// Reads the settings from the environment and bloomery.json into one frozen Config. Nothing else reads the environment.

import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { isAbsolute, join, resolve } from 'node:path'
import { readS3Place, type S3Place } from './blobs/s3-place.ts'
import { parseDuration_s } from './ci/durations.ts'
import { parseCron } from './kernel/cron.ts'
import { isEmail } from './kernel/names.ts'
import { trimEndOf } from './kernel/trim.ts'
import type { SmtpServer } from './mail/mail.ts'

export const tiers = ['free', 'premium', 'ultimate'] as const
export type Tier = (typeof tiers)[number]

export type StorageConfig = { path: string; weight: number }

export const rateLimitNames = [
  'unauthenticated_api',
  'authenticated_api',
  'unauthenticated_files_api',
  'authenticated_files_api',
  'project_repositories_archive',
  'search',
  'sign_in',
  'sign_up',
  'oauth',
  'users_get_by_id',
  'incident_management_notification',
] as const
export type RateLimitName = (typeof rateLimitNames)[number]
/** `isUsual` marks one that nobody has set. */
export type RateLimit = { requests: number; period_s: number; isUsual?: true }

/**
 * Expensive operations are limited by default, far above what people and the test suites of clients need. Requests from
 * this machine are not counted by address, since behind a proxy all requests would have the same one.
 */
const defaultRateLimits: Partial<Record<RateLimitName, RateLimit>> = {
  unauthenticated_api: { requests: 6000, period_s: 60, isUsual: true },
  project_repositories_archive: { requests: 300, period_s: 60, isUsual: true },
  search: { requests: 600, period_s: 60, isUsual: true },
  sign_in: { requests: 600, period_s: 60, isUsual: true },
  sign_up: { requests: 60, period_s: 3600, isUsual: true },
  oauth: { requests: 600, period_s: 60, isUsual: true },
  incident_management_notification: { requests: 3600, period_s: 3600 },
}

export type Config = {
  readonly host: string
  readonly port: number
  /** Public base URL without a trailing slash; undefined means: take it from the request. */
  readonly url: string | undefined
  /** Addresses and CIDR ranges of proxies whose `X-Forwarded-*` headers are believed. */
  readonly trustedProxies: readonly string[]
  readonly data: string
  readonly databaseUrl: string | undefined
  /** Where blobs are in S3; undefined where all of them are in the data folder. */
  readonly blobs: S3Place | undefined
  /** How the server backs itself up; undefined if it does not. */
  readonly backups: BackupsConfig | undefined
  readonly rootPassword: string | undefined
  readonly rootToken: string | undefined
  readonly tier: Tier
  /** Where git over SSH is; 0 for nowhere. */
  readonly sshPort: number
  /** Whether somebody asked for that port, and it is not just the usual one. */
  readonly isSshPortGiven: boolean
  /** Those whose disk this server has. */
  readonly storages: Readonly<Record<string, StorageConfig>>
  /** Those on the disks of other servers, to which requests for their repositories are forwarded. */
  readonly storagesElsewhere: Readonly<Record<string, Pick<StorageConfig, 'weight'>>>
  /** Where the other servers reach this one: scheme, host and port. */
  readonly nodeUrl: string | undefined
  readonly runner: 'builtin' | 'off'
  /** Where mail goes out; undefined means that none is sent. There is a `url` where there is one. */
  readonly smtp: SmtpServer | undefined
  readonly mailFrom: string
  /** Whether a new account can do nothing until its address is confirmed. */
  readonly confirmsEmails: boolean
  readonly logLevel: string
  /** Where git is looked for. */
  readonly searchPath: string
  readonly rateLimits: Partial<Record<RateLimitName, RateLimit>>
  /** Who may read the metrics, beside the machine itself: addresses and CIDR ranges, and a token. */
  readonly metricsFrom: readonly string[]
  readonly metricsToken: string | undefined
  /** What all programs of git may hold in memory together, in bytes; unbounded unless set, so that it follows the machine. */
  readonly gitMemory_bytes: number
  /** How many processes serve requests (docs/operating/workers.md). */
  readonly workers: number
  /** How many pipeline schedules a project may have. */
  readonly schedules_max: number
  /** The largest push, repository, LFS object and artifact, in bytes. */
  readonly sizeLimits: {
    readonly push: number
    readonly repository: number
    readonly lfs: number
    readonly artifact: number
  }
  /** Files of a certificate and its key, and where TLS is served by them; port 0 picks one. */
  readonly tls: { readonly cert: string; readonly key: string; readonly port: number } | undefined
  /** How much of a disk must stay free for more to be written, in bytes; 0 for no limit. */
  readonly diskFreeMin_bytes: number
  /** Whether configurations of pipelines may include files of other servers: public ones, or any. */
  readonly remoteIncludes: 'off' | 'public' | 'any'
  /** How long artifacts are kept whose job does not say it. */
  readonly artifactsExpireIn: string
  readonly pages: PagesConfig
  /** Who is asked for records of names, as `address` or `address:port`; none for those of the system. */
  readonly dnsServers: readonly string[]
  /** The authority that issues certificates for domains of sites; undefined means that none is asked. */
  readonly acme: { readonly directory: string; readonly email: string | undefined } | undefined
}

/** The scheduled backups of the server (docs/operating/backup.md, "On a schedule"). */
export type BackupsConfig = {
  /** As for `bloomery backup --to`: an absolute path, or a URL of S3. */
  readonly to: string
  /** The place that the URL means; undefined for a folder. */
  readonly s3: S3Place | undefined
  /** A cron expression, in UTC. */
  readonly schedule: string
  /** How many backups are kept. */
  readonly keep: number
}

/** Where Pages sites are served; without a port they are not served. */
export type PagesConfig = {
  /** The domain below which each site has its address; undefined where there are but domains of their own. */
  readonly host: string | undefined
  /** What the addresses of sites begin with in links, and end with: `https:`, and a port that is not usual. */
  readonly protocol: 'http:' | 'https:'
  readonly publicPort: string
  readonly port: number | undefined
  readonly tlsPort: number | undefined
  /** Files with the certificate and the key of the sites below `host`. */
  readonly tlsCertificate: string | undefined
  readonly tlsKey: string | undefined
}

const settingNames = [
  'host',
  'port',
  'url',
  'trusted_proxies',
  'data',
  'database_url',
  'blobs',
  'backup_to',
  'backup_schedule',
  'backup_keep',
  'root_password',
  'root_token',
  'tier',
  'ssh_port',
  'storages',
  'node_url',
  'runner',
  'smtp_url',
  'mail_from',
  'confirm_emails',
  'log_level',
  'rate_limits',
  'metrics_from',
  'metrics_token',
  'git_memory_max',
  'workers',
  'pipeline_schedules_max',
  'push_size_max',
  'repository_size_max',
  'lfs_object_size_max',
  'artifact_size_max',
  'disk_free_min',
  'tls_cert',
  'tls_key',
  'tls_port',
  'artifacts_expire_in',
  'ci_remote_includes',
  'pages_host',
  'pages_port',
  'pages_tls_port',
  'pages_tls_certificate',
  'pages_tls_key',
  'dns_servers',
  'acme_directory',
  'acme_email',
] as const
export type SettingName = (typeof settingNames)[number]

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** An invalid setting. The message names it and says what it takes. */
export class ConfigError extends Error {}

/**
 * Reads the settings. The environment (`BLOOMERY_PORT`) wins over `bloomery.json` in the data folder
 * (`port`); an unknown setting in either is an error that names it.
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const data = resolve(environment.BLOOMERY_DATA || './data')
  const settings = readSettings(environment)
  const host = text(settings.host) ?? '127.0.0.1'
  const publicUrl = url(settings.url)
  const smtp = smtpServer(settings.smtp_url, publicUrl)
  return Object.freeze({
    host,
    port: integer('port', settings.port, 8080, 65_535),
    url: publicUrl,
    trustedProxies: addresses('trusted_proxies', settings.trusted_proxies),
    data,
    databaseUrl: databaseUrl(settings.database_url),
    blobs: blobs(settings.blobs, environment),
    backups: backups(settings, environment),
    rootPassword: text(settings.root_password),
    rootToken: text(settings.root_token),
    tier: choice('tier', settings.tier, tiers, 'ultimate'),
    sshPort: integer('ssh_port', settings.ssh_port, 2222, 65_535),
    isSshPortGiven: text(settings.ssh_port) !== undefined,
    ...storages(settings, data),
    nodeUrl: nodeUrl(settings.node_url),
    runner: choice(
      'runner',
      settings.runner,
      ['builtin', 'off'] as const,
      isLoopback(host) ? 'builtin' : 'off',
    ),
    smtp,
    mailFrom: mailFrom(settings.mail_from, publicUrl),
    confirmsEmails: confirmsEmails(settings.confirm_emails, smtp),
    logLevel: choice('log_level', settings.log_level, logLevels, 'info'),
    searchPath: environment.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    rateLimits: rateLimits(settings.rate_limits),
    metricsFrom: addresses('metrics_from', settings.metrics_from),
    metricsToken: text(settings.metrics_token),
    gitMemory_bytes: gitMemory_bytes(settings.git_memory_max),
    workers: workers(settings.workers),
    schedules_max: integer(
      'pipeline_schedules_max',
      settings.pipeline_schedules_max,
      10,
      1_000_000,
    ),
    sizeLimits: Object.freeze({
      push: megabytes('push_size_max', settings.push_size_max, 10_240),
      repository: megabytes('repository_size_max', settings.repository_size_max, 102_400),
      lfs: megabytes('lfs_object_size_max', settings.lfs_object_size_max, 102_400),
      artifact: megabytes('artifact_size_max', settings.artifact_size_max, 100),
    }),
    tls: tls(settings, data),
    diskFreeMin_bytes: integer('disk_free_min', settings.disk_free_min, 256, 2 ** 30) * 1024 * 1024,
    remoteIncludes: choice(
      'ci_remote_includes',
      settings.ci_remote_includes,
      ['off', 'public', 'any'] as const,
      'off',
    ),
    artifactsExpireIn: duration('artifacts_expire_in', settings.artifacts_expire_in, '30 days'),
    pages: pages(settings, publicUrl),
    dnsServers: nameServers(settings.dns_servers),
    acme: acme(settings),
  })
}

/** Returns how many processes the settings ask for; 1 for invalid settings, which the server reports when it starts. */
export function readWorkerCount(environment: Record<string, string | undefined>): number {
  try {
    return readConfig(environment).workers
  } catch (error) {
    if (error instanceof ConfigError) return 1
    throw error
  }
}

type Settings = Partial<Record<SettingName, unknown>>

/** The settings as they are written, with those of the environment in place of those of the file. */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const data = resolve(environment.BLOOMERY_DATA || './data')
  return { ...readFile(data), ...readEnvironment(environment) }
}

function readEnvironment(environment: Record<string, string | undefined>): Settings {
  const settings: Settings = {}
  for (const [variable, value] of Object.entries(environment)) {
    if (!variable.startsWith('BLOOMERY_') || value === undefined || value === '') continue
    settings[known(variable.slice('BLOOMERY_'.length).toLowerCase(), variable)] = value
  }
  return settings
}

function readFile(data: string): Settings {
  const path = join(data, 'bloomery.json')
  let source: string
  try {
    source = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
  const parsed = json(path, source)
  const settings: Settings = {}
  for (const [name, value] of Object.entries(parsed)) settings[known(name, name)] = value
  return settings
}

function known(name: string, asWritten: string): SettingName {
  if ((settingNames as readonly string[]).includes(name)) return name as SettingName
  throw new ConfigError(`Unknown setting ${asWritten}. Known: ${settingNames.join(', ')}.`)
}

function json(what: string, source: unknown): Record<string, unknown> {
  let value = source
  if (typeof source === 'string') {
    try {
      value = JSON.parse(source)
    } catch (error) {
      throw new ConfigError(`${what} is not valid JSON: ${(error as Error).message}`)
    }
  }
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
    return value as Record<string, unknown>
  }
  throw new ConfigError(`${what} takes a JSON object.`)
}

function text(value: unknown): string | undefined {
  return value === undefined || value === '' ? undefined : String(value)
}

function integer(name: string, value: unknown, fallback: number, max: number): number {
  if (value === undefined || value === '') return fallback
  const number = Number(value)
  if (Number.isInteger(number) && number >= 0 && number <= max) return number
  throw new ConfigError(`${name} takes a whole number from 0 to ${max}, not ${value}.`)
}

function choice<T extends string>(
  name: string,
  value: unknown,
  allowed: readonly T[],
  fallback: T,
): T {
  if (value === undefined || value === '') return fallback
  if ((allowed as readonly unknown[]).includes(value)) return value as T
  throw new ConfigError(`${name} takes one of ${allowed.join(', ')}, not ${value}.`)
}

function url(value: unknown): string | undefined {
  const given = text(value)
  if (given === undefined) return undefined
  if (!/^https?:$/.test(URL.parse(given)?.protocol ?? '')) {
    throw new ConfigError(`url takes an http or https URL, not ${given}.`)
  }
  return trimEndOf(given, '/')
}

/**
 * The mail server. Its URL is never repeated: it holds a password. Links in emails lead to `publicUrl`,
 * never to where a request says it was sent, so that nobody has a link made out to a host of theirs.
 */
function smtpServer(value: unknown, publicUrl: string | undefined): SmtpServer | undefined {
  const given = text(value)
  if (given === undefined) return undefined
  const parsed = URL.parse(given)
  const isSecure = parsed?.protocol === 'smtps:'
  if (!parsed?.hostname || (!isSecure && parsed.protocol !== 'smtp:')) throw smtpProblem()
  if (publicUrl === undefined) {
    throw new ConfigError('smtp_url needs url: links in emails begin with it.')
  }
  return {
    host: parsed.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(parsed.port) || (isSecure ? 465 : 587),
    isSecure,
    user: parsed.username === '' ? undefined : decoded(parsed.username),
    password: parsed.username === '' ? undefined : decoded(parsed.password),
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw smtpProblem()
  }
}

function smtpProblem(): ConfigError {
  return new ConfigError(
    'smtp_url takes smtp://user:password@host:587 or smtps://..., with %-escapes in both.',
  )
}

function mailFrom(value: unknown, publicUrl: string | undefined): string {
  const hostname = publicUrl === undefined ? 'localhost' : new URL(publicUrl).hostname
  const address = text(value) ?? `bloomery@${hostname}`
  if (isEmail(address)) return address
  throw new ConfigError(`mail_from takes an email address, not ${address}.`)
}

function confirmsEmails(value: unknown, smtp: SmtpServer | undefined): boolean {
  const isOn = choice('confirm_emails', value, ['on', 'off'] as const, 'off') === 'on'
  if (isOn && !smtp)
    throw new ConfigError('confirm_emails needs smtp_url: it sends confirmation emails.')
  return isOn
}

/** A size in megabytes, converted to bytes; `off` means no limit. */
function megabytes(name: string, value: unknown, fallback: number): number {
  if (value === 'off') return Number.MAX_SAFE_INTEGER
  return integer(name, value, fallback, 2 ** 30) * 1024 * 1024
}

function gitMemory_bytes(value: unknown): number {
  return text(value) === undefined ? Number.MAX_SAFE_INTEGER : megabytes('git_memory_max', value, 0)
}

const workers_max = 64

function workers(value: unknown): number {
  const count = Number(text(value) ?? 1)
  if (Number.isInteger(count) && count >= 1 && count <= workers_max) return count
  throw new ConfigError(`workers takes a whole number from 1 to ${workers_max}, not ${value}.`)
}

/** The certificate and its key: both files or none. Relative paths are relative to the data folder. */
function tls({ tls_cert, tls_key, tls_port }: Settings, data: string): Config['tls'] {
  const [cert, key] = [text(tls_cert), text(tls_key)]
  const port = integer('tls_port', tls_port, 8443, 65_535)
  if (cert === undefined && key === undefined) return undefined
  if (cert === undefined || key === undefined) {
    throw new ConfigError('tls_cert and tls_key must both be set.')
  }
  return Object.freeze({ cert: resolve(data, cert), key: resolve(data, key), port })
}

function duration(name: string, value: unknown, fallback: string): string {
  const given = text(value) ?? fallback
  if (parseDuration_s(given) !== undefined) return given
  throw new ConfigError(`${name} takes a duration such as 30 days, not ${given}.`)
}

function addresses(name: string, value: unknown): readonly string[] {
  const given = (Array.isArray(value) ? value.map(String) : (text(value) ?? '').split(','))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  for (const entry of given) {
    const [address = '', length, ...rest] = entry.split('/')
    const bits_max = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
    const isLength = length === undefined || /^\d{1,3}$/.test(length)
    if (!isLength || rest.length > 0 || Number(length ?? 0) > bits_max) {
      throw new ConfigError(`${name} takes addresses and CIDR ranges, not ${entry}.`)
    }
  }
  return given
}

function databaseUrl(value: unknown): string | undefined {
  const given = text(value)
  if (given === undefined || /^postgres(ql)?:\/\//.test(given)) return given
  throw new ConfigError('database_url takes a postgres:// URL.')
}

/** The credentials are of the environment alone, under the names that all programs for S3 know. */
function blobs(
  value: unknown,
  environment: Record<string, string | undefined>,
): S3Place | undefined {
  const given = text(value)
  if (given === undefined) return undefined
  return readS3Place(given, environment, (problem) => new ConfigError(problem))
}

const backups_kept_max = 10_000

function backups(
  { backup_to, backup_schedule, backup_keep }: Settings,
  environment: Record<string, string | undefined>,
): BackupsConfig | undefined {
  const to = text(backup_to)
  const schedule = text(backup_schedule) ?? '0 3 * * *'
  if (!parseCron(schedule)) {
    throw new ConfigError(
      `backup_schedule takes a cron expression in UTC, as 0 3 * * *, not ${schedule}.`,
    )
  }
  const keep = integer('backup_keep', backup_keep, 14, backups_kept_max)
  if (keep === 0) throw new ConfigError('backup_keep takes a whole number from 1, not 0.')
  if (to === undefined) return undefined
  if (to.startsWith('s3:')) {
    const problem = (sentence: string) => new ConfigError(sentence)
    const use = { name: 'backup_to', takesBlobOptions: false }
    return Object.freeze({ to, s3: readS3Place(to, environment, problem, use), schedule, keep })
  }
  if (!isAbsolute(to) || to.endsWith('.tar')) {
    throw new ConfigError(
      `backup_to takes the absolute path of a folder, or s3://bucket/folder?endpoint=..., not ${to}.`,
    )
  }
  return Object.freeze({ to, s3: undefined, schedule, keep })
}

function storages(
  settings: Settings,
  data: string,
): Pick<Config, 'storages' | 'storagesElsewhere'> {
  const value = settings.storages
  if (value === undefined || value === '') {
    return {
      storages: { default: { path: join(data, 'repositories'), weight: 100 } },
      storagesElsewhere: {},
    }
  }
  const here: Record<string, StorageConfig> = {}
  const elsewhere: Record<string, Pick<StorageConfig, 'weight'>> = {}
  for (const [name, entry] of Object.entries(json('storages', value))) {
    const { path, weight = 100, ...rest } = json(`storages.${name}`, entry)
    const isPlace = typeof path === 'string' || path === null
    const isComplete = isPlace && typeof weight === 'number' && weight >= 0
    if (!isComplete || Object.keys(rest).length > 0 || !/^[A-Za-z0-9_.-]+$/.test(name)) {
      throw new ConfigError(
        `storages.${name} takes { "path": "...", "weight": 100 }, where the path is null for the disk of another server.`,
      )
    }
    if (path === null) elsewhere[name] = { weight }
    else here[name] = { path: resolve(data, path), weight }
  }
  if (Object.keys(here).length === 0 && Object.keys(elsewhere).length === 0)
    throw new ConfigError('storages takes at least one storage.')
  if (Object.keys(elsewhere).length > 0 && text(settings.database_url) === undefined) {
    throw new ConfigError(
      'A storage on the disk of another server (path null) needs a database that servers share: set database_url.',
    )
  }
  return { storages: here, storagesElsewhere: elsewhere }
}

function nodeUrl(value: unknown): string | undefined {
  const given = text(value)
  if (given === undefined) return undefined
  const url = URL.canParse(given) ? new URL(given) : undefined
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  if (isOrigin) return url.origin
  throw new ConfigError('node_url takes http://host:port or https://host:port.')
}

/** The usual limits with those that are given; `off` for none at all, null for one that is not wanted. */
function rateLimits(value: unknown): Partial<Record<RateLimitName, RateLimit>> {
  if (value === 'off') return {}
  const result = { ...defaultRateLimits }
  if (value === undefined || value === '') return result
  for (const [given, entry] of Object.entries(json('rate_limits', value))) {
    const name = choice('rate_limits', given, rateLimitNames, 'authenticated_api')
    if (entry === null) {
      delete result[name]
      continue
    }
    const { requests, period_s } = json(`rate_limits.${name}`, entry)
    const isComplete = Number.isInteger(requests) && Number.isInteger(period_s)
    if (!isComplete || Number(requests) < 1 || Number(period_s) < 1) {
      throw new ConfigError(`rate_limits.${name} takes { "requests": 500, "period_s": 15 }.`)
    }
    result[name] = { requests: Number(requests), period_s: Number(period_s) }
  }
  return result
}

/**
 * Where Pages sites are served. The host is a name, or the public URL below which sites are, if a proxy is in front of
 * them.
 */
function pages(settings: Settings, publicUrl: string | undefined): PagesConfig {
  const given = text(settings.pages_host)
  const isUrl = given?.includes('://') ?? false
  const parsed = given === undefined ? undefined : URL.parse(isUrl ? given : `http://${given}`)
  const isName = /^(?:[a-z0-9-]{1,63}\.){0,10}[a-z0-9-]{1,63}$/.test(parsed?.hostname ?? '')
  if (given !== undefined && (!parsed || !isName || parsed.pathname !== '/')) {
    throw new ConfigError(`pages_host takes a domain such as pages.example.org, not ${given}.`)
  }
  if (parsed && publicUrl !== undefined && new URL(publicUrl).hostname === parsed.hostname) {
    throw new ConfigError(
      'pages_host must not be the host of url: sites contain untrusted content.',
    )
  }
  const port = optionalPort('pages_port', settings.pages_port)
  const tlsPort = optionalPort('pages_tls_port', settings.pages_tls_port)
  const [tlsCertificate, tlsKey] = [
    text(settings.pages_tls_certificate),
    text(settings.pages_tls_key),
  ]
  if ((tlsCertificate === undefined) !== (tlsKey === undefined)) {
    throw new ConfigError('pages_tls_certificate and pages_tls_key must both be set.')
  }
  const isHttps = isUrl ? parsed?.protocol === 'https:' : tlsPort !== undefined
  const own = isHttps ? tlsPort : port
  const usual = isHttps ? 443 : 80
  const publicPort =
    isUrl || own === undefined || own === usual ? (parsed?.port ?? '') : String(own)
  return Object.freeze({
    host: parsed?.hostname,
    protocol: isHttps ? ('https:' as const) : ('http:' as const),
    publicPort,
    port,
    tlsPort,
    tlsCertificate,
    tlsKey,
  })
}

function optionalPort(name: string, value: unknown): number | undefined {
  return text(value) === undefined ? undefined : integer(name, value, 0, 65_535)
}

function nameServers(value: unknown): readonly string[] {
  const given = (Array.isArray(value) ? value.map(String) : (text(value) ?? '').split(','))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  for (const entry of given) {
    const [, host = entry] = /^\[?([0-9a-fA-F.:]{2,45}?)\]?:\d{1,5}$/.exec(entry) ?? []
    if (isIP(host) === 0 && isIP(entry) === 0) {
      throw new ConfigError(`dns_servers takes addresses such as 10.0.0.53:53, not ${entry}.`)
    }
  }
  return given
}

function acme(settings: Settings): Config['acme'] {
  const directory = text(settings.acme_directory)
  if (directory !== undefined && !/^https?:$/.test(URL.parse(directory)?.protocol ?? '')) {
    throw new ConfigError(`acme_directory takes an http or https URL, not ${directory}.`)
  }
  const email = text(settings.acme_email)
  if (email !== undefined && !isEmail(email)) {
    throw new ConfigError(`acme_email takes an email address, not ${email}.`)
  }
  return directory === undefined ? undefined : { directory, email }
}

/** Whether only this machine reaches what listens there. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}
