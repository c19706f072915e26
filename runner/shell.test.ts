import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildScript, findShell, quoteForShell, runScript, type ShellProgram } from './shell.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bloomery-shell-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function run(
  commands: string[],
  {
    shell: name = 'bash',
    environment = {},
    signal = new AbortController().signal,
    onText = () => {},
  }: {
    shell?: ShellProgram['name']
    environment?: Record<string, string>
    signal?: AbortSignal
    onText?: (text: string) => void
  } = {},
): Promise<{ status: number; output: string }> {
  const path = join(folder, 'script')
  const shell = name === 'bash' ? findShell(process.env.PATH ?? '') : findShell('')
  writeFileSync(path, buildScript(commands, { shell, isTraced: false }))
  let output = ''
  const status = await runScript({
    shell,
    path,
    folder,
    environment: { PATH: process.env.PATH ?? '', ...environment },
    onOutput: (bytes) => {
      output += bytes
      onText(output)
    },
    signal,
    grace_ms: 300,
  })
  return { status, output }
}

/** The commands as they are shown, taken out again. */
const printed = (output: string) =>
  output.split('\n').filter((line) => line !== '' && !line.startsWith('\u001b[32;1m$ '))

const isAlive = (pid: number) => {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

describe.each(['bash', 'sh'] as const)('a script run by %s', (shell) => {
  it('shows each command before what it prints, and errors in their place', async () => {
    const { status, output } = await run(['echo one', 'echo two >&2', "echo 'a'\necho b"], {
      shell,
    })
    expect(status).toBe(0)
    expect(output).toBe(
      [
        '\u001b[32;1m$ echo one\u001b[0;m\none\n',
        '\u001b[32;1m$ echo two >&2\u001b[0;m\ntwo\n',
        "\u001b[32;1m$ echo 'a' # and 1 more lines\u001b[0;m\na\nb\n",
      ].join(''),
    )
  })

  it('ends at the first command that fails, with its status', async () => {
    const { status, output } = await run(['echo one', '(exit 42)', 'echo never'], { shell })
    expect(status).toBe(42)
    expect(printed(output)).toEqual(['one'])
  })

  it('keeps variables and folders from command to command', async () => {
    const { output } = await run(['mkdir d', 'cd d', 'X=1', 'echo "$X $(basename "$PWD")"'], {
      shell,
    })
    expect(printed(output)).toEqual(['1 d'])
  })

  it('has the environment it is given and nothing of the runner', async () => {
    const { output } = await run(['env | sort'], { shell, environment: { A: 'b\nc' } })
    const names = printed(output).map((line) => line.split('=')[0])
    const own = ['_', 'OLDPWD', 'PWD', 'SHLVL']
    expect(names.filter((name) => !own.includes(name ?? ''))).toEqual(['A', 'PATH', 'c'].sort())
  })

  it('kills what it left in the background', async () => {
    const { output } = await run(['sleep 60 & echo "pid $!"', 'sh -c "sleep 60 & echo pid \\$!"'], {
      shell,
    })
    const pids = printed(output).map((line) => Number(line.replace('pid ', '')))
    expect(pids).toHaveLength(2)
    await expect.poll(() => pids.filter(isAlive)).toEqual([])
  })

  it('waits for its own background work and nothing else', async () => {
    const { status, output } = await run(['(sleep 0.1; echo done) &', 'wait'], { shell })
    expect(status).toBe(0)
    expect(printed(output)).toEqual(['done'])
  })
})

describe('a script that is ended', () => {
  it('is asked first, with all it started, and killed if it does not go', async () => {
    const abort = new AbortController()
    const reason = new Error('cancelled')
    let seen = ''
    const running = run(
      [
        "trap 'echo asked' TERM",
        'sh -c "trap \'\' TERM; echo pid \\$\\$; while :; do sleep 0.1; done"',
      ],
      {
        signal: abort.signal,
        onText: (text) => {
          seen = text
          if (/^pid \d+$/m.test(text)) abort.abort(reason)
        },
      },
    )
    await expect(running).rejects.toBe(reason)
    const pid = Number(/^pid (\d+)$/m.exec(seen)?.[1])
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  it('does not begin where it is ended already', async () => {
    await expect(run(['touch x'], { signal: AbortSignal.abort('no') })).rejects.toBe('no')
    expect(() => readFileSync(join(folder, 'x'))).toThrow()
  })
})

it('runs whatever search path the job has', async () => {
  const { status, output } = await run(['echo "in $PATH"'], { environment: { PATH: '/nowhere' } })
  expect(status).toBe(0)
  expect(printed(output)).toEqual(['in /nowhere'])
})

it('fails with the status of a signal', async () => {
  expect((await run(['kill -KILL $$'])).status).toBe(137)
})

it('stops a pipe that fails in bash', async () => {
  expect((await run(['false | cat', 'echo never'])).status).toBe(1)
})

it('finds a shell on the search path', () => {
  expect(findShell(process.env.PATH ?? '').name).toBe('bash')
  expect(findShell('/nowhere')).toEqual({ name: 'sh', path: '/bin/sh' })
  expect(quoteForShell("it's $A")).toBe("'it'\\''s $A'")
})
