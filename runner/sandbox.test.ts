import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findProcesses } from '../test/kit/processes.ts'
import { JobMemory } from './job-memory.ts'
import { JobNetwork } from './job-network.ts'
import { findSandboxProblem, listProgramFolders } from './sandbox.ts'
import { buildScript, findShell, runScript } from './shell.ts'

let folder = ''
let server: HttpServer
let url = ''

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bloomery-sandbox-'))
  for (const name of ['root', 'tmp', 'project', 'secret']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'secret/key'), 'the key')
  server = createHttpServer((request, response) => {
    response.end(`${request.method} ${request.url} of ${request.headers.host}\n`)
  })
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

async function run(
  commands: string[],
  {
    environment = {},
    hidden = [],
    urls = [url],
    signal = new AbortController().signal,
    onStart,
  }: {
    environment?: Record<string, string>
    hidden?: string[]
    urls?: string[]
    signal?: AbortSignal
    onStart?: (pid: number) => void
  } = {},
): Promise<{ status: number; output: string }> {
  const path = join(folder, 'script')
  const shell = findShell(process.env.PATH ?? '')
  writeFileSync(path, buildScript(commands, { shell, isTraced: false }))
  let output = ''
  const status = await runScript({
    shell,
    path,
    folder: join(folder, 'project'),
    environment: { PATH: process.env.PATH ?? '', ...environment },
    sandbox: {
      view: {
        root: join(folder, 'root'),
        temporary: join(folder, 'tmp'),
        readable: [],
        writable: [join(folder, 'project')],
        hidden,
      },
      network: new JobNetwork(urls),
    },
    onStart,
    onOutput: (bytes) => {
      output += bytes
    },
    signal,
    grace_ms: 300,
  })
  const lines = output.split('\n').filter((line) => !line.startsWith('\u001b[32;1m$ '))
  return { status, output: lines.join('\n') }
}

it('can be made here', async () => {
  expect(await findSandboxProblem()).toBeUndefined()
})

describe('a script in a sandbox', () => {
  it('writes in its own folders, and nowhere else', async () => {
    const { status, output } = await run([
      'pwd',
      'echo made >made; echo there >/tmp/there',
      `for place in / /usr /etc /proc /home; do touch $place/x 2>/dev/null && echo wrote $place; done; true`,
      'ls /tmp /var/tmp',
    ])
    expect(output).toMatch(new RegExp(`^${folder}/project\n/tmp:\n`))
    expect(output).not.toContain('wrote')
    expect(status).toBe(0)
    expect(readFileSync(join(folder, 'project/made'), 'utf8')).toBe('made\n')
    expect(readFileSync(join(folder, 'tmp/there'), 'utf8')).toBe('there\n')
  })

  it('sees neither files of others nor what only the owner of a setting may read', async () => {
    const { output } = await run([
      `cat ${folder}/secret/key || echo no key`,
      `ls ${folder}`,
      'ls /home /root /mnt /srv /sys /var/lib 2>/dev/null | grep -v : || echo nothing',
      'cat /etc/shadow || true',
    ])
    expect(output).toContain('no key\nproject\nscript\n')
    expect(output).not.toContain('the key')
    expect(output).not.toMatch(/^root:/m)
  })

  it('does not see what is hidden, in a folder of programs too', async () => {
    const hidden = ['/usr/share', '/etc/passwd', '/nowhere']
    const { output } = await run(['ls /usr/share | wc -l', 'wc -c </etc/passwd'], { hidden })
    expect(output).toBe('0\n0\n')
  })

  it('has no right over the sandbox, and gets none', async () => {
    const { output } = await run([
      'grep -E "^(CapPrm|CapEff|CapAmb|NoNewPrivs)" /proc/self/status',
      'umount /proc 2>/dev/null || echo stays',
      'mount -t tmpfs none /tmp 2>/dev/null || echo mounts nothing',
      'unshare --user true 2>/dev/null || echo no namespace',
      'echo 1 2>/dev/null >/proc/sys/vm/swappiness || echo read-only',
    ])
    const none = '0000000000000000'
    expect(output).toBe(
      [
        ...[`CapPrm:\t${none}`, `CapEff:\t${none}`, `CapAmb:\t${none}`, 'NoNewPrivs:\t1'],
        ...['stays', 'mounts nothing', 'no namespace', 'read-only', ''],
      ].join('\n'),
    )
  })

  it('sees no process of the machine, and leaves none', async () => {
    let begun = 0
    const { output } = await run(
      [
        `kill -0 ${process.pid} 2>/dev/null || echo not there`,
        'setsid --fork sleep 77.25',
        'ls /proc | grep -c "^[0-9]"',
      ],
      { onStart: (pid) => (begun = pid) },
    )
    expect(output).toMatch(/^not there\n\d\n$/)
    expect(begun).toBeGreaterThan(0)
    expect(findProcesses((command) => command === 'sleep 77.25')).toEqual([])
  })

  it('says nothing to programs that run before it is in the sandbox', async () => {
    const environment = {
      PATH: '/nowhere',
      LD_PRELOAD: `${folder}/project/evil.so`,
      NODE_OPTIONS: `--require ${folder}/project/evil.js`,
      ENV: `${folder}/project/evil.sh`,
      BASH_ENV: `${folder}/project/evil.sh`,
      NODE_CHANNEL_FD: '1',
    }
    writeFileSync(join(folder, 'project/evil.js'), `require('fs').writeFileSync('/tmp/evil', '')`)
    writeFileSync(join(folder, 'project/evil.sh'), '[ -e /tmp/evil ] && echo evil came first')
    const { status, output } = await run(['echo "$NODE_OPTIONS $NODE_CHANNEL_FD"'], { environment })
    expect(status).toBe(0)
    expect(output).toContain(`--require ${folder}/project/evil.js 1\n`)
    expect(output).not.toContain('evil came first')
  })

  it('answers its status, and ends when it is told to', async () => {
    expect((await run(['exit 42'])).status).toBe(42)
    const ending = new AbortController()
    const ended = run(["trap '' TERM; while :; do sleep 0.05; done"], { signal: ending.signal })
    setTimeout(() => ending.abort(new Error('enough')), 700)
    await expect(ended).rejects.toThrow('enough')
  })

  it('is no script that failed where the sandbox cannot be made', async () => {
    rmSync(join(folder, 'tmp'), { recursive: true })
    await expect(run(['echo never'])).rejects.toThrow(
      'the sandbox of the script could not be started',
    )
  })
})

