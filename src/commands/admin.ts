import { setTimeout } from 'node:timers/promises'
import { listRepositoriesOfStorages } from '../backup/repositories.ts'
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
import { setRandomPassword } from '../features/people/sign-in/set-random-password.ts'
import { makeAdministrator } from '../features/people/users/make-administrator.ts'
import { repairRepository } from '../git/repair-repository.ts'
import { verifyRepository } from '../git/verify-repository.ts'
import { systemClock, timestamp } from '../kernel/clock.ts'
import { limits } from '../kernel/limits.ts'
import { findUserByUsernameOrEmail, type User } from '../subjects/user.ts'
import { pauseLanes } from '../tasks/lane-pause.ts'
import { restartTask } from '../tasks/task.ts'
import {
  type Command,
  type CommandContext,
  CommandError,
  parseOptions,
  refuseUnexpectedArguments,
  UsageError,
} from './command.ts'
import { withGitAccess } from './restore.ts'
import { withDatabase } from './with-database.ts'

const clock = systemClock

export const adminCommand: Command = {
  usage: `Usage: bloomery admin <command>

  make-admin <user>              makes a user an administrator
  reset-password <user>          sets and prints a new password, and ends all sessions of the user
  tasks list [--state <state>]   lists background tasks: ${taskStates.join(', ')} (default: failed)
  tasks retry <id>|--all         runs failed tasks again
  check                          compares the database with the files on disk
  check-repositories [--repair]  runs git fsck on every repository; --repair rebuilds what can be rebuilt
  rebuild <name>...              rebuilds derived rows, all of them or by name: all
${derivedTables.map((name) => `      ${name.padEnd(12)} ${derivedTexts[name]}`).join('\n')}

<user> is a user name or an email address. The server may be running.
`,
  async run(context) {
    const [name, ...args] = context.args
    if (name === undefined) throw new UsageError('Missing command.')
    const subcommand = new Map(Object.entries(subcommands)).get(name)
    if (!subcommand) throw new UsageError(`Unknown command: ${name}`)
    return subcommand({ ...context, args })
  },
}

const usages = {
  'make-admin': usageOf('make-admin <user>'),
  'reset-password': usageOf('reset-password <user>'),
  tasks: usageOf(
    `tasks list [--state ${taskStates.join('|')}]`,
    'tasks retry <id>',
    'tasks retry --all',
  ),
  check: usageOf('check'),
  'check-repositories': usageOf('check-repositories [--repair]'),
  rebuild: usageOf(`rebuild ${['all', ...derivedTables].join('|')}...`),
}

function usageOf(...lines: string[]): string {
  const shown = lines.map(
    (line, at) => `${at === 0 ? 'Usage:' : '      '} bloomery admin ${line}\n`,
  )
  return shown.join('')
}

