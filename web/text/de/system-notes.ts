import type * as english from '../system-notes.ts'

export const elementSign: typeof english.elementSign = '\uFFFC'

const exact: Readonly<Record<string, string>> = {
  'Compare with previous version': 'Mit vorheriger Version vergleichen',
  'approved this merge request': 'hat diesen Merge Request genehmigt',
  'unapproved this merge request': 'hat die Genehmigung dieses Merge Requests zurückgezogen',
  'requested changes': 'hat Änderungen angefordert',
  'resolved all threads': 'hat alle Threads als erledigt markiert',
  'changed the description': 'hat die Beschreibung geändert',
  'made the issue confidential': 'hat das Issue vertraulich gemacht',
  'made the issue visible to everyone': 'hat das Issue für alle sichtbar gemacht',
  'locked this issue': 'hat dieses Issue gesperrt',
  'unlocked this issue': 'hat dieses Issue entsperrt',
  'locked this merge request': 'hat diesen Merge Request gesperrt',
  'unlocked this merge request': 'hat diesen Merge Request entsperrt',
  'marked this merge request as **draft**': 'hat diesen Merge Request als Entwurf markiert',
  'marked this merge request as **ready**': 'hat diesen Merge Request als bereit markiert',
  'removed due date': 'hat das Fälligkeitsdatum entfernt',
  'removed time estimate': 'hat die Zeitschätzung entfernt',
  'removed time spent': 'hat die erfasste Zeit entfernt',
  'canceled the automatic merge': 'hat das automatische Mergen abgebrochen',
  'aborted the automatic merge because source branch was removed':
    'hat das automatische Mergen beendet, weil der Quell-Branch gelöscht wurde',
  'aborted the automatic merge because source branch was updated':
    'hat das automatische Mergen beendet, weil der Quell-Branch geändert wurde',
  'aborted the automatic merge because target branch was changed':
    'hat das automatische Mergen beendet, weil der Ziel-Branch gewechselt wurde',
  'aborted the automatic merge because the merge request was closed':
    'hat das automatische Mergen beendet, weil der Merge Request geschlossen wurde',
  'automatically closed this incident because the alert resolved.':
    'hat diesen Vorfall automatisch geschlossen, weil die Warnung behoben ist.',
  'changed the status of the alert to **triggered**':
    'hat den Status der Warnung auf „Ausgelöst“ geändert',
  'changed the status of the alert to **acknowledged**':
    'hat den Status der Warnung auf „Bestätigt“ geändert',
  'changed the status of the alert to **resolved**':
    'hat den Status der Warnung auf „Behoben“ geändert',
  'changed the status of the alert to **ignored**':
    'hat den Status der Warnung auf „Ignoriert“ geändert',
}

