// Prometheus Alertmanager itself, as a monitoring system runs it, on a port of this machine.
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../tools/server-process.ts'
import { atFileEnd } from './file-end.ts'
import { newFolder } from './git.ts'
import { findTestProgram } from './programs.ts'

export type Alertmanager = {
  /** Tells it of alerts, as Prometheus does. */
  post: (alerts: readonly object[]) => Promise<void>
  /** What it has logged of what it sent: at which level, and which words. */
  notifications: () => string[]
}

/** Starts one that sends every alert at once to `url` with `token`, and its end too. */
export async function startAlertmanager({
  url,
  token,
}: {
  url: string
  token: string
}): Promise<Alertmanager> {
  const program = findTestProgram('alertmanager')
  if (program === undefined) throw new Error('alertmanager is not installed.')
  const folder = newFolder()
  const config = {
    route: {
      receiver: 'bloomery',
      group_by: ['alertname'],
      group_wait: '100ms',
      group_interval: '200ms',
      repeat_interval: '1h',
    },
    receivers: [
      {
        name: 'bloomery',
        webhook_configs: [
          { url, send_resolved: true, http_config: { authorization: { credentials: token } } },
        ],
      },
    ],
  }
  // JSON is YAML too.
  const file = join(folder, 'alertmanager.yml')
  writeFileSync(file, JSON.stringify(config))
  const port = await freePort()
  const child = spawn(
    program,
    [
      `--config.file=${file}`,
      `--storage.path=${folder}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
      '--log.level=debug',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  atFileEnd(async () => void child.kill('SIGKILL'))
  let log = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text
      if (log.includes(`address=127.0.0.1:${port}`)) resolve()
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`Alertmanager ended: ${log}`)))
  })
  return {
    notifications: () => log.split('\n').filter((line) => line.includes('component=dispatcher')),
    async post(alerts) {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v2/alerts`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(alerts),
      })
      if (answer.status !== 200) throw new Error(`Alertmanager: ${await answer.text()}`)
    },
  }
}
