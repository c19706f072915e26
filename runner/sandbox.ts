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
  /** An empty folder that nothing else uses: the new root folder is put together there. */
  root: string
  /** Folders that the script may write in. */
  writable: readonly string[]
  /** Files and folders that it may read, beside the programs and settings of the machine. */
  readable: readonly string[]
  /** The folder that it finds as `/tmp`. */
  temporary: string
  /** Files and folders that it does not see although they lie in a folder of programs. */
  hidden: readonly string[]
}

/** The command to run in a sandbox. */
export type SandboxedCommand = {
  folder: string
  /** The path of the program, and its arguments. */
  command: readonly [string, ...string[]]
  /** All of its environment. */
  environment: Record<string, string>
  /** TCP ports of its own loopback addresses where connections are taken for it. */
  ports: readonly number[]
  /** Gets what listens on such a port: its connections arrive here, outside the sandbox. */
  onListening: (port: number, server: Server) => void
  /** Called when the sandbox is made and the program is what runs next. */
  onReady: () => void
}

/** Folders with programs, libraries and settings. Nothing else of the machine is visible. */
const systemFolders = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'],
  ...['/etc', '/opt', '/nix', '/snap', '/gnu'],
]

/** Runs inside: opens the ports, then becomes the command. */
const starter = join(import.meta.dirname, 'sandbox-start.mjs')

/** Where the programs that create the sandbox are looked up; the job's search path is not used. */
const searchPath = '/usr/sbin:/usr/bin:/sbin:/bin'

/** Makes the sandbox from within; says itself what its arguments are. */
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
    // Nothing that a job says is in the environment of programs that run outside.
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
  // Undelivered where the sandbox could not be made: then it says so and ends.
  child.send({ command: command.command, environment, ports }, () => {})
  return child
}

/** Kinds and paths of all that is mounted, in their order. */
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

/** Settings that this user may read and not everybody on the machine may, three levels deep. */
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
