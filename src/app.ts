// The composition root: the only file that knows everything.

import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { subscribeToS3Calls, subscribeToS3Failures } from './blobs/storage-calls.ts'
import { type Peers, sumOverPeers } from './cluster/peers.ts'
import type { BackupsConfig, Config } from './config.ts'
import { logFailure } from './db/database-away.ts'
import type { Db } from './db/db.ts'
import { openDatabase } from './db/open.ts'
import { readPoolStats } from './db/pool-stats.ts'
import { isNearlyFull, listDisks } from './disk/disk.ts'
import { StreamHub } from './features/activity/event-streams/stream-hub.ts'
import { enableNotifications } from './features/activity/notifications/notification.ts'
import { readRateLimits } from './features/basics/settings/setting.ts'
import { authenticateJobToken } from './features/delivery/jobs/job-token.ts'
import { closeJobQueue } from './features/delivery/pipeline-changes/job-queue.ts'
import { endpoints, families } from './features/families.ts'
import { NodeRegistry } from './features/operating/nodes/node-registry.ts'
import { authenticateByToken } from './features/people/credentials/credential.ts'
import { ensureMembershipsExpired } from './features/people/members/member.tasks.ts'
import { authenticateSession } from './features/people/sessions/session.ts'
import { authenticateSudo, type SudoRequest } from './features/people/tokens/token.ts'
import { bootstrapRoot, type RootCredentials } from './features/people/users/bootstrap-root.ts'
import type { MemoryKillReport } from './git/command.ts'
import { closeGitAccess, type GitAccess, openGitAccess } from './git/git.ts'
import { mountHealth } from './http/health.ts'
import { createMetrics } from './http/metrics.ts'
import { callerIdOf, type MountOptions, mountEndpoints, routePatternOf } from './http/mount.ts'
import { mountOpenApi } from './http/openapi.ts'
import { RateLimiter } from './http/rate-limit.ts'
import { createServer } from './http/server.ts'
import { slashEncoder } from './http/slashes.ts'
import { TlsListener } from './http/tls-listener.ts'
import { watchEventLoop } from './http/watchdog.ts'
import { type Clock, monotonic_ms, systemClock } from './kernel/clock.ts'
import { limits } from './kernel/limits.ts'
import { writeFileIfMissing } from './kernel/write-file-if-missing.ts'
import { createEmailSender, type SendEmail } from './mail/mail.ts'
import type { SharedCounts } from './share-counts.ts'
import { readLaneStats } from './tasks/lane-stats.ts'
import { logTaskFailure } from './tasks/log-task-failure.ts'
import { makeInterruptedTasksDue } from './tasks/task.ts'
import { Worker } from './tasks/worker.ts'
import { mountAccounts } from './transports/accounts/accounts.ts'
import { mountAddresses } from './transports/addresses/addresses.ts'
import type { GitSsh } from './transports/git-ssh/git-ssh.ts'
import { mountGraphql } from './transports/graphql/graphql.ts'
import { mountOauth } from './transports/oauth/oauth.ts'
import { PagesServer } from './transports/pages/pages-server.ts'
import { mountPagesVisits } from './transports/pages/visit-page.ts'
import { mountRunner } from './transports/runner/runner.ts'
import { mountAvatars } from './transports/uploads/avatars.ts'
import { mountAssets } from './transports/web/assets.ts'

/** Paths at which git over HTTP receives and sends packs. */
const servedPack = /\.git\/git-((?:upload|receive)-pack)(?:\?|$)/

export type AppOptions = {
  config: Config
  clock: Clock
  logStream?: { write(line: string): void }
  onQuery?: (sql: string) => void
  onAnswer?: MountOptions['onAnswer']
  body_ms?: number
  /** The other workers of the server, where BLOOMERY_WORKERS asks for several. */
  peers?: Peers
  /** In place of the mail server of the settings. */
  sendEmail?: SendEmail
  /** Runs the command that takes a backup, and returns its output. */
  runBackup?: (backups: BackupsConfig) => Promise<string>
}

export type App = {
  server: FastifyInstance
  db: Db
  git: GitAccess
  worker: Pick<Worker<unknown>, 'start' | 'drain'>
  /** Undefined on SQLite, whose file has one server. */
  nodes: Pick<NodeRegistry, 'start'> | undefined
  secretKey: Buffer
  /** How to sign in for the first time; only at the very first start. */
  firstSignIn: RootCredentials | undefined
  /** Serves git over SSH too, port 0 for one that is free; answers the port. Once, for it ends with the app. */
  listenForSsh: (host: string, port: number) => Promise<number>
  /** Serves by TLS too, by the certificate of the settings; answers the port. Ends with the app. */
  listenForTls: (host: string, tls: NonNullable<Config['tls']>) => Promise<number>
  /** Applies reloaded settings: the log level, and the certificate files they name. */
  applySettings: () => void
  /** Serves sites too, where settings say so; answers the ports. Once, for it ends with the app. */
  listenForPages: (host: string) => Promise<{ port?: number; tlsPort?: number }>
  /**
   * Says that the server is about to stop and, if others run on the same database, goes on serving until proxies have
   * noticed. Returns whether others run.
   */
  announceStop: () => Promise<boolean>
  close: () => Promise<void>
}

