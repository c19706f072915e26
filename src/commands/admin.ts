import { setTimeout } from 'node:timers/promises'
import { findRepositories } from '../backup/repositories.ts'
import type { Db } from '../db/db.ts'
import {
  listBackgroundTasks,
  presentBackgroundTask,
  taskStates,
} from '../features/operating/background-tasks/background-task.ts'
import {
  derivedTables,
  derivedTexts,
  rebuild,
} from '../features/operating/derived-tables/derived-table.ts'
import { checkStoredFiles } from '../features/operating/stored-files/stored-files.ts'
import { renewPassword } from '../features/people/sign-in/renew-password.ts'
import { makeAdministrator } from '../features/people/users/make-administrator.ts'
import { repairRepository } from '../git/repair-repository.ts'
import { verifyRepository } from '../git/verify-repository.ts'
import { systemClock, timestamp } from '../kernel/clock.ts'
import { limits } from '../kernel/limits.ts'
import { findUserByLogin, type User } from '../subjects/user.ts'
import { holdLanes } from '../tasks/lane-hold.ts'
import { restartTask } from '../tasks/task.ts'
import {
  type Command,
  type CommandContext,
  CommandError,
  readOptions,
  UsageError,
} from './command.ts'
import { withGit } from './restore.ts'
import { withDatabase } from './with-database.ts'

const clock = systemClock

export const adminCommand: Command = {
  usage: `Usage: bloomery admin <what>

  make-admin <user>              makes somebody an administrator
  reset-password <user>          sets a new password, prints it, and ends all sessions
  tasks list [--state <state>]   background tasks: ${taskStates.join(', ')} ("failed" if not said)
  tasks retry <id>|--all         has tasks that failed run again
  check                          holds the database against the disks
  check-repositories [--repair]  has git look through every repository, and makes anew what can be
  rebuild <what>...              makes rows anew that follow from others, or "all":
${derivedTables.map((name) => `      ${name.padEnd(12)} ${derivedTexts[name]}`).join('\n')}

<user> is a user name or an address. All of it may be done while the server runs.
`,
  async run(context) {
    const [name = '', ...args] = context.args
    const subcommand = new Map(Object.entries(subcommands)).get(name)
    if (!subcommand)
      throw new UsageError(name === '' ? 'What is to be done?' : `There is no ${name}.`)
    return subcommand({ ...context, args })
  },
}

