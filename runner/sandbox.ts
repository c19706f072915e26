// The sandbox of a script: Linux namespaces, created with programs of util-linux as an ordinary user. The script has its
// own root folder, processes and network; SECURITY.md ("Jobs of pipelines") says what it guarantees.
import { type ChildProcess, spawn } from 'node:child_process'
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { Server } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, isAbsolute, join } from 'node:path'

/** What a script sees of the machine. All paths are absolute, and the same inside and outside. */
export type SandboxView = {
  /** An empty folder for exclusive use, where the new root folder is mounted. */
  root: string
  /** Folders that the script may write to. */
  writable: readonly string[]
  /** Files and folders that the script may read, besides programs and settings of the machine. */
  readable: readonly string[]
  /** The folder that is `/tmp` in the sandbox. */
  temporary: string
  /** Files and folders that are hidden from the script although they are inside of readable folders. */
  hidden: readonly string[]
}

/** The command to run in a sandbox. */
export type SandboxedCommand = {
  folder: string
  /** The path of the program and its arguments. */
  command: readonly [string, ...string[]]
  /** The complete environment. */
  environment: Record<string, string>
  /** TCP ports on the sandbox's loopback addresses whose connections are forwarded. */
  ports: readonly number[]
  /** Gets the server that receives the connections of a port, outside of the sandbox. */
  onListening: (port: number, server: Server) => void
  /** Called when the sandbox is complete, right before the program starts. */
  onReady: () => void
}

/** Folders with programs, libraries and settings. Nothing else of the machine is visible. */
const systemFolders = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'],
  ...['/etc', '/opt', '/nix', '/snap', '/gnu'],
]

/** Runs inside of the sandbox: opens the ports, then executes the command. */
const starter = join(import.meta.dirname, 'sandbox-start.mjs')

/** Where the programs that create the sandbox are looked up; the job's search path is not used. */
const searchPath = '/usr/sbin:/usr/bin:/sbin:/bin'

/** The script that sets up the sandbox from inside. It documents its arguments. */
const enter = join(import.meta.dirname, 'sandbox.sh')

/** Starts a command in a sandbox, as the first of a process group. Its output and errors are one stream, `stdout`. */
export function spawnSandboxed(view: SandboxView, command: SandboxedCommand): ChildProcess {
  const ids = [String(process.getuid?.()), String(process.getgid?.())]
  const child = spawn(
    '/bin/sh',
    [
      ...['-c', 'exec unshare "$@" 2>&1', 'sh'],
      ...['--user', '--map-root-user', '--mount', '--net', '--pid', '--ipc', '--uts', '--fork'],
      ...['--kill-child=SIGKILL', '--', '/bin/sh', enter],
      ...[view.root, ...ids, command.folder, ...listPairs(view)],
      ...['--', process.execPath, starter],
    ],
    // Programs outside of the sandbox get no environment variables of the job.
    {
      env: { PATH: searchPath },
      stdio: ['ignore', 'pipe', 'ignore', 'pipe', 'ipc'],
      detached: true,
    },
  )
  const { environment, ports } = command
  child.on('message', ({ port, isReady }: { port?: number; isReady?: boolean }, server) => {
    if (port !== undefined && server instanceof Server) command.onListening(port, server)
    if (isReady) command.onReady()
  })
  // The error is ignored: if the sandbox could not be created, it reports that itself and exits.
  child.send({ command: command.command, environment, ports }, () => {})
  return child
}

/** Returns the types and paths of all mounts, in order. */
function listPairs({ readable, writable, temporary, hidden }: SandboxView): string[] {
  const system = systemFolders.flatMap((path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (!stats) return []
    return [[stats.isSymbolicLink() ? 'link' : 'readable', path]]
  })
  return [
    ...system,
    ['temporary', temporary],
    ...[...listPrivateSettings('/etc'), ...hidden].map((path) => ['hidden', path]),
    ...[process.execPath, starter, ...readable].map((path) => ['readable', path]),
    ...writable.map((path) => ['writable', path]),
  ].flat()
}

/** Lists settings that this user may read but not everyone on the machine, up to three levels deep. */
function listPrivateSettings(folder: string, levels = 3): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isSymbolicLink() || !isReadable(path)) return []
    if ((lstatSync(path).mode & 0o004) === 0) return [path]
    return entry.isDirectory() && levels > 1 ? listPrivateSettings(path, levels - 1) : []
  })
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}

/** Returns the folders of a search path that are outside of the system's folders, with the libraries next to them. */
export function listProgramFolders(path: string): string[] {
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && folder !== '/')
    .filter((folder) => !systemFolders.some((one) => `${folder}/`.startsWith(`${one}/`)))
    .flatMap((folder) => [folder, join(dirname(folder), 'lib')])
    .filter((folder) => existsSync(folder) && statSync(folder).isDirectory())
}

/** Why no sandbox can be made here, or undefined where one can: one is made, and tried. */
export async function findSandboxProblem(): Promise<string | undefined> {
  if (process.platform !== 'linux') return `the system is ${process.platform}, not Linux`
  const folder = mkdtempSync(join(tmpdir(), 'bloomery-sandbox-'))
  try {
    return await new Promise((resolve) => {
      let output = ''
      const child = spawnSandboxed(
        { root: folder, writable: [], readable: [], temporary: folder, hidden: [] },
        {
          folder: '/',
          command: ['/bin/sh', '-c', 'exit 0'],
          environment: { PATH: searchPath },
          ports: [],
          onListening: () => {},
          onReady: () => {},
        },
      )
      child.stdout?.on('data', (text) => {
        output += text
      })
      child.once('error', (error) => resolve(error.message))
      child.once('close', (code) => {
        resolve(code === 0 ? undefined : output.trim().split('\n').at(-1) || `exit code ${code}`)
      })
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
