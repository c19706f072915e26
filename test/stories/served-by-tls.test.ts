import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { expect, it } from 'vitest'
import { runCommand } from '../kit/command.ts'
import { atFileEnd } from '../kit/file-end.ts'
import { newFolder, runRealGit } from '../kit/git.ts'

const token = 'glpat-the-token-of-a-server-by-tls'

/** A certificate for localhost that nobody else has signed. */
function makeCertificate(folder: string, name: string): void {
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem'), '-days', '2'],
      ...['-subj', `/CN=${name}`, '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
    ],
    { stdio: 'ignore' },
  )
}

type Served = { status: number | undefined; subject: string; body: string; headers: object }

function ask(port: number, path: string, ca: string): Promise<Served> {
  return new Promise((resolve, reject) => {
    const asked = request(
      { host: '127.0.0.1', port, path, ca, agent: false, headers: { 'private-token': token } },
      (response) => {
        const subject = String((response.socket as TLSSocket).getPeerCertificate().subject.CN)
        let body = ''
        response.setEncoding('utf8').on('data', (text: string) => {
          body += text
        })
        const { statusCode: status, headers } = response
        response.on('end', () => resolve({ status, subject, body, headers }))
      },
    )
    asked.on('error', reject).end()
  })
}

it('TLS on a port of its own, and what SIGHUP reads again', async () => {
  const data = newFolder()
  makeCertificate(data, 'first')
  writeFileSync(
    join(data, 'bloomery.json'),
    JSON.stringify({ tls_cert: 'cert.pem', tls_key: 'key.pem', tls_port: 0 }),
  )
  const child = spawn(process.execPath, ['dist/main.js', 'serve'], {
    cwd: join(import.meta.dirname, '../..'),
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      BLOOMERY_DATA: data,
      BLOOMERY_PORT: '0',
      BLOOMERY_SSH_PORT: '0',
      BLOOMERY_RUNNER: 'off',
      BLOOMERY_ROOT_TOKEN: token,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  atFileEnd(() => child.kill('SIGKILL'))
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const portOf = () => Number(/TLS: https:\/\/127\.0\.0\.1:(\d+)/.exec(output)?.[1] ?? 0)
  await expect.poll(portOf, { timeout: 20_000 }).toBeGreaterThan(0)
  const port = portOf()
  const certificate = () => readFileSync(join(data, 'cert.pem'), 'utf8')

  const first = await ask(port, '/api/v4/user', certificate())
  expect(first).toMatchObject({ status: 200, subject: 'first' })
  expect(first.headers).toMatchObject({ 'strict-transport-security': 'max-age=31536000' })
  expect(JSON.parse(first.body).web_url).toBe(`https://127.0.0.1:${port}/root`)

  const made = await fetch(`${/serves (\S+)/.exec(output)?.[1]}/api/v4/projects`, {
    method: 'POST',
    headers: { 'private-token': token, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'by-tls', initialize_with_readme: true }),
  })
  expect(made.status).toBe(201)
  const remote = `https://x:${token}@127.0.0.1:${port}/root/by-tls.git`
  const config = { 'http.sslCAInfo': join(data, 'cert.pem') }
  const cloned = await runRealGit(['clone', '--quiet', remote, 'copy'], { config })
  expect(cloned).toMatchObject({ status: 0 })

  makeCertificate(data, 'second')
  writeFileSync(
    join(data, 'bloomery.json'),
    JSON.stringify({ tls_cert: 'cert.pem', tls_key: 'key.pem', tls_port: 1, metrics_token: 'm' }),
  )
  child.kill('SIGHUP')
  await expect.poll(() => output).toContain('settings reloaded')
  const line = output.split('\n').find((text) => text.includes('settings reloaded')) ?? ''
  expect(JSON.parse(line)).toMatchObject({
    changed: ['metrics_token'],
    needs_restart: ['tls_port'],
  })
  expect(await ask(port, '/-/liveness', certificate())).toMatchObject({ subject: 'second' })

  // What cannot be used changes nothing.
  const good = certificate()
  writeFileSync(join(data, 'cert.pem'), 'none')
  child.kill('SIGHUP')
  await expect.poll(() => output).toContain('settings reload failed')
  expect(await ask(port, '/-/liveness', good)).toMatchObject({ status: 200, subject: 'second' })

  const refused = await runCommand({ data: newFolder() }, ['serve'], {
    BLOOMERY_TLS_CERT: '/nowhere/cert.pem',
  })
  expect(refused).toMatchObject({
    status: 2,
    stderr: 'tls_cert and tls_key must both be set.\n',
  })
  const missing = await runCommand({ data: newFolder() }, ['serve'], {
    BLOOMERY_PORT: '0',
    BLOOMERY_SSH_PORT: '0',
    BLOOMERY_TLS_CERT: '/nowhere/cert.pem',
    BLOOMERY_TLS_KEY: '/nowhere/key.pem',
  })
  expect(missing.status).toBe(1)
  expect(missing.stderr).toContain('/nowhere/cert.pem and /nowhere/key.pem are no certificate')
})
