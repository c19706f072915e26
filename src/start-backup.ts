// Runs `bloomery backup` as a separate process, so that a backup neither blocks nor grows the server.
import { type ChildProcess, spawn } from 'node:child_process'

/** How much of the output is kept for the log and for error messages. */
const output_characters_max = 4_000

export class BackupProcess {
  readonly #program: string
  readonly #environment: Record<string, string | undefined>
  readonly #children = new Set<ChildProcess>()

  /** `program` is the path of main.ts; `environment` has the settings and the credentials of S3. */
  constructor(program: string, environment: Record<string, string | undefined>) {
    this.#program = program
    this.#environment = environment
  }

  /**
   * Backs up the server to `to` and keeps the newest `keep` backups. Returns the output. Throws an Error with the error
   * output if the command fails or is stopped.
   */
  async run({ to, keep }: { to: string; keep: number }): Promise<string> {
    const args = [this.#program, 'backup', '--to', to, '--keep', String(keep)]
    const child = spawn(process.execPath, args, {
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#children.add(child)
    const output = collect(child.stdout)
    const errors = collect(child.stderr)
    try {
      await new Promise<void>((resolve, reject) => {
        child.once('error', reject)
        child.once('close', (status, signal) => {
          if (status === 0) resolve()
          else reject(new Error(errors().trim() || `bloomery backup ended by ${signal ?? status}.`))
        })
      })
    } finally {
      this.#children.delete(child)
    }
    return output().trim()
  }

  /** Stops running backups; their task takes them again. A later backup deletes what they have written. */
  async stop(): Promise<void> {
    await Promise.all([...this.#children].map(stopChild))
  }
}

/** Returns a function that returns the end of what the stream has had. */
function collect(stream: NodeJS.ReadableStream): () => string {
  let text = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    text = (text + chunk).slice(-output_characters_max)
  })
  return () => text
}

async function stopChild(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGTERM')
  await gone
}
