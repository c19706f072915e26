// Texts of emails about issues, merge requests and pipelines, in each language.
import type { PageLanguage } from '../../people/profiles/preferences.ts'
import type { IssuableHappening, NotificationReason } from './notification.ts'

type Kind = 'issue' | 'merge_request'

/** The author of the change, its target, the users it concerns, and the number of notes. */
type Facts = {
  who: string
  kind: Kind
  added: string
  removed: string
  isInternal: boolean
  notes: number
}
type Sentence = (facts: Facts) => string

const englishKind = { issue: 'issue', merge_request: 'merge request' } as const

/** Joins one sentence, or two if some were added and some removed. */
const sentences = (...parts: readonly (string | false)[]) =>
  parts.filter((part) => part !== false).join(' ')

const english = {
  someone: 'Someone',
  happened: {
    open: ({ who, kind }) => `${who} created this ${englishKind[kind]}.`,
    note: ({ who, isInternal, notes }) =>
      notes > 1
        ? `${who} left ${notes} ${isInternal ? 'internal notes' : 'comments'} in a review:`
        : `${who} ${isInternal ? 'added an internal note' : 'commented'}:`,
    close: ({ who, kind }) => `${who} closed this ${englishKind[kind]}.`,
    reopen: ({ who, kind }) => `${who} reopened this ${englishKind[kind]}.`,
    merge: ({ who }) => `${who} merged this merge request.`,
    approve: ({ who }) => `${who} approved this merge request.`,
    unapprove: ({ who }) => `${who} revoked their approval of this merge request.`,
    reassign: ({ who, kind, added, removed }) =>
      sentences(
        added !== '' && `${who} assigned this ${englishKind[kind]} to ${added}.`,
        removed !== '' && `${who} unassigned ${removed}.`,
      ),
    review: ({ who, added, removed }) =>
      sentences(
        added !== '' && `${who} requested a review from ${added}.`,
        removed !== '' && `${who} removed the review request for ${removed}.`,
      ),
    push: ({ who }) => `${who} pushed new commits to this merge request.`,
    auto_merge: ({ who }) => `${who} set this merge request to merge when its pipeline succeeds.`,
    due: ({ kind }) => `This ${englishKind[kind]} is due tomorrow.`,
    mention: ({ who, kind }) => `${who} mentioned you in this ${englishKind[kind]}.`,
    label: ({ who, added }) => `${who} added ${added}.`,
  } as Record<IssuableHappening, Sentence>,
  open: (kind: Kind) => `View this ${englishKind[kind]}`,
  readOn: 'The text goes on. Open the link to read all of it.',
  reasons: {
    assigned: 'You receive this email because you are assigned.',
    mentioned: 'You receive this email because you were mentioned.',
    review_requested: 'You receive this email because your review was requested.',
    author: 'You receive this email because you are the author.',
    subscribed: 'You receive this email because you subscribed.',
    participating: 'You receive this email because you took part.',
    own_activity: 'You receive this email because you started the pipeline.',
    watching: 'You receive this email because of your notification level in this project.',
  } as Record<NotificationReason, string>,
  settings: 'Change notification settings',
  unsubscribe: 'Unsubscribe from this thread',
  pipeline: {
    failed: (id: number, ref: string) => `Pipeline #${id} for ${ref} failed`,
    fixed: (id: number, ref: string) => `Pipeline #${id} for ${ref} succeeded again`,
    success: (id: number, ref: string) => `Pipeline #${id} for ${ref} succeeded`,
  },
  viewPipeline: 'View the pipeline',
  project: 'Project',
  commit: 'Commit',
}

const germanKind = {
  issue: { the: 'dieses Issue', of: 'dieses Issues', nominative: 'Dieses Issue' },
  merge_request: {
    the: 'diesen Merge Request',
    of: 'dieses Merge Requests',
    nominative: 'Dieser Merge Request',
  },
} as const

export const notificationTexts: Record<PageLanguage, typeof english> = {
  en: english,
  de: {
    someone: 'Jemand',
    happened: {
      open: ({ who, kind }) => `${who} hat ${germanKind[kind].the} erstellt.`,
      note: ({ who, isInternal, notes }) =>
        notes > 1
          ? `${who} hat in einem Review ${notes} ${isInternal ? 'interne Notizen' : 'Kommentare'} geschrieben:`
          : `${who} hat ${isInternal ? 'eine interne Notiz hinzugefügt' : 'kommentiert'}:`,
      close: ({ who, kind }) => `${who} hat ${germanKind[kind].the} geschlossen.`,
      reopen: ({ who, kind }) => `${who} hat ${germanKind[kind].the} wieder geöffnet.`,
      merge: ({ who }) => `${who} hat diesen Merge Request gemergt.`,
      approve: ({ who }) => `${who} hat diesen Merge Request genehmigt.`,
      unapprove: ({ who }) => `${who} hat die Genehmigung dieses Merge Requests zurückgenommen.`,
      reassign: ({ who, kind, added, removed }) =>
        sentences(
          added !== '' && `${who} hat ${germanKind[kind].the} ${added} zugewiesen.`,
          removed !== '' && `${who} hat die Zuweisung an ${removed} entfernt.`,
        ),
      review: ({ who, added, removed }) =>
        sentences(
          added !== '' && `${who} hat ein Review von ${added} angefordert.`,
          removed !== '' &&
            `${who} hat die Anforderung eines Reviews von ${removed} zurückgenommen.`,
        ),
      push: ({ who }) => `${who} hat neue Commits in diesen Merge Request gepusht.`,
      auto_merge: ({ who }) =>
        `${who} lässt diesen Merge Request mergen, sobald seine Pipeline erfolgreich ist.`,
      due: ({ kind }) => `${germanKind[kind].nominative} ist morgen fällig.`,
      mention: ({ who, kind }) => `${who} hat Sie im Text ${germanKind[kind].of} erwähnt.`,
      label: ({ who, added }) => `${who} hat ${added} hinzugefügt.`,
    },
    open: (kind) => (kind === 'issue' ? 'Issue anzeigen' : 'Merge Request anzeigen'),
    readOn: 'Der Text geht weiter. Öffnen Sie den Link, um ihn ganz zu lesen.',
    reasons: {
      assigned: 'Sie erhalten diese E-Mail, weil Sie zugewiesen sind.',
      mentioned: 'Sie erhalten diese E-Mail, weil Sie erwähnt wurden.',
      review_requested: 'Sie erhalten diese E-Mail, weil Ihr Review angefordert wurde.',
      author: 'Sie erhalten diese E-Mail, weil Sie der Autor sind.',
      subscribed: 'Sie erhalten diese E-Mail, weil Sie sie abonniert haben.',
      participating: 'Sie erhalten diese E-Mail, weil Sie beteiligt sind.',
      own_activity: 'Sie erhalten diese E-Mail, weil Sie die Pipeline gestartet haben.',
      watching: 'Sie erhalten diese E-Mail wegen Ihrer Benachrichtigungsstufe in diesem Projekt.',
    },
    settings: 'Benachrichtigungen einstellen',
    unsubscribe: 'Diesen Thread abbestellen',
    pipeline: {
      failed: (id, ref) => `Pipeline #${id} für ${ref} ist fehlgeschlagen`,
      fixed: (id, ref) => `Pipeline #${id} für ${ref} ist wieder erfolgreich`,
      success: (id, ref) => `Pipeline #${id} für ${ref} war erfolgreich`,
    },
    viewPipeline: 'Pipeline anzeigen',
    project: 'Projekt',
    commit: 'Commit',
  },
}