const subcommands: Record<keyof typeof usages, (context: CommandContext) => Promise<number>> = {
  'make-admin': withUser('make-admin', async (db, user, { print }) => {
    const changed = await makeAdministrator(db, clock, user)
    print(`${user.username} is ${changed ? 'now' : 'already'} an administrator.`)
  }),

  'reset-password': withUser('reset-password', async (db, user, { print, config }) => {
    const { password, ended } = await setRandomPassword({ db, clock, config }, user)
    print(`New password of ${user.username}: ${password}`)
    print(`It is not shown again. Sessions ended: ${ended}.`)
  }),

  async tasks({ config, args, print }) {
    const { values, positionals } = parseOptions(
      args,
      {
        state: { type: 'string', default: 'failed' },
        all: { type: 'boolean', default: false },
      },
      usages.tasks,
    )
    const misuse = (message: string) => new UsageError(message, usages.tasks)
    const [verb, id, ...others] = positionals
    refuseUnexpectedArguments(others, usages.tasks)
    const state = taskStates.find((known) => known === values.state)
    if (!state) throw misuse(`Unknown state: ${values.state}`)
    if (verb === 'list') {
      refuseUnexpectedArguments(positionals.slice(1), usages.tasks)
      return withDatabase(config, async (db) => {
        const { rows, total } = await listTasks(db, state)
        for (const row of rows) {
          const task = presentBackgroundTask(row, timestamp(clock))
          const error = task.last_error === null ? '' : ` ${task.last_error}`
          print(
            `${task.id} ${task.lane} ${task.name} ${task.key} ${task.state} ${task.attempts}${error}`,
          )
        }
        print(`${total ?? `More than ${rows.length}`} tasks are ${state}.`)
        return 0
      })
    }
    if (verb !== 'retry')
      throw misuse(verb === undefined ? 'Missing verb.' : `Unknown verb: ${verb}`)
    if ((id === undefined) !== values.all) throw misuse('Give either a task id or --all.')
    return withDatabase(config, async (db) => {
      const ids = values.all
        ? (await listTasks(db, 'failed')).rows.map((row) => row.id)
        : [Number(id)]
      let restarted = 0
      for (const one of ids)
        if (Number.isInteger(one) && (await restartTask(db, clock, one))) restarted++
      if (!values.all && restarted === 0)
        throw new CommandError(`Task ${id} was not found, or is running.`)
      print(`${restarted} tasks run again.`)
      return 0
    })
  },

  async check({ config, args, print }) {
    refuseUnexpectedArguments(parseOptions(args, {}, usages.check).positionals, usages.check)
    return withDatabase(config, async (db) => {
      const found = new Set(
        [...listRepositoriesOfStorages(config.storages)].map(({ path }) => path),
      )
      const counts = await checkStoredFiles({ db, config }, found, (problem) =>
        print(`BROKEN ${problem}`),
      )
      const { repositories, blobs, problems } = counts
      print(`Checked ${repositories} repositories and ${blobs} blobs: ${problems} problems.`)
      return problems === 0 ? 0 : 1
    })
  },

  async 'check-repositories'({ config, args, print }) {
    const usage = usages['check-repositories']
    const { values, positionals } = parseOptions(args, { repair: { type: 'boolean' } }, usage)
    refuseUnexpectedArguments(positionals, usage)
    return withDatabase(config, (db) =>
      withGitAccess(config, async ({ git }) => {
        // A repack would replace files while git reads them.
        const hold = await pauseLanes(db, clock, { lanes: ['upkeep'], onLost: () => {} })
        try {
          while ((await hold.countRunning()) > 0) await setTimeout(limits.tasks.poll_ms)
          let [count, repaired, broken] = [0, 0, 0]
          for (const { path } of listRepositoriesOfStorages(config.storages)) {
            count++
            const problem = await verifyRepository(git, { path })
            if (problem === undefined) continue
            const rest = values.repair ? await repairRepository(git, { path }) : problem
            if (rest === undefined) repaired++
            else broken++
            print(
              `${rest === undefined ? 'REPAIRED' : 'BROKEN'} ${path}: ${rest ?? problem}`.trimEnd(),
            )
          }
          print(`${count} repositories, ${repaired} repaired, ${broken} broken.`)
          return broken === 0 ? 0 : 1
        } finally {
          await hold.release()
        }
      }),
    )
  },

  async rebuild({ config, args, print }) {
    const requested = args.includes('all')
      ? derivedTables
      : derivedTables.filter((name) => args.includes(name))
    const unknown = args.find(
      (name) => name !== 'all' && !derivedTables.some((known) => known === name),
    )
    if (unknown !== undefined) throw new UsageError(`Unknown name: ${unknown}`, usages.rebuild)
    if (requested.length === 0) throw new UsageError('Missing name.', usages.rebuild)
    return withDatabase(config, async (db) => {
      for (const name of requested) print(`${name}: ${await rebuild(db, clock, name)}`)
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

/** Creates a subcommand whose only argument is a user. */
function withUser(
  name: keyof typeof usages,
  work: (db: Db, user: User, context: CommandContext) => Promise<void>,
): (context: CommandContext) => Promise<number> {
  return async (context) => {
    const usage = usages[name]
    const [login, ...others] = parseOptions(context.args, {}, usage).positionals
    if (login === undefined) throw new UsageError('Missing user.', usage)
    refuseUnexpectedArguments(others, usage)
    return withDatabase(context.config, async (db) => {
      const user = await findUserByUsernameOrEmail(db, login)
      if (!user) throw new CommandError(`User not found: ${login}`)
      await work(db, user, context)
      return 0
    })
  }
}