const subcommands: Record<string, (context: CommandContext) => Promise<number>> = {
  'make-admin': withUser(async (db, user, { say }) => {
    const changed = await makeAdministrator(db, clock, user)
    say(changed ? `${user.username} is an administrator.` : `${user.username} was one already.`)
  }),

  'reset-password': withUser(async (db, user, { say, config }) => {
    const { password, ended } = await renewPassword({ db, clock, config }, user)
    say(`The password of ${user.username} is ${password}`)
    say(`It is shown only now. ${ended} sessions have ended.`)
  }),

  async tasks({ config, args, say }) {
    const { values, positionals } = readOptions(args, {
      state: { type: 'string', default: 'failed' },
      all: { type: 'boolean', default: false },
    })
    const [verb, id, ...others] = positionals
    const state = taskStates.find((known) => known === values.state)
    if (others.length > 0 || !state) throw new UsageError('What of tasks?')
    return withDatabase(config, async (db) => {
      if (verb === 'list' && id === undefined) {
        const { rows, total } = await listTasks(db, state)
        for (const row of rows) {
          const task = presentBackgroundTask(row, timestamp(clock))
          const error = task.last_error === null ? '' : ` ${task.last_error}`
          say(
            `${task.id} ${task.lane} ${task.name} ${task.key} ${task.state} ${task.attempts}${error}`,
          )
        }
        say(`${total ?? 'Many'} tasks are ${state}.`)
        return 0
      }
      if (verb !== 'retry' || (id === undefined) !== values.all)
        throw new UsageError('Retry which?')
      const ids = values.all
        ? (await listTasks(db, 'failed')).rows.map((row) => row.id)
        : [Number(id)]
      let restarted = 0
      for (const one of ids)
        if (Number.isInteger(one) && (await restartTask(db, clock, one))) restarted++
      if (!values.all && restarted === 0) throw new CommandError(`No task ${id} waits or rests.`)
      say(`${restarted} tasks run again.`)
      return 0
    })
  },

  async check({ config, args, say }) {
    readNothing(args)
    return withDatabase(config, async (db) => {
      const found = new Set([...findRepositories(config.storages)].map(({ path }) => path))
      const counts = await checkStoredFiles({ db, config }, found, (problem) =>
        say(`BROKEN ${problem}`),
      )
      const { repositories, blobs, problems } = counts
      say(`${repositories} repositories and ${blobs} blobs are named, ${problems} problems.`)
      return problems === 0 ? 0 : 1
    })
  },

  async 'check-repositories'({ config, args, say }) {
    const { values, positionals } = readOptions(args, { repair: { type: 'boolean' } })
    if (positionals.length > 0) throw new UsageError('It looks through all of them.')
    return withDatabase(config, (db) =>
      withGit(config, async ({ git }) => {
        // A repack would change under git what it looks at.
        const hold = await holdLanes(db, clock, { lanes: ['upkeep'], onLost: () => {} })
        try {
          while ((await hold.countRunning()) > 0) await setTimeout(limits.tasks.poll_ms)
          let [count, repaired, broken] = [0, 0, 0]
          for (const { path } of findRepositories(config.storages)) {
            count++
            const problem = await verifyRepository(git, { path })
            if (problem === undefined) continue
            const rest = values.repair ? await repairRepository(git, { path }) : problem
            if (rest === undefined) repaired++
            else broken++
            say(
              `${rest === undefined ? 'REPAIRED' : 'BROKEN'} ${path}: ${rest ?? problem}`.trimEnd(),
            )
          }
          say(`${count} repositories, ${repaired} repaired, ${broken} broken.`)
          return broken === 0 ? 0 : 1
        } finally {
          await hold.release()
        }
      }),
    )
  },

  async rebuild({ config, args, say }) {
    const wanted = args.includes('all')
      ? derivedTables
      : derivedTables.filter((name) => args.includes(name))
    const unknown = args.filter(
      (name) => name !== 'all' && !derivedTables.some((known) => known === name),
    )
    if (unknown.length > 0) throw new UsageError(`There is no ${unknown[0]} to rebuild.`)
    if (wanted.length === 0) throw new UsageError('Rebuild what?')
    return withDatabase(config, async (db) => {
      for (const name of wanted) say(`${name}: ${await rebuild(db, clock, name)}`)
      return 0
    })
  },
}

function listTasks(db: Db, state: (typeof taskStates)[number]) {
  const range = { page: 1, per_page: limits.counted_rows_max, offset: 0 }
  return listBackgroundTasks(
    db,
    { state, now: timestamp(clock) },
    range as Parameters<typeof listBackgroundTasks>[2],
  )
}

function readNothing(args: readonly string[]): void {
  const { positionals } = readOptions(args, {})
  if (positionals.length > 0) throw new UsageError(`It takes no ${positionals[0]}.`)
}

function withUser(
  work: (db: Db, user: User, context: CommandContext) => Promise<void>,
): (context: CommandContext) => Promise<number> {
  return async (context) => {
    const { positionals } = readOptions(context.args, {})
    const [login, ...others] = positionals
    if (login === undefined || others.length > 0) throw new UsageError('Which user?')
    return withDatabase(context.config, async (db) => {
      const user = await findUserByLogin(db, login)
      if (!user) throw new CommandError(`There is no user ${login}.`)
      await work(db, user, context)
      return 0
    })
  }
}