/** `{}` stays as it is, `{names}` is several people, `{date}` a day. The first that fits is taken. */
const templates: readonly (readonly [string, string])[] = [
  ['changed title from {} to {}', 'hat den Titel von {} in {} geändert'],
  ['marked the task {} as completed', 'hat die Aufgabe {} als erledigt markiert'],
  ['marked the task {} as incomplete', 'hat die Aufgabe {} als nicht erledigt markiert'],
  ['changed due date to {date}', 'hat das Fälligkeitsdatum auf {} geändert'],
  ['changed time estimate to {}', 'hat die Zeitschätzung auf {} geändert'],
  ['added {} of time spent', 'hat {} aufgewendete Zeit erfasst'],
  ['subtracted {} of time spent', 'hat {} aufgewendete Zeit abgezogen'],
  [
    'assigned to {names} and unassigned {names}',
    'hat {} zugewiesen und die Zuweisung von {} entfernt',
  ],
  ['assigned to {names}', 'hat {} zugewiesen'],
  ['unassigned {names}', 'hat die Zuweisung von {} entfernt'],
  [
    'requested review from {names} and removed review request for {names}',
    'hat ein Review von {} angefordert und die Anforderung an {} zurückgezogen',
  ],
  [
    'requested review from {names} and removed approval',
    'hat ein Review von {} angefordert und die Genehmigung entfernt',
  ],
  ['requested review from {names}', 'hat ein Review von {} angefordert'],
  ['removed review request for {names}', 'hat die Anforderung eines Reviews an {} zurückgezogen'],
  ['changed target branch from {} to {}', 'hat den Ziel-Branch von {} auf {} geändert'],
  [
    'retargeted the target branch to {}, because {} was deleted',
    'hat den Ziel-Branch auf {} geändert, weil {} gelöscht wurde',
  ],
  ['deleted source branch {}', 'hat den Quell-Branch {} gelöscht'],
  ['restored source branch {}', 'hat den Quell-Branch {} wiederhergestellt'],
  [
    'enabled an automatic merge when the pipeline for {} succeeds',
    'hat das automatische Mergen aktiviert, sobald die Pipeline für {} erfolgreich ist',
  ],
  ['mentioned in issue {}', 'hat dies in Issue {} erwähnt'],
  ['mentioned in merge request {}', 'hat dies in Merge Request {} erwähnt'],
  ['mentioned in commit {}', 'hat dies in Commit {} erwähnt'],
  ['marked this issue as related to {}', 'hat dieses Issue mit {} verknüpft'],
  ['marked this issue as blocking {}', 'hat festgelegt, dass dieses Issue {} blockiert'],
  ['marked this issue as blocked by {}', 'hat festgelegt, dass {} dieses Issue blockiert'],
  ['removed the relation with {}', 'hat die Verknüpfung mit {} entfernt'],
  ['moved to {}', 'hat dies nach {} verschoben'],
  ['moved from {}', 'hat dies von {} hierher verschoben'],
  ['added {} commits', 'hat {} Commits hinzugefügt'],
  ['added {} commit', 'hat {} Commit hinzugefügt'],
]

type Template = { kinds: readonly string[]; before: readonly string[]; after: readonly string[] }

const prepared: readonly Template[] = templates.map(([given, translated]) => ({
  kinds: [...given.matchAll(/\{([a-z]{0,9})\}/g)].map(([, kind = '']) => kind),
  before: given.split(/\{[a-z]{0,9}\}/),
  after: translated.split('{}'),
}))

/**
 * Returns the ranges that match the placeholders of a template; undefined if the text does not match. Looks at each
 * character once.
 */
function findOpenParts(
  text: string,
  { before }: Template,
): { from: number; to: number }[] | undefined {
  const [first = '', ...others] = before
  if (!text.startsWith(first)) return undefined
  const found: { from: number; to: number }[] = []
  let from = first.length
  for (const [at, words] of others.entries()) {
    const isLast = at === others.length - 1
    const to = isLast ? text.length - words.length : text.indexOf(words, from)
    if (to <= from || !text.startsWith(words, to)) return undefined
    found.push({ from, to })
    from = to + words.length
  }
  return found
}

const months = [
  ['January', 'Januar'],
  ['February', 'Februar'],
  ['March', 'März'],
  ['April', 'April'],
  ['May', 'Mai'],
  ['June', 'Juni'],
  ['July', 'Juli'],
  ['August', 'August'],
  ['September', 'September'],
  ['October', 'Oktober'],
  ['November', 'November'],
  ['December', 'Dezember'],
] as const

/** `2. Januar 2022` of `January 2, 2022`. */
function translateDay(day: string): string {
  const [, name, date, year] = /^([A-Z][a-z]{2,8}) (\d{1,2}), (\d{4})$/.exec(day) ?? []
  const month = months.find(([english]) => english === name)
  return month ? `${date}. ${month[1]} ${year}` : day
}

const translations: Readonly<Record<string, (words: string) => string>> = {
  names: (words) => words.replaceAll(' and ', ' und '),
  date: translateDay,
}

export const translateNote: typeof english.translateNote = ({ text, masked }) => {
  if (Object.hasOwn(exact, text)) return [exact[text] ?? '']
  for (const template of prepared) {
    const found = findOpenParts(masked, template)
    if (!found) continue
    return template.after.flatMap((words, at) => {
      const part = found[at]
      const translate = translations[template.kinds[at] ?? '']
      return part ? [words, { ...part, translate }] : [words]
    })
  }
  return undefined
}
