// Real git over SSH against a listening server.
import { join } from 'node:path'
import ssh2, { type Client, type ClientChannel, type ConnectConfig } from 'ssh2'
import type { Project } from '../../src/subjects/project.ts'
import type { Client as ApiClient, TestApp } from './app.ts'
import { atFileEnd } from './file-end.ts'
import { type GitOptions, type GitWorld, newGitWorld, WorkingCopy } from './git.ts'
import { type KeyPair, newKeyPair } from './ssh-key.ts'
import type { Who } from './world.ts'

export type SshWorld = GitWorld & {
  sshPort: number
  /** The private key of one of the world's people, added on first use. */
  keyOf: (who: Exclude<Who, 'anonymous'>) => Promise<KeyPair>
  /** A new key of somebody's. */
  addKey: (client: ApiClient, fields?: object) => Promise<KeyPair & { id: number }>
  sshUrl: (project: Pick<Project, 'full_path'>) => string
  /** What git needs in its environment to offer these keys, in this order. */
  env: (...keys: KeyPair[]) => Record<string, string>
  /** A clone over SSH whose further commands offer the same keys. */
  cloneOverSsh: (project: Project, key: KeyPair, args?: string[]) => Promise<SshCopy>
  /** A new working copy with `origin` set that offers the key. */
  beginOverSsh: (project: Project, key: KeyPair) => Promise<SshCopy>
  /** Signed in as the holder of the key; without one, whatever the options say. */
  connect: (key: KeyPair | undefined, options?: ConnectConfig) => Promise<Client>
}

/** A working copy that speaks SSH with a key of its own. */
export class SshCopy extends WorkingCopy {
  readonly #env: Record<string, string>

  constructor(env: Record<string, string>, path?: string) {
    super(path)
    this.#env = env
  }

  override run(args: readonly string[], options: GitOptions = {}) {
    return super.run(args, { ...options, env: { ...this.#env, ...options.env } })
  }
}

const program = `'${process.execPath}' '${join(import.meta.dirname, 'ssh-client.ts')}'`
const clients = new Set<Client>()
let listening: Promise<number> | undefined

/** The channel of a command that was begun. */
export function openChannel(client: Client, command: string): Promise<ClientChannel> {
  return new Promise((resolve, reject) => {
    client.exec(command, (error, channel) => (error ? reject(error) : resolve(channel)))
  })
}

function startListening(app: TestApp): Promise<number> {
  atFileEnd(() => {
    for (const client of clients) client.destroy()
    clients.clear()
    listening = undefined
  })
  return app.listenForSsh('127.0.0.1', 0)
}

export async function newSshWorld(settings: Record<string, string> = {}): Promise<SshWorld> {
  const world = await newGitWorld(settings)
  listening ??= startListening(world.app)
  const sshPort = await listening
  const known = new Map<Who, Promise<KeyPair>>()
  const addKey: SshWorld['addKey'] = async (client, fields = {}) => {
    const pair = newKeyPair()
    const answer = await client.post('/user/keys', { title: 'k', key: pair.public, ...fields })
    if (answer.statusCode !== 201) throw new Error(answer.body)
    return { ...pair, id: answer.json().id }
  }
  const keyOf: SshWorld['keyOf'] = (who) => {
    const key = known.get(who) ?? addKey(world.as(who))
    known.set(who, key)
    return key
  }
  const env: SshWorld['env'] = (...keys) => ({
    GIT_SSH_COMMAND: program,
    GIT_SSH_VARIANT: 'ssh',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
    TEST_SSH_KEYS: JSON.stringify(keys.map((key) => key.private)),
  })
  const sshUrl: SshWorld['sshUrl'] = ({ full_path }) =>
    `ssh://git@127.0.0.1:${sshPort}/${full_path}.git`
  const beginOverSsh: SshWorld['beginOverSsh'] = async (project, key) => {
    const copy = new SshCopy(env(key))
    await copy.must(['init', '--quiet'])
    await copy.must(['remote', 'add', 'origin', sshUrl(project)])
    return copy
  }
  return {
    ...world,
    sshPort,
    keyOf,
    addKey,
    sshUrl,
    env,
    beginOverSsh,
    async cloneOverSsh(project, key, args = []) {
      const copy = new SshCopy(env(key))
      await copy.must(['clone', '--quiet', ...args, sshUrl(project), '.'])
      return copy
    },
    connect: (key, options = {}) =>
      new Promise((resolve, reject) => {
        const client = new ssh2.Client()
        clients.add(client)
        client.once('ready', () => resolve(client)).once('error', reject)
        client.once('close', () => {
          clients.delete(client)
          reject(new Error('The server has closed the connection.'))
        })
        const place = { host: '127.0.0.1', port: sshPort, username: 'git' }
        client.connect({ ...place, privateKey: key?.private, ...options })
      }),
  }
}

export type Spoken = { status: number | null; stdout: string; stderr: string }

/** Runs one command on a connection to its end; undefined asks for a shell. */
export function speak(
  client: Client,
  command: string | undefined,
  { env = {}, stdin }: { env?: Record<string, string>; stdin?: Buffer } = {},
): Promise<Spoken> {
  return new Promise((resolve, reject) => {
    const listen = (error: Error | undefined, channel: ClientChannel) => {
      if (error) return reject(error)
      const spoken: Spoken = { status: null, stdout: '', stderr: '' }
      channel.on('data', (data: Buffer) => {
        spoken.stdout += data.toString('latin1')
      })
      channel.stderr.on('data', (data: Buffer) => {
        spoken.stderr += data.toString()
      })
      channel.on('exit', (status: number) => {
        spoken.status = status
      })
      channel.on('close', () => resolve(spoken))
      if (stdin) channel.end(stdin)
    }
    if (command === undefined) client.shell(false, listen)
    else client.exec(command, { env }, listen)
  })
}
