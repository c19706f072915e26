// The health of the server at a glance, and setup steps of a new one; each line links to its page.
import type { ComponentChildren } from 'preact'
import type { Answer } from '../../../api/call.ts'
import { user } from '../../../api/session.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { usePolling } from '../../../api/use-polling.ts'
import { adminOverviewText as words } from '../../../text/admin-overview.ts'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { CopyLine } from '../../../ui/copy-line/copy-line.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { AdminPage } from '../../../ui/page/admin.tsx'
import { Section } from '../../../ui/page/page.tsx'
import type { PageModule } from '../../../ui/page-module.ts'
import { StateBar } from '../../../ui/state-bar/state-bar.tsx'
import { Status } from '../../../ui/status/status.tsx'
import { Time } from '../../../ui/time/time.tsx'

type Health = Answer<'GET /admin/health'>
type Line = { name: string; href: string; isWell: boolean; text: ComponentChildren }

/** The interval at which the health is loaded while the page is visible. */
const every_ms = 10_000

export const page: PageModule = {
  calls: () => [apiReadUrl('GET /admin/health', {}), apiReadUrl('GET /application/statistics', {})],
  View: Overview,
}

function Overview() {
  const { data: health, again } = useApi('GET /admin/health', {})
  usePolling(again, true, every_ms)
  const { data: statistics } = useApi('GET /application/statistics', {})
  if (!health || !statistics) return null
  const lines = linesOf(health)
  const unwell = lines.filter(({ isWell }) => !isWell)
  const isWell = unwell.length === 0
  return (
    <AdminPage title={words.title}>
      <StateBar
        state={
          <Status
            status={isWell ? 'success' : 'warning'}
            words={isWell ? words.allWell : words.problems(unwell.length)}
          />
        }
      >
        {unwell.map(({ name }) => name).join(', ')}
      </StateBar>
      <FirstSteps health={health} />
      <Section title={words.health}>
        <List label={words.healthList}>
          {lines.map(({ name, href, isWell: isLineWell, text }) => (
            <ListRow key={name} aside={text}>
              <div class="row">
                <Status
                  status={isLineWell ? 'success' : 'warning'}
                  words={isLineWell ? words.ok : words.attention}
                  isQuiet
                />
                <a data-main href={href}>
                  {name}
                </a>
              </div>
            </ListRow>
          ))}
        </List>
      </Section>
      <Section title={words.statistics}>
        <dl class="facts">
          {words.counts.map(([kind, name, href]) => (
            <div key={kind}>
              <dt>{name}</dt>
              <dd>
                <a href={href} aria-label={`${name}: ${words.count(statistics[kind])}`}>
                  {words.count(statistics[kind])}
                </a>
              </dd>
            </div>
          ))}
        </dl>
      </Section>
    </AdminPage>
  )
}

/** Tasks that are due for longer count as a problem: no process runs them, or there are too many. */
const overdue_s = 600

function linesOf(health: Health): Line[] {
  const { tasks, disks, mail_from, runners_online, last_backup_at } = health
  const pending = health.users_pending_approval
  const others = tasks.filter(({ lane }) => lane !== 'mail')
  const sum = (of: 'failed' | 'waiting') => others.reduce((total, lane) => total + lane[of], 0)
  const [failed, waiting] = [sum('failed'), sum('waiting')]
  const failedEmails = tasks.find(({ lane }) => lane === 'mail')?.failed ?? 0
  const oldest_s = Math.max(0, ...others.map(({ waiting_seconds }) => waiting_seconds))
  return [
    {
      name: words.tasks,
      href: '/admin/tasks',
      isWell: failed === 0 && oldest_s < overdue_s,
      text:
        failed > 0
          ? words.tasksFailed(failed)
          : waiting > 0
            ? words.tasksWaiting(waiting, oldest_s)
            : words.noTasksWaiting,
    },
    {
      name: words.emails,
      href: '/admin/tasks?lane=mail',
      isWell: failedEmails === 0,
      text:
        failedEmails > 0
          ? words.emailsFailed(failedEmails)
          : mail_from === null
            ? words.noEmails
            : words.emailsFrom(mail_from),
    },
    ...disks.map(({ storage, free_bytes, size_bytes, nearly_full }) => ({
      name: words.disk(storage),
      href: '/admin/storage',
      isWell: !nearly_full,
      text: nearly_full ? words.diskFull(free_bytes) : words.diskFree(free_bytes, size_bytes),
    })),
    {
      name: words.runners,
      href: '/admin/runners',
      isWell: runners_online > 0,
      text: runners_online > 0 ? words.runnersOnline(runners_online) : words.noRunners,
    },
    nodesLine(health),
    ...(pending > 0
      ? [
          {
            name: words.pending,
            href: '/admin/users?state=pending',
            isWell: false,
            text: words.pendingUsers(pending),
          },
        ]
      : []),
    {
      name: words.backup,
      href: '/admin/backups',
      isWell: last_backup_at !== null,
      text: last_backup_at === null ? words.noBackup : <Time at={last_backup_at} />,
    },
    {
      name: words.version,
      href: '/help',
      isWell: true,
      text: words.versionIs(health.version, health.database),
    },
  ]
}

/**
 * Returns the line about nodes. Lost nodes and different versions are problems; stopped nodes are not in the
 * list.
 */
function nodesLine({ nodes, workers }: Health): Line {
  const running = nodes.filter(({ state }) => state === 'running')
  const lost = nodes.length - running.length
  const isMixed = new Set(running.map(({ version }) => version)).size > 1
  return {
    name: words.nodes,
    href: '/admin/nodes',
    isWell: lost === 0 && !isMixed,
    text: [
      words.nodesRunning(running.length),
      ...(workers > 1 ? [words.workers(workers)] : []),
      ...(lost > 0 ? [words.nodesLost(lost)] : []),
      ...(isMixed ? [words.nodesMixed] : []),
    ].join(', '),
  }
}

/** The setup steps of a new server, one at a time; nothing when all are done. */
function FirstSteps({ health }: { health: Health }) {
  const account = user.value
  const hasFactor = Boolean(
    account && 'two_factor_enabled' in account && account.two_factor_enabled,
  )
  const copied = (step: string, line: string) => <CopyLine text={line} label={words.line(step)} />
  const steps: (readonly [boolean, string, string, ComponentChildren])[] = [
    [
      health.url !== null,
      words.address,
      words.addressText,
      copied(words.address, words.addressLine(location.origin)),
    ],
    [health.mail_from !== null, words.mail, words.mailText, copied(words.mail, words.mailLine)],
    [
      health.runners_online > 0,
      words.runner,
      words.runnerText,
      <div class="row">
        <ButtonLink href="/admin/runners?new=true">{words.addRunner}</ButtonLink>
      </div>,
    ],
    [
      health.last_backup_at !== null,
      words.firstBackup,
      words.firstBackupText,
      copied(words.firstBackup, words.firstBackupLine),
    ],
    [
      hasFactor,
      words.secondFactor,
      words.secondFactorText,
      <div class="row">
        <ButtonLink href="/-/profile/two_factor_auth">{words.addSecondFactor}</ButtonLink>
      </div>,
    ],
  ]
  const open = steps.filter(([isDone]) => !isDone)
  if (open.length === 0) return null
  return (
    <Section title={words.steps} lead={words.stepsLead}>
      <List label={words.steps}>
        {open.map(([, title, text, how]) => (
          <ListRow key={title}>
            <div class="stack stack-close">
              <strong>{title}</strong>
              <p class="muted">{text}</p>
              {how}
            </div>
          </ListRow>
        ))}
      </List>
    </Section>
  )
}
