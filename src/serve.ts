import { type App, createApp } from './app.ts'
import { isRestoreUnfinished } from './backup/restore-marker.ts'
import { findBlobProblem, writeBlobMarker } from './blobs/blob-marker.ts'
import { blobStoreOf, probeBlobStorage } from './blobs/blob-store.ts'
import { openPeers, type Peers } from './cluster/peers.ts'
import { type Config, ConfigError } from './config.ts'
import { failOrphanedJobsOfBuiltinRunner } from './features/delivery/jobs/job.tasks.ts'
import {
  ensureBuiltinRunner,
  waitForJobOfBuiltinRunner,
} from './features/delivery/runners/builtin-runner.ts'
import { NodeConflictError } from './features/operating/nodes/node-conflict-error.ts'
import { sshBaseUrl } from './http/base-url.ts'
import { systemClock } from './kernel/clock.ts'
import { type LiveConfig, openConfig } from './live-config.ts'
import { BackupProcess } from './start-backup.ts'
import { BuiltinRunner } from './start-runner.ts'

const usage = `Usage: bloomery <command>

  serve                  starts the server
  migrate                runs pending migrations of the database
  backup, restore        backs up a running server, restores a backup
  blobs move             moves blobs from the disk to S3, or back
  admin                  administers users, background tasks and stored data
  health                 checks whether the server on this machine is ready
  ci lint|plan <file>    checks a pipeline configuration, shows the pipeline it creates
  runner run|register    runs jobs for a server, registers a runner

Run a command with --help for its options. Settings are read from the environment and bloomery.json.
`

/**
 * How long running requests may take when the server stops: for a single server, where nobody else serves meanwhile, and
 * for one of several.
 */
const drain_ms_max = { alone: 25_000, besideOthers: 600_000 }

/**
 * `serve`: runs everything in one process until SIGTERM or SIGINT. `worker first|further <count> [replacement]` runs one
 * of several workers, started by a supervisor (src/cluster). `warm-up` exits when all sources are compiled, to fill the
 * compile cache.
 */
export async function runServer(
  args: readonly string[],
  environment: Record<string, string | undefined>,
  program: string,
): Promise<void> {
  if (args[0] === 'warm-up') {
    // All of the server is imported by now, but for its helper, which is a process of its own, and SSH.
    await import('./git/spawn-helper.ts')
    await import('./transports/git-ssh/git-ssh.ts')
    await import('../runner/main.ts')
    return
  }
  const [command, role, count, ...notes] = args
  if (command === 'worker' && process.send) {
    const isReplacement = notes.includes('replacement')
    await serve(
      { environment, program },
      openPeers({ isFirst: role === 'first', count: Number(count), isReplacement }),
    )
    // One that could not start is kept alive by nothing but the channel to its supervisor.
    if (process.exitCode !== undefined) process.exit()
    return
  }
  if (args.length !== 1 || command !== 'serve') {
    const isAsked = command === '--help' || command === 'help'
    ;(isAsked ? process.stdout : process.stderr).write(usage)
    process.exitCode = isAsked ? 0 : 2
    return
  }
  await serve({ environment, program })
}

