// Commands over SSH that are about the account and not about git.

import type { Actor, TokenScope } from '../../access/actor.ts'
import { isAdmin, tokenScopes } from '../../access/actor.ts'
import { runTransaction } from '../../db/run-transaction.ts'
import { recordAuditEvent } from '../../features/basics/audit-events/audit-event.ts'
import { replaceRecoveryCodesWithNew } from '../../features/people/sign-in/two-factor.ts'
import { insertPersonalToken, recordTokenAuditEvent } from '../../features/people/tokens/token.ts'
import { sshGreetingText } from '../../http/brand.ts'
import type { Instance } from '../../http/endpoint.ts'
import { type Clock, today } from '../../kernel/clock.ts'
import { findUser } from '../../subjects/user.ts'
import { splitWords } from './parse-command.ts'

/** The output of a command, or why it is refused. */
export type AccountAnswer = { text: string } | { refusal: string }

const usage = 'Usage: personal_access_token <name> <scope1[,scope2,...]> [ttl_days]'
const usual_days = 30

/** Shows a question to the client and returns the answer. */
export type Ask = (question: string) => Promise<string>

/** Returns the output of `discover`, `personal_access_token` and `2fa_recovery_codes`; undefined for any other command. */
export async function runAccountCommand(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  { actor, line, ask }: { actor: Actor; line: string; ask: Ask },
): Promise<AccountAnswer | undefined> {
  const [name, ...words] = splitWords(line.trim()) ?? []
  if (name === '2fa_recovery_codes') return renewCodes({ db, clock }, actor, ask)
  if (name === 'discover') return { text: `${sshGreetingText(actor.user?.username)}\n` }
  if (name !== 'personal_access_token') return undefined
  const { user } = actor
  if (!user) return { refusal: 'Deploy keys cannot be used to create personal access tokens' }
  const [title = '', list = '', days, ...more] = words
  if (title.trim() === '' || list === '' || more.length > 0) return { refusal: usage }
  const wanted = [...new Set(list.split(','))]
  const valid = tokenScopes.filter((scope) => scope !== 'sudo' || isAdmin(actor))
  const unknown = wanted.find((scope) => !valid.some((known) => known === scope))
  if (unknown !== undefined) {
    return { refusal: `Invalid scope: '${unknown}'. Valid scopes are: ${JSON.stringify(valid)}` }
  }
  if (days !== undefined && !/^\d{1,4}$/.test(days)) {
    return { refusal: `Invalid value for days_ttl: '${days}'` }
  }
  // A token works through its last day, and a wish for days counts from tomorrow.
  const expires_at = dayAfter(clock, days === undefined ? usual_days : Number(days) + 1)
  const text = await runTransaction(db, async (tx) => {
    const fields = { user_id: user.id, name: title, scopes: wanted as TokenScope[], expires_at }
    const made = await insertPersonalToken(tx, clock, fields)
    await recordTokenAuditEvent({ db: tx, clock, actor }, 'token_created', made.token)
    return made.text
  })
  return { text: `Token:   ${text}\nScopes:  ${wanted.join(',')}\nExpires: ${expires_at}\n` }
}

const question = `Are you sure you want to generate new two-factor recovery codes?
Any existing recovery codes you saved will be invalidated. (yes/no)
`

/** New recovery codes, after a yes. The key is enough, for who has lost their device has nothing else. */
async function renewCodes(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  actor: Actor,
  ask: Ask,
): Promise<AccountAnswer> {
  const user = actor.user && (await findUser(db, actor.user.id))
  if (!user?.two_factor_enabled) {
    return { refusal: 'Two-factor authentication is not enabled for this user' }
  }
  if ((await ask(question)) !== 'yes') {
    return {
      text: '\nNew recovery codes have *not* been generated. Existing codes will remain valid.\n',
    }
  }
  const { id } = user
  const codes = await runTransaction(db, async (tx) => {
    const entity = { kind: 'user', id } as const
    await recordAuditEvent({ db: tx, clock, actor }, { action: 'recovery_codes_renewed', entity })
    return replaceRecoveryCodesWithNew(tx, id)
  })
  return {
    text: `
Your two-factor authentication recovery codes are:

${codes.join('\n')}

During sign in, use one of the codes above when prompted for your
two-factor code. Then, visit your Profile Settings and add a new device
so you do not lose access to your account again.
`,
  }
}

function dayAfter(clock: Clock, days: number): string {
  const day_ms = 24 * 60 * 60_000
  return new Date(Date.parse(today(clock)) + days * day_ms).toISOString().slice(0, 10)
}
