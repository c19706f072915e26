import type * as english from '../problems.ts'

const exact: Readonly<Record<string, string>> = {
  "can't be blank": 'darf nicht leer sein',
  'is missing': 'fehlt',
  'is empty': 'ist leer',
  'is invalid': 'ist ungültig',
  'is not valid': 'ist ungültig',
  'does not have a valid value': 'hat keinen gültigen Wert',
  'has already been taken': 'ist bereits vergeben',
  'has already been added': 'wurde bereits hinzugefügt',
  'has expired': 'ist abgelaufen',
  'is too long': 'ist zu lang',
  'is incomplete': 'ist unvollständig',
  'is reserved': 'ist reserviert',
  'is a reserved name': 'ist ein reservierter Name',
  'is read-only': 'ist schreibgeschützt',
  'must be members of the project': 'müssen Mitglieder des Projekts sein',
  'must exist': 'muss es geben',
  'a regular rule must name users or groups': 'Die Regel muss Benutzer oder Gruppen nennen',
  'all must exist within the project': 'muss es alle in diesem Projekt geben',
  'is not supported': 'wird nicht unterstützt',
  'is not included in the list': 'steht nicht in der Liste der möglichen Werte',
  'is not a number': 'ist keine Zahl',
  'is not a picture': 'ist kein Bild',
  'is not a valid emoji name': 'ist kein gültiger Emoji-Name',
  'is not an email you own': 'ist keine Ihrer E-Mail-Adressen',
  'is not an integer': 'ist keine ganze Zahl',
  'is not from an allowed domain.': 'gehört zu keiner erlaubten Domain',
  'domain is not authorized for sign-up.':
    'gehört zu keiner für die Registrierung erlaubten Domain',
  'is not allowed. Please use your regular email address.':
    'ist nicht erlaubt. Verwenden Sie Ihre gewöhnliche E-Mail-Adresse.',
  'Too many applications': 'Mehr Anwendungen sind nicht möglich',
  'is one too many': 'ist eine zu viel',
  'is in an invalid format': 'hat ein ungültiges Format',
  'is forbidden by the server.': 'wird vom Server nicht zugelassen',
  'is blocked: URI is invalid': 'ist blockiert: Die URI ist ungültig',
  'is blocked: Username and password are not allowed':
    'ist blockiert: Benutzername und Passwort sind nicht erlaubt',
  'is blocked: Requests to localhost are not allowed':
    'ist blockiert: Anfragen an localhost sind nicht erlaubt',
  'is blocked: Requests to the local network are not allowed':
    'ist blockiert: Anfragen an das lokale Netzwerk sind nicht erlaubt',
  'has to be present': 'muss angegeben werden',
  'has too many entries': 'hat zu viele Einträge',
  'has too deep level of nesting': 'ist zu tief verschachtelt',
  'has an unknown field': 'hat ein unbekanntes Feld',
  'has a field twice': 'hat ein Feld zweimal',
  'has a path or label that is too long': 'hat einen Pfad oder Namen, der zu lang ist',
  'must be an absolute URI.': 'muss eine absolute URI sein',
  'must be a valid URL': 'muss eine gültige URL sein',
  'must be a valid color code': 'muss ein gültiger Farbcode sein',
  'must be a valid json object': 'muss ein gültiges JSON-Objekt sein',
  'must be a valid PEM certificate': 'muss ein gültiges PEM-Zertifikat sein',
  'must be present if HTTPS-only is enabled': 'muss angegeben werden, wenn nur HTTPS erlaubt ist',
  'must be greater than start date': 'muss nach dem Anfangsdatum liegen',
  'must differ from the current one': 'muss sich vom bisherigen unterscheiden',
  'must not have a user name or password': 'darf weder Benutzername noch Passwort enthalten',
  'cannot be generated': 'kann nicht erzeugt werden',
  'cannot be in the past': 'darf nicht in der Vergangenheit liegen',
  'cannot be a date in the past': 'darf nicht in der Vergangenheit liegen',
  'cannot be the group itself': 'darf nicht die Gruppe selbst sein',
  'cannot be associated with a subgroup': 'kann keiner Untergruppe zugeordnet werden',
  'cannot be enabled unless all domains have TLS certificates':
    'kann erst aktiviert werden, wenn alle Domains TLS-Zertifikate haben',
  'cannot add duplicated environment scope': 'hat einen Umgebungsbereich, den es schon gibt',
  'cannot contain a fragment.': 'darf kein Fragment enthalten',
  'already exists in source': 'ist bereits vorhanden',
  'already being used for another group or project milestone.':
    'wird bereits für einen anderen Meilenstein der Gruppe oder des Projekts verwendet',
  'should be a duration': 'muss eine Dauer sein',
  'needs to be between 10 minutes and 1 month': 'muss zwischen 10 Minuten und 1 Monat liegen',
  'needs to be at least 10 minutes': 'muss mindestens 10 Minuten betragen',
  "doesn't match configured on the server.": 'passt nicht zu den Scopes des Servers',
  "doesn't match the certificate": 'passt nicht zum Zertifikat',
  'confirmation does not match': 'stimmt nicht mit der Bestätigung überein',
}