async function serve(
  { environment, program }: { environment: Record<string, string | undefined>; program: string },
  peers?: Peers,
): Promise<void> {
  let live: LiveConfig
  try {
    live = openConfig(environment)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 2
    return
  }
  const { config } = live
  if (isRestoreUnfinished(config.data)) {
    process.stderr.write(
      'The last restore into this data folder did not finish. Run it again with --overwrite.\n',
    )
    process.exitCode = 1
    return
  }
  const blobProblem = findBlobProblem(config)
  if (blobProblem !== undefined) {
    process.stderr.write(`${blobProblem}\n`)
    process.exitCode = 1
    return
  }
  const backups = new BackupProcess(program, environment)
  let app: App
  try {
    app = await createApp({
      config,
      clock: systemClock,
      peers,
      runBackup: (wanted) => backups.run(wanted),
    })
  } catch (error) {
    if (!(error instanceof NodeConflictError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
    return
  }
  writeBlobMarker(config)
  probeBlobStorage(blobStoreOf(config))
  const runner = new BuiltinRunner()
  stopOnSignal(app, { runner, backups }, peers)
  let opened: Listening
  try {
    opened = await listen(app, config)
  } catch (error) {
    const problem = describePortInUse(error)
    if (problem === undefined) throw error
    // The data folder may be new, and its first sign-in is shown only once.
    process.stderr.write([problem, ...describeFirstSignIn(app), ''].join('\n'))
    await app.close()
    process.exitCode = 1
    return
  }
  const { address, listeners } = opened
  reloadOnSignal(app, live, peers)
  app.nodes?.start()
  const isFirst = peers?.isFirst !== false
  if (isFirst) await app.worker.start()
  const processes = peers ? [`Worker processes: ${peers.count}`] : []
  if (isFirst && !peers?.isReplacement)
    greet(app, config.url ?? address, [...listeners, describeRunner(config), ...processes])
  peers?.ready()
  if (isFirst && config.runner === 'builtin') {
    const token = await ensureBuiltinRunner(app.db, { clock: systemClock, key: app.secretKey })
    const { data, searchPath, databaseUrl } = config
    runner.start({
      url: address,
      token,
      data,
      searchPath,
      hidden: hiddenFromJobs(config),
      // SQLite's file has one server, hence one such runner.
      prepare: async () => {
        if (!databaseUrl) await failOrphanedJobsOfBuiltinRunner({ db: app.db, clock: systemClock })
      },
      waitForJob: (signal) =>
        waitForJobOfBuiltinRunner({ db: app.db, clock: systemClock, config }, signal),
    })
  }
}

/** The URL of HTTP, and the lines of the greeting about the other listeners. */
type Listening = { address: string; listeners: string[] }

/** Opens all listeners. */
async function listen(app: App, config: Config): Promise<Listening> {
  const address = await app.server.listen({ host: config.host, port: config.port })
  const tls = config.tls && (await app.listenForTls(config.host, config.tls))
  const byTls = tls === undefined ? [] : [`TLS: https://${hostIn(config.host)}:${tls}`]
  const ssh = await openSsh(app, config, address)
  const sites = describePages(config, await app.listenForPages(config.host))
  return { address, listeners: [...byTls, ssh, ...sites] }
}

/** Returns what to tell an operator when a port is taken; undefined for any other error. */
function describePortInUse(error: unknown): string | undefined {
  const { code, address, port } = error as NodeJS.ErrnoException & {
    address?: string
    port?: number
  }
  if (code !== 'EADDRINUSE') return undefined
  return `Port ${port} of ${address} is in use. Stop the program that listens there, or set another port (the one of HTTP is BLOOMERY_PORT).`
}

/** Files and folders with repositories and keys that may be outside the data folder. */
function hiddenFromJobs({ storages, tls, pages }: Config): string[] {
  const keys = [tls?.key, pages.tlsKey].filter((path) => path !== undefined)
  return [...Object.values(storages).map(({ path }) => path), ...keys]
}

/** Returns the lines of the greeting about listeners for sites. */
function describePages(
  { host }: Config,
  { port, tlsPort }: { port?: number; tlsPort?: number },
): string[] {
  const name = hostIn(host)
  return [
    ...(port === undefined ? [] : [`Pages: http://${name}:${port}`]),
    ...(tlsPort === undefined ? [] : [`Pages over TLS: https://${name}:${tlsPort}`]),
  ]
}

/** Returns the line of the greeting about the built-in runner. */
function describeRunner({ runner }: Config): string {
  if (runner === 'off') return 'Built-in runner: off.'
  return 'Built-in runner: on. CI jobs run on this machine, in a sandbox. BLOOMERY_RUNNER=off disables it.'
}

/**
 * Starts git over SSH and returns the line of the greeting about it. The server also starts without SSH if the
 * default port is in use; a port that is set must be free.
 */
async function openSsh(app: App, config: Config, address: string): Promise<string> {
  const { host, sshPort } = config
  if (sshPort === 0) return 'Git over SSH: off.'
  try {
    await app.listenForSsh(host, sshPort)
    return `Git over SSH: ${sshBaseUrl(config.url ?? address, sshPort)}`
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
    if (!isTaken || config.isSshPortGiven) throw error
    return `Git over SSH: off, port ${sshPort} is in use. Set BLOOMERY_SSH_PORT to another port.`
  }
}

function greet(app: App, address: string, parts: string[]): void {
  const lines = [`Bloomery serves ${address}`, ...parts, ...describeFirstSignIn(app)]
  if (app.firstSignIn) {
    const token = app.firstSignIn.token ?? '<token>'
    lines.push(`Try: curl -H "PRIVATE-TOKEN: ${token}" ${address}/api/v4/user`)
  }
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** Returns the lines that tell the administrator how to sign in, on the first start with a data folder. */
function describeFirstSignIn({ firstSignIn }: App): string[] {
  if (!firstSignIn) return []
  const { username, password, token } = firstSignIn
  return [
    `First start. Administrator: ${username}`,
    ...(password ? [`  password: ${password}`] : []),
    ...(token ? [`  token:    ${token}`] : []),
    'They are not shown again.',
  ]
}

function hostIn(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

/** Reloads settings and certificates on SIGHUP and logs the result. Workers get the message from their supervisor. */
function reloadOnSignal({ server, applySettings }: App, live: LiveConfig, peers?: Peers): void {
  const reload = () => {
    try {
      const { changed, waiting } = live.reload()
      server.log.warn({ changed, needs_restart: waiting }, 'settings reloaded')
      applySettings()
    } catch (error) {
      // The previous settings stay in effect.
      server.log.error({ err: error }, 'settings reload failed')
    }
  }
  if (peers) peers.onReload(reload)
  else process.on('SIGHUP', reload)
}

/**
 * The first signal lets running requests finish. A second one, or a timeout, exits at once. Workers get the message from
 * their supervisor; a terminal's Ctrl+C reaches both, so workers ignore it.
 */
function stopOnSignal(
  app: App,
  { runner, backups }: { runner: BuiltinRunner; backups: BackupProcess },
  peers?: Peers,
): void {
  let isStopping = false
  const stop = async () => {
    if (isStopping) process.exit(1)
    isStopping = true
    const areOthers = await app.announceStop()
    const drain_ms = areOthers ? drain_ms_max.besideOthers : drain_ms_max.alone
    setTimeout(() => process.exit(1), drain_ms).unref()
    // The runner still reports the results of its jobs to this server.
    await Promise.all([runner.stop(), backups.stop()])
    await app.close()
    process.exit(0)
  }
  if (peers) {
    peers.onStop(() => isStopping || void stop())
    process.on('SIGTERM', () => isStopping || void stop())
    for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
    return
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