/** An address of this machine that is not loopback; undefined where it has none. */
function ownAddress(): string | undefined {
  const interfaces = Object.values(networkInterfaces()).flat()
  return interfaces.find((one) => one?.family === 'IPv4' && !one.internal)?.address
}

describe('the network of a sandbox', () => {
  const fetched = (address: string) =>
    `curl --silent --show-error --max-time 10 ${address} 2>&1 || true`

  it('reaches the server at its own address', async () => {
    const { output } = await run([
      fetched(`${url}/api`),
      fetched(`${url.replace('127.0.0.1', 'localhost')}/two`),
    ])
    const host = new URL(url).host
    expect(output).toBe(`GET /api of ${host}\nGET /two of localhost:${new URL(url).port}\n`)
  })

  it('reaches nothing else of the machine, whatever it is called', async () => {
    const other = createHttpServer((_request, response) => response.end('reached'))
    await new Promise<void>((resolve) => other.listen(0, '0.0.0.0', resolve))
    const { port } = other.address() as AddressInfo
    const own = ownAddress()
    const hosts = [
      ...['127.0.0.1', '127.1', '2130706433', '0.0.0.0', '[::1]', '[::ffff:127.0.0.1]'],
      ...['localhost', '169.254.169.254', ...(own === undefined ? [] : [own])],
    ]
    const proxy = '--noproxy "" --proxy "$http_proxy"'
    const { output } = await run(
      hosts.flatMap((host) => [
        `echo "${host}"`,
        fetched(`${proxy} http://${host}:${port}/`),
        fetched(`${proxy} --proxytunnel http://${host}:${port}/`),
      ]),
    )
    other.close()
    expect(output).not.toContain('reached')
    for (const host of hosts.slice(4)) {
      const name = host.replace(/[[\]]/g, '')
      expect(output).toContain('is an address of the machine that the runner is on')
      expect(output).toContain(name)
    }
    const { output: direct } = await run([
      `(exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null || echo refused`,
      '(exec 3<>/dev/tcp/169.254.169.254/80) 2>/dev/null || echo unreachable',
    ])
    expect(direct).toBe('refused\nunreachable\n')
  })

  it('leads by the proxy to the server at another of its addresses, also through a tunnel', async () => {
    const address = `http://${ownAddress() ?? '127.0.0.1'}:${new URL(url).port}`
    const proxy = '--noproxy "" --proxy "$http_proxy"'
    const { output } = await run(
      [
        fetched(`${proxy} ${address}/one`),
        fetched(`${proxy} --proxytunnel ${address}/two`),
        fetched(`${proxy} --data-binary @/usr/bin/env ${address}/three`),
      ],
      { urls: [address] },
    )
    const { host } = new URL(address)
    expect(output).toBe(`GET /one of ${host}\nGET /two of ${host}\nPOST /three of ${host}\n`)
  })

  it('says what is wrong with a request that is none for a proxy', async () => {
    const { output } = await run([
      fetched('--noproxy "*" "$http_proxy"'),
      fetched('http://no-such-name.invalid/'),
    ])
    expect(output).toContain('This is a proxy')
    expect(output).toContain('no-such-name.invalid')
  })
})

describe('the memory of jobs', () => {
  it('is bounded: the job that holds most is told', async () => {
    const memory = new JobMemory(64 * 1024 ** 2)
    const ending = new AbortController()
    let unwatch = () => {}
    const ended = run(['x=$(head -c 200000000 /dev/zero | tr "\\0" x); sleep 20'], {
      signal: ending.signal,
      onStart: (pid) => {
        unwatch = memory.watch(pid, (message) => ending.abort(new Error(message)))
      },
    })
    await expect(ended).rejects.toThrow(
      /^jobs may use 64 MB of memory on this machine, and this one used \d+ MB$/,
    )
    unwatch()
  })
})

it('sees programs of a search path that lie elsewhere, with their libraries', () => {
  for (const name of ['tools/bin', 'tools/lib', 'alone'])
    mkdirSync(join(folder, name), { recursive: true })
  const path = [
    '/usr/bin',
    `${folder}/tools/bin`,
    `${folder}/alone`,
    `${folder}/gone`,
    'relative',
    '/',
  ]
  expect(listProgramFolders(path.join(':'))).toEqual([
    `${folder}/tools/bin`,
    `${folder}/tools/lib`,
    `${folder}/alone`,
  ])
})