/** Texts with numbers or names in them, by what stands around these. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/^is too short \(minimum is (\d+) characters?\)$/, 'ist zu kurz (mindestens $1 Zeichen)'],
  [/^is too long \(maximum is (\d+) characters?\)$/, 'ist zu lang (höchstens $1 Zeichen)'],
  [
    /^is too long \(([^)]{1,20})\)\. The maximum size is ([^)]{1,20})\.$/,
    'ist zu lang ($1). Die maximale Größe beträgt $2.',
  ],
  [/^is too big \(should be at most ([^)]{1,20})\)$/, 'ist zu groß (höchstens $1)'],
  [/^exceeds the limit of (\d+) bytes$/, 'ist länger als $1 Bytes'],
  [
    /^exceeds the limit of (\d+) bytes for directory name "(.*)"$/,
    'ist im Namen des Ordners "$2" länger als $1 Bytes',
  ],
  [/^(?:must|should) be greater than or equal to (\d+)$/, 'muss mindestens $1 sein'],
  [/^must be greater than (\d+)$/, 'muss größer als $1 sein'],
  [/^must be less than or equal to (\d+)$/, 'darf höchstens $1 sein'],
  [/^must be less than (\d+)$/, 'muss kleiner als $1 sein'],
  [/^must be at most (\d+)$/, 'dürfen höchstens $1 sein'],
  [/^must be at least (\d+) bits$/, 'muss mindestens $1 Bit haben'],
  [/^must be at most (\d+) bits$/, 'darf höchstens $1 Bit haben'],
  [
    /^must be between (\d+) and (\d+) characters long$/,
    'muss zwischen $1 und $2 Zeichen lang sein',
  ],
  [/^cannot have more than (\d+)$/, 'darf nicht mehr als $1 haben'],
  [
    /^is blocked: Only allowed schemes are ([a-z, ]{1,40})$/,
    'ist blockiert: Erlaubt sind nur die Schemata $1',
  ],
  [
    /^is blocked: Requests to (.{1,60}) are not allowed$/,
    'ist blockiert: Anfragen an $1 sind nicht erlaubt',
  ],
  [
    /^contains invalid characters \(valid characters: (.{1,40})\)$/,
    'enthält ungültige Zeichen (gültig sind: $1)',
  ],
]

export const translateProblem: typeof english.translateProblem = (problem) => {
  const known = Object.hasOwn(exact, problem) ? exact[problem] : undefined
  if (known !== undefined) return known
  const found = patterns.find(([pattern]) => pattern.test(problem))
  return found ? problem.replace(found[0], found[1]) : problem
}

const sentences: Readonly<Record<string, string>> = {
  'Username has already been taken': 'Dieser Benutzername ist bereits vergeben',
  'Email has already been taken': 'Diese E-Mail-Adresse ist bereits vergeben',
  'Expiration date cannot be in the past': 'Das Ablaufdatum darf nicht in der Vergangenheit liegen',
  'Group already shared with this group': 'Diese Gruppe ist bereits eingeladen',
  'Invalid url given': 'Die URL ist ungültig',
  'Label already exists': 'Dieses Label gibt es bereits',
  'Member already exists': 'Diese Person ist bereits Mitglied',
  'Only administrators register applications on this server':
    'Auf diesem Server registrieren nur Administratoren Anwendungen',
  'Overriding approvals is disabled':
    'Dieses Projekt erlaubt in Merge Requests keine eigenen Genehmigungsregeln',
  'The last rule of the project cannot be deleted from a merge request':
    'Die letzte Regel des Projekts kann in einem Merge Request nicht gelöscht werden',
  'Project already forked': 'Dieses Projekt wurde bereits geforkt',
  'Release already exists': 'Dieses Release gibt es bereits',
  'Runner is already assigned': 'Dieser Runner ist bereits zugewiesen',
  'Sign-up is disabled': 'Die Registrierung ist deaktiviert',
  'Source branch does not exist': 'Den Quell-Branch gibt es nicht',
  'Two-factor authentication is already enabled':
    'Die Zwei-Faktor-Authentifizierung ist bereits aktiviert',
}

export const translateSentence: typeof english.translateSentence = (sentence) =>
  (Object.hasOwn(sentences, sentence) && sentences[sentence]) || sentence