/** Logs a git process that was killed for its memory use, and what an operator can do. */
function logKilledForMemory(log: FastifyBaseLogger, ended: MemoryKillReport): void {
  const { subcommand, repository, held_bytes, isMachineShort } = ended
  const fields = { subcommand, repository, held_bytes }
  if (isMachineShort) {
    log.error(
      fields,
      'git process killed, out of memory: add memory, or raise BLOOMERY_GIT_MEMORY_MAX if it is set',
    )
  } else {
    log.warn(fields, 'git process killed, memory limit of one request exceeded')
  }
}

/** Opens everything and makes the servers, which do not listen yet. */
export async function createApp(options: AppOptions): Promise<App> {
  const { config, logStream, onQuery, onAnswer, body_ms, peers } = options
  const workers = peers?.count ?? 1
  let nodes: NodeRegistry | undefined
  let isStopping = false
  // Several servers have the time of their database in common.
  const clock: Clock = () => {
    const now = options.clock()
    return nodes?.clockOffset_ms ? new Date(now.getTime() + nodes.clockOffset_ms) : now
  }
  mkdirSync(config.data, { recursive: true, mode: 0o700 })
  const secretKey = await readSecretKey(join(config.data, 'secret.key'))
  const url = config.databaseUrl ?? join(config.data, 'bloomery.sqlite')
  const [db, git] = await Promise.all([
    openDatabase({ url, onQuery, writeTurn: peers?.writeTurn }),
    openGitAccess({
      searchPath: config.searchPath,
      cache: join(config.data, 'cache'),
      memory_bytes_max: config.gitMemory_bytes / workers,
      workers,
      now_ms: () => clock().getTime(),
      onEndedForMemory: (ended) => logKilledForMemory(server.log, ended),
      onNoBitmap: (skipped) =>
        server.log.warn(
          skipped,
          'bitmap skipped, not enough memory: clones of the repository take longer',
        ),
      onHelperLost: () =>
        server.log.error('spawn helper died, restarting: all its git processes were killed'),
    }),
  ])
  const firstSignIn = await bootstrapRoot(db, clock, config)
  // SQLite's file has one process that runs tasks, so whatever was under way when the last one died is taken up now.
  if (!config.databaseUrl && peers?.isFirst !== false) await makeInterruptedTasksDue(db, clock)
  const metrics = createMetrics({
    turns: () => git.git.turns.figures(),
    pool: () => readPoolStats(db),
    disks: () => listDisks(config),
    free_bytes_min: () => config.diskFreeMin_bytes,
  })
  const { storagesElsewhere, nodeUrl } = config
  const isOneOfOwners = nodeUrl !== undefined || Object.keys(storagesElsewhere).length > 0
  const forwarding = isOneOfOwners ? await import('./open-forwarding.ts') : undefined
  const findForwardedFacts = forwarding?.openForwardedFacts({ secretKey, clock })
  const server = createServer({
    config,
    clock,
    findForwardedFacts,
    logStream,
    body_ms,
    rewriteUrl: slashEncoder('/api/v4', endpoints),
    onFinished(request, status, duration_ms) {
      const route = routePatternOf(request) ?? 'none'
      metrics.observe({ method: request.method, route, status }, duration_ms)
      const service = request.method === 'POST' && servedPack.exec(request.raw.url ?? '')?.[1]
      if (service) metrics.countGit({ service, transport: 'http', isDone: status === 200 })
      return { user_id: callerIdOf(request) }
    },
  })
  nodes = await joinNodes()
  const endCounts = subscribeToS3Calls(metrics.countStorageCall)
  const endReports = subscribeToS3Failures((cause) =>
    server.log.error({ err: cause }, 'object storage call failed'),
  )
  const services = { db, git, clock, config, secretKey }
  const forwarder = forwarding?.openForwarding(services, {
    server,
    look: async () => nodes?.lookAgain(),
  })
  if (config.smtp) enableNotifications(db)
  const streams = new StreamHub({
    db,
    clock,
    databaseUrl: config.databaseUrl,
    peers,
    countElsewhere: peers && ((holder) => sumOverPeers(peers, 'event_streams', holder)),
    onError: (error) => logFailure(server.log, error, { event: 'event streams failed' }),
  })
  peers?.onRequest('event_streams', async (holder: string) => streams.countOf(holder))
  // Monitors are answered whatever becomes of the database.
  server.addHook('onRequest', ({ raw }, _reply, done) => {
    const ending = raw.url?.startsWith('/-/') ? undefined : ensureMembershipsExpired(services)
    if (ending) ending.then(() => done(), done)
    else done()
  })
  const authenticator = {
    byToken: (token: string, use?: { isRotation: boolean }) =>
      authenticateByToken(db, clock, token, use),
    byJobToken: (token: string) => authenticateJobToken({ db, clock }, token),
    bySession: (cookie: string, request: { ip: string; allowsExpiredPassword: boolean }) =>
      authenticateSession(db, clock, cookie, request),
    bySudo: (use: SudoRequest) => authenticateSudo(db, clock, use),
  }
  const rateLimiter = new RateLimiter(() => config.rateLimits, {
    clock,
    readSet: () => readRateLimits(db),
  })
  await server.register(
    async (api) => {
      mountEndpoints(api, endpoints, {
        ...services,
        authenticator,
        rateLimiter,
        forwarder,
        onAnswer,
      })
      mountRunner(api, services)
      mountOpenApi(api, endpoints, config)
    },
    { prefix: '/api/v4' },
  )
  // All that is left of version 3, for clients that sign in by it (docs/api/conventions.md, "Requests").
  const signedInUser = endpoints.filter(({ method, path }) => method === 'GET' && path === '/user')
  await server.register(
    async (api) =>
      mountEndpoints(api, signedInUser, { ...services, authenticator, rateLimiter }, '/user'),
    { prefix: '/api/v3' },
  )
  const check = async () => void (await sql`select 1`.execute(db))
  const readLanes = () => readLaneStats(db, clock())
  let readMetrics = () => metrics.registry.metrics()
  let disconnectPeers = () => {}
  if (peers) {
    const { connectPeers, readAllMetrics } = await import('./connect-peers.ts')
    disconnectPeers = connectPeers(peers, { ...services, rateLimiter, metrics })
    readMetrics = () => readAllMetrics(peers, metrics)
  }
  let counts: SharedCounts | undefined
  if (config.databaseUrl !== undefined) {
    const { SharedCounts: Counts } = await import('./share-counts.ts')
    const onError = (error: unknown) =>
      logFailure(server.log, error, { event: 'sharing of counts failed' })
    counts = new Counts({ db, clock, config, rateLimiter, onError }, config.databaseUrl)
  }
  // Its workers are nodes too.
  nodes?.onOthers((others) => {
    counts?.setOthersRun(others.length > 0 || peers !== undefined)
    forwarder?.setNodes(others)
  })
  mountHealth(
    server,
    { check, isStopping: () => isStopping, readLanes, readMetrics, config },
    metrics,
  )
  const endWatch = watchEventLoop((stall) => {
    metrics.countStall(stall)
    server.log.warn(stall, 'event loop stalled')
  })
  await server.register(async (app) => mountAssets(app))
  await server.register(async (app) => mountAvatars(app, services))
  await server.register(async (app) => mountAccounts(app, { ...services, rateLimiter }))
  await server.register(async (app) => mountOauth(app, { ...services, authenticator, rateLimiter }))
  await server.register(async (app) =>
    mountAddresses(app, { ...services, authenticator, rateLimiter, forwarder }),
  )
  await server.register(async (app) =>
    mountGraphql(app, { db, config, authenticator, rateLimiter }),
  )
  await server.register(async (app) =>
    mountPagesVisits(app, { ...services, authenticator, rateLimiter }),
  )
  const sites = new PagesServer({ ...services, authenticator, log: server.log })
  let ssh: GitSsh | undefined
  let tls: TlsListener | undefined
  const worker = new Worker({
    db,
    clock,
    tasks: families.flatMap(({ tasks = [] }) => tasks),
    uses: {
      db,
      git,
      clock,
      config,
      secretKey,
      sendEmail: options.sendEmail ?? openMailOf(config, clock, server),
      async runBackup(backups) {
        const target = backups.s3?.name ?? backups.to
        const begun_ms = monotonic_ms()
        if (!options.runBackup) throw new Error('This process cannot run the backup command.')
        const output = await options.runBackup(backups)
        const duration_ms = Math.round(monotonic_ms() - begun_ms)
        server.log.info({ target, duration_ms, output }, 'backup completed')
      },
    },
    ...(forwarder && {
      storages: Object.keys(config.storages),
      runWithMirrors: (run) => forwarder.runWithMirrors(run),
    }),
    // Packing makes room in the end, and takes some first.
    isHeld: (lane) =>
      lane === 'upkeep' && listDisks(config).some((disk) => isNearlyFull(config, disk)),
    onError(error, run) {
      if (run) metrics.countTaskFailure(run)
      logTaskFailure(server.log, error, run)
    },
  })
  return {
    server,
    db,
    git,
    worker,
    nodes,
    secretKey,
    firstSignIn,
    async listenForSsh(host, port) {
      // Loaded only where it is wanted, and not before HTTP answers: the protocol takes 20 MB.
      const transport = await import('./transports/git-ssh/git-ssh.ts')
      ssh = new transport.GitSsh({
        services,
        log: server.log,
        countElsewhere: peers && ((address) => sumOverPeers(peers, 'ssh_connections', address)),
        forward: forwarder?.forwardCommand,
        onCommand(name, isDone) {
          const service = /^git[ -]((?:upload|receive)-pack)$/.exec(name)?.[1]
          if (service) metrics.countGit({ service, transport: 'ssh', isDone })
        },
        baseUrlAt: (address) => config.url ?? urlAt(address, server, config),
      })
      peers?.onRequest('ssh_connections', async (address: string) => ssh?.countOf(address))
      return ssh.listen(host, port)
    },
    async listenForTls(host, { cert, key, port }) {
      const listener = new TlsListener(server, { cert, key })
      const taken = await listener.listen(host, port)
      tls = listener
      return taken
    },
    applySettings() {
      server.log.level = config.logLevel
      tls?.reload()
    },
    async listenForPages(host) {
      const { port, tlsPort } = config.pages
      return {
        ...(port === undefined ? {} : { port: await sites.listen(host, port) }),
        ...(tlsPort === undefined ? {} : { tlsPort: await sites.listenSecurely(host, tlsPort) }),
      }
    },
    async announceStop() {
      // Without its database it cannot know, and does not wait to be told.
      const unknown = setTimeout(limits.nodes.stop_question_ms, false)
      const asked = nodes?.doOthersRun(workers).catch(() => false) ?? false
      if (!(await Promise.race([asked, unknown]))) return false
      isStopping = true
      server.log.warn('server stops, others on its database go on')
      // What is answered from now on ends its connection, so that a proxy opens its next one elsewhere.
      server.server.maxRequestsPerSocket = 1
      tls?.endConnections()
      await setTimeout(limits.nodes.stop_notice_ms)
      return true
    },
    async close() {
      endWatch()
      disconnectPeers()
      closeJobQueue(db)
      nodes?.onOthers(() => {})
      await counts?.end()
      await streams.close()
      // The connection of a request that is still answered ends soon after, and not when its client lets go of it.
      server.server.keepAliveTimeout = 1
      await Promise.all([server.close(), tls?.close(), sites.close(), ssh?.close(), worker.stop()])
      await nodes?.leave()
      forwarder?.close()
      endCounts()
      endReports()
      await closeGitAccess(git)
      await db.destroy()
    },
  }

  async function joinNodes(): Promise<NodeRegistry | undefined> {
    if (config.databaseUrl === undefined) return undefined
    const onError = (error: unknown) =>
      logFailure(server.log, error, { event: 'node registry failed' })
    try {
      return await NodeRegistry.join({ db, git, config, secretKey, clock: systemClock, onError })
    } catch (error) {
      await closeGitAccess(git)
      await db.destroy()
      throw error
    }
  }
}

function openMailOf(config: Config, clock: Clock, server: FastifyInstance): SendEmail | undefined {
  const { smtp, url = '', mailFrom } = config
  if (!smtp) return undefined
  return createEmailSender({
    server: smtp,
    from: mailFrom,
    host: new URL(url).hostname,
    clock,
    onRefused: (error) => server.log.warn({ err: error }, 'email rejected'),
  })
}

/** Returns the URL of the web pages for a client that used the given address of this server. */
function urlAt(address: string, server: FastifyInstance, config: Config): string {
  const listening = server.server.address()
  const port = listening !== null && typeof listening === 'object' ? listening.port : config.port
  const host = address.replace(/^::ffff:(?=\d)/, '')
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The key that seals secrets at rest: made once, whichever server is first, readable by its owner alone. */
async function readSecretKey(path: string): Promise<Buffer> {
  if (!existsSync(path)) await writeFileIfMissing(path, randomBytes(32))
  chmodSync(path, 0o600)
  const key = readFileSync(path)
  if (key.length !== 32) throw new Error(`${path} must hold a key of 32 bytes, not ${key.length}.`)
  return key
}
