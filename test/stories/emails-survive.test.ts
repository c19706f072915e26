import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { freePort } from '../../tools/server-process.ts'
import { tokenIn } from '../kit/emails.ts'
import { newFolder } from '../kit/git.ts'
import { startSmtp } from '../kit/smtp.ts'

const token = 'glpat-the-token-of-a-mailing-server'
const ends: (() => unknown)[] = []
afterAll(async () => {
  for (const end of ends) await end()
})

async function serve(
  data: string,
  smtpPort: number,
): Promise<{ child: ChildProcess; url: string }> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, ['dist/main.js', 'serve'], {
    cwd: join(import.meta.dirname, '../..'),
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      BLOOMERY_DATA: data,
      BLOOMERY_PORT: String(port),
      BLOOMERY_URL: url,
      BLOOMERY_SSH_PORT: '0',
      BLOOMERY_ROOT_TOKEN: token,
      BLOOMERY_SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  ends.push(() => child.kill('SIGKILL'))
  let output = ''
  for await (const chunk of child.stdout) {
    output += chunk
    if (!output.includes('Bloomery serves')) continue
    child.stdout.resume()
    return { child, url }
  }
  throw new Error(`The server did not start: ${output}`)
}

it('an email that was asked for goes out after the server was killed and no mail server was there', async () => {
  const data = newFolder()
  const smtpPort = await freePort()
  const { child, url } = await serve(data, smtpPort)
  const answer = await fetch(`${url}/api/v4/users`, {
    method: 'POST',
    headers: { 'private-token': token, 'content-type': 'application/json' },
    body: JSON.stringify({
      username: 'ann',
      name: 'Ann',
      email: 'ann@x.test',
      reset_password: true,
    }),
  })
  expect(answer.status).toBe(201)
  child.kill('SIGKILL')
  await once(child, 'exit')

  const smtp = await startSmtp({ port: smtpPort })
  ends.push(smtp.close)
  const next = await serve(data, smtpPort)
  await expect.poll(() => smtp.received.length, { timeout: 20_000 }).toBe(1)
  expect(smtp.received[0]?.to).toEqual(['ann@x.test'])
  // The link leads to the server that runs now, and its form is the way in.
  const path = `/users/password/edit?reset_password_token=${tokenIn(smtp.received[0])}`
  const page = await fetch(`${next.url}${path}`)
  expect(await page.text()).toContain(tokenIn(smtp.received[0]))
  const set = await fetch(`${next.url}/users/password/edit`, {
    method: 'POST',
    body: new URLSearchParams({
      reset_password_token: tokenIn(smtp.received[0]),
      password: 'long enough',
    }),
  })
  expect(set.status).toBe(200)
  const session = await fetch(`${next.url}/api/v4/session`, {
    method: 'POST',
    body: new URLSearchParams({ login: 'ann', password: 'long enough' }),
  })
  expect(session.status).toBe(201)
})
