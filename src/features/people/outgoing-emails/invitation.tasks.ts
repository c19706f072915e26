import { levelName } from '../../../access/level.ts'
import type { Db } from '../../../db/db.ts'
import { today } from '../../../kernel/clock.ts'
import type { PageLanguage } from '../profiles/preferences.ts'
import {
  buildEmailLink,
  composeEmail,
  defineEmailTask,
  type EmailContext,
  emailLanguageOf,
  enqueueEmailsToStrangers,
  sanitizeNameForEmail,
} from './email-task.ts'
import { findInvitationDetails } from './invitation.store.ts'

type Kind = 'group' | 'project'

const english = {
  someone: 'Someone',
  subject: (kind: Kind, name: string) => `Invitation to the ${kind} ${name}`,
  greeting: 'Hello!',
  text: (inviter: string, { kind, name, role }: { kind: Kind; name: string; role: string }) =>
    `${inviter} has invited you to join the ${kind} ${name} with the role ${role}.`,
  link: (kind: Kind) => `Open the ${kind}`,
  note: 'You become a member as soon as an account confirms this email address. If your account has another address, add this one to it. If you have no account, ask the person who invited you.',
  reason: (inviter: string) =>
    `You receive this email because ${inviter} entered your address. If you do not know why, ignore it: nothing happens.`,
}

const german = { group: 'die Gruppe', project: 'das Projekt' }

const texts: Record<PageLanguage, typeof english> = {
  en: english,
  de: {
    someone: 'Jemand',
    subject: (kind, name) => `Einladung in ${german[kind]} ${name}`,
    greeting: 'Guten Tag!',
    text: (inviter, { kind, name, role }) =>
      `${inviter} hat Sie mit der Rolle ${role} in ${german[kind]} ${name} eingeladen.`,
    link: (kind) => (kind === 'group' ? 'Gruppe öffnen' : 'Projekt öffnen'),
    note: 'Sie werden Mitglied, sobald ein Konto diese E-Mail-Adresse bestätigt. Hat Ihr Konto eine andere Adresse, fügen Sie ihm diese hinzu. Haben Sie kein Konto, wenden Sie sich an die Person, die Sie eingeladen hat.',
    reason: (inviter) =>
      `Sie erhalten diese E-Mail, weil ${inviter} Ihre Adresse eingegeben hat. Wenn Sie nicht wissen, warum, ignorieren Sie sie: Es geschieht nichts.`,
  },
}

/** Sends an invitation, in the language of the user who invited. */
export const invitationEmailTask = defineEmailTask({
  name: 'send-invitation',
  async write({ db, clock, config }, { invitation_id }: { invitation_id: number }) {
    const invitation = await findInvitationDetails(db, invitation_id)
    if (!invitation) return undefined
    const { email, kind, name, full_path, access_level, expires_at } = invitation
    const { created_by_name, created_by_language } = invitation
    if (expires_at !== null && expires_at <= today(clock)) return undefined
    const language = emailLanguageOf({ language: created_by_language ?? 'system' })
    const text = texts[language]
    const inviter = created_by_name === null ? text.someone : sanitizeNameForEmail(created_by_name)
    const to = { kind, name: sanitizeNameForEmail(name), role: levelName(access_level) }
    return composeEmail(config, {
      to: email,
      language,
      subject: text.subject(kind, to.name),
      paragraphs: [text.greeting, text.text(inviter, to)],
      link: { words: text.link(kind), url: buildEmailLink(config, full_path) },
      notes: [text.note],
      reason: text.reason(inviter),
    })
  },
})

/**
 * Enqueues the emails of new invitations, given by address with their ids, within the limits. Call it in the transaction
 * that creates the invitations, with the access lock.
 */
export async function enqueueInvitationEmails(
  tx: Db,
  cause: EmailContext,
  { invited, sender_id }: { invited: ReadonlyMap<string, number>; sender_id: number },
): Promise<void> {
  const requests = [...invited].map(([email, id]) => ({
    key: String(id),
    payload: { invitation_id: id },
    sender_id,
    email,
  }))
  await enqueueEmailsToStrangers(tx, cause, invitationEmailTask, requests)
}

export const invitationEmailTasks = [invitationEmailTask]
