import type * as english from '../problems.ts'
import { ui } from './ui.ts'

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
  'date must not be after 9999-12-31': 'darf nicht nach dem 31.12.9999 liegen',
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
  "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, but it cannot start or end with '/'":
    'darf nur Buchstaben, Ziffern, „-“, „_“, „/“, „$“, „{“, „}“, „.“ und Leerzeichen enthalten und weder mit „/“ beginnen noch enden',
  "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or end in '.', '.git' or '.atom'.":
    'darf nur Buchstaben, Ziffern, „_“, „-“ und „.“ enthalten, nicht mit „-“ beginnen und nicht auf „.“, „.git“ oder „.atom“ enden.',
  "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-', end in '.git' or end in '.atom'.":
    'darf nur Buchstaben, Ziffern, „_“, „-“ und „.“ enthalten, nicht mit „-“ beginnen und nicht auf „.git“ oder „.atom“ enden.',
  "can contain only letters, digits, emojis, '_', '.', '+', dashes, or spaces. It must start with a letter, digit, emoji, or '_'.":
    'darf nur Buchstaben, Ziffern, Emojis, „_“, „.“, „+“, Striche und Leerzeichen enthalten ' +
    'und muss mit einem Buchstaben, einer Ziffer, einem Emoji oder „_“ beginnen.',
  "can contain only letters, digits, emojis, '_', '.', dash, space, parenthesis. It must start with letter, digit, emoji or '_'.":
    'darf nur Buchstaben, Ziffern, Emojis, „_“, „.“, „-“, Leerzeichen und Klammern enthalten ' +
    'und muss mit einem Buchstaben, einer Ziffer, einem Emoji oder „_“ beginnen.',
  'can not be empty when runner is not allowed to pick untagged jobs':
    'darf nicht leer sein, wenn der Runner Jobs ohne Tags nicht ausführt',
  'is not authorized for sign-up.': 'ist für die Registrierung nicht zugelassen.',
  'ending with a reserved file extension is not allowed.':
    'endet auf eine reservierte Dateiendung.',
  'is not allowed since there are sub-groups with higher visibility.':
    'ist nicht erlaubt, weil es sichtbarere Untergruppen gibt.',
  'is not allowed since this group contains projects with higher visibility.':
    'ist nicht erlaubt, weil die Gruppe sichtbarere Projekte enthält.',
  'archive holds more than it may': 'Das Archiv enthält mehr als erlaubt',
  'can only be enabled when reset_approvals_on_push is disabled':
    'kann nur aktiviert werden, wenn Genehmigungen bei einem Push bestehen bleiben',
  'can only contain available scopes': 'darf nur verfügbare Scopes enthalten',
  'cannot be later than that of the token it is made with':
    'darf nicht nach dem Ablaufdatum des Tokens liegen, mit dem dies angelegt wird',
  'any-approver for the project already exists':
    'Eine Regel für beliebige Genehmigende gibt es in diesem Projekt schon',
  'file size has reached maximum size limit': 'Die Datei ist größer als erlaubt',
  insufficient_scope: 'Die Scopes des Tokens reichen nicht aus',
  invalid_token: 'Das Token ist ungültig',
  'invalid base64': 'ist kein gültiges Base64',
  'must exist within the project': 'muss es in diesem Projekt geben',
  'variables needs to be a map of key-valued strings':
    'Die Variablen müssen Schlüsseln Texte zuordnen',
  'file_path should be a valid file path': 'Der Dateipfad ist ungültig',
}

/** Texts that contain numbers, names or other texts: `$1` is kept, `&1` is translated too. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/^(?:Forbidden|Bad request|Not Acceptable|Service Unavailable) - (.{1,2000})$/, '&1'],
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
  [
    /^Pushes to protected branches that contain changes to files that\smatch patterns defined in `CODEOWNERS` are disabled for\sthis project\. Please submit these changes via a merge request\.\s{1,2}([\s\S]{1,9000})$/,
    'Dateien mit Code-Eigentümern können auf diesem geschützten Branch nur durch einen Merge Request geändert werden: $1',
  ],
  [/^(.{1,60}) is not a valid color scheme$/, '$1 ist kein gültiges Farbschema'],
  [/^(.{1,60}) is not a valid theme$/, '$1 ist kein gültiges Design'],
  [
    /^Too many tags specified\. Please limit the number of tags to (\d+)$/,
    'Es sind höchstens $1 Tags möglich',
  ],
  [
    /^is not allowed since the parent group has a (?:private|internal|public) visibility\.$/,
    'ist nicht erlaubt, weil die übergeordnete Gruppe weniger sichtbar ist.',
  ],
  [
    /^should be greater than or equal to ([A-Z][a-zA-Z ]{1,20}) inherited membership from group (.{1,500})$/,
    'muss mindestens „$1“ sein, die geerbte Rolle aus der Gruppe $2',
  ],
  [/^custom_attributes\[(.{1,255})\] is invalid$/, 'Das Attribut „$1“ ist ungültig'],
  [/^(position\[x\], position\[y\]) are not within the picture$/, '$1 liegen nicht im Bild'],
  [
    /^range\[start\] must be less than or equal to range\[end\]$/,
    'range[start] darf nicht größer als range[end] sein',
  ],
  [/^(.{1,200}) are mutually exclusive$/, 'Es darf nur eines davon angegeben werden: $1'],
  [
    /^(.{1,200}) are missing, exactly one parameter must be provided$/,
    'Genau eines davon muss angegeben werden: $1',
  ],
  [
    /^(.{1,200}) are missing, at least one parameter must be provided$/,
    'Mindestens eines davon muss angegeben werden: $1',
  ],
  [
    /^is not allowed in a (?:private|internal|public) group\.$/,
    'ist in dieser Gruppe nicht erlaubt',
  ],
  [
    /^is not allowed since the fork source project has lower visibility\.$/,
    'ist nicht erlaubt, weil das geforkte Projekt weniger sichtbar ist',
  ],
  [
    /^file format is not supported\. Please try one of the following supported formats: (.{1,200})$/,
    'Das Dateiformat wird nicht unterstützt. Möglich sind: $1',
  ],
  [
    /^is invalid\. A valid public GPG key begins with '(-{5}[A-Z ]{1,40}-{5})' and ends with '(-{5}[A-Z ]{1,40}-{5})'$/,
    'ist ungültig. Ein öffentlicher GPG-Schlüssel beginnt mit „$1“ und endet mit „$2“',
  ],
  [/^\((.{1,255})\) has already been taken$/, '($1) ist bereits vergeben'],
  [/^'(.{1,255})' is unknown or invalid$/, '„$1“ ist unbekannt oder ungültig'],
  [/^(.{1,255}) does not have a valid value$/, '$1 hat keinen gültigen Wert'],
  [/^(.{1,255}) user is not a member of the group$/, 'Benutzer $1 ist kein Mitglied der Gruppe'],
  [
    /^(.{1,255}) user is not a member of the project$/,
    'Benutzer $1 ist kein Mitglied des Projekts',
  ],
  [
    /^(.{1,255}) group does not have access to the group$/,
    'Gruppe $1 hat keinen Zugriff auf die Gruppe',
  ],
  [
    /^(.{1,255}) group does not have access to the project$/,
    'Gruppe $1 hat keinen Zugriff auf das Projekt',
  ],
  [/^User with ID or username '(.{1,255})' Not Found$/, 'Den Benutzer „$1“ gibt es nicht'],
  [
    /^Could not find (?:group|project) access token with token_id: (.{1,40}) Not Found$/,
    'Das Zugriffstoken $1 gibt es nicht',
  ],
  [/^Award Emoji Name (.{1,60}) Not Found$/, 'Der Name des Emojis &1'],
  [/^target_(?:group|project)_id not found Not Found$/, 'Das Ziel gibt es nicht'],
  [/^([\w ,]{1,60}) Not Found$/, '&1 nicht gefunden'],
  [
    /^A branch called '(.{1,255})' already exists\. Switch to that branch in order to make changes$/,
    'Den Branch „$1“ gibt es schon. Wechseln Sie zu diesem Branch, um etwas zu ändern',
  ],
  [
    /^A group has at most (\d+) protected branches$/,
    'Eine Gruppe hat höchstens $1 geschützte Branches',
  ],
  [/^A repository has at most (\d+) references\.$/, 'Ein Repository hat höchstens $1 Referenzen.'],
  [
    /^A merge request has at most (\d+) draft notes of one user$/,
    'In einem Merge Request sind höchstens $1 eigene Entwürfe von Kommentaren möglich',
  ],
  [/^A project has at most (\d+) status checks$/, 'Ein Projekt hat höchstens $1 Statusprüfungen'],
  [/^Allowlist is limited to (\d+) entries$/, 'Die Liste hat höchstens $1 Einträge'],
  [
    /^Another open merge request already exists for this source branch: (!\d+)$/,
    'Für diesen Quell-Branch gibt es bereits einen offenen Merge Request: $1',
  ],
  [/^(.{1,1024}) cannot be resolved here$/, '$1 kann hier nicht gelöst werden'],
  [/^(.{1,1024}) cannot delete (.{1,1024})$/, '$1 kann $2 nicht löschen'],
  [/^(.{1,1024}) has conflicts that are not resolved$/, '$1 hat ungelöste Konflikte'],
  [/^(.{1,1024}) has no conflicts$/, '$1 hat keine Konflikte'],
  [/^(.{1,1024}) is not resolved$/, '$1 ist nicht gelöst'],
  [/^(.{1,1024}) is too large$/, '$1 ist zu groß'],
  [/^(.{1,1024}) still has conflict markers$/, '$1 enthält noch Konfliktmarkierungen'],
  [
    /^Comment is too long \(maximum is (\d+) characters?\)$/,
    'Der Kommentar ist zu lang (höchstens $1 Zeichen)',
  ],
  [
    /^Search query is too long \(maximum is (\d+) characters?\)$/,
    'Die Suchanfrage ist zu lang (höchstens $1 Zeichen)',
  ],
  [
    /^There may be at most (\d+) approval rules\.$/,
    'Es sind höchstens $1 Genehmigungsregeln möglich.',
  ],
  [
    /^No more than (\d+) files of a merge request can be marked as viewed\.$/,
    'In einem Merge Request können höchstens $1 Dateien als angesehen markiert werden.',
  ],
  [/^Maximum number of ([\w ]{1,60}) \((\d+)\) exceeded$/, 'Mehr als $2 sind nicht möglich: &1'],
  [
    /^Could not provision (?:maintainer|owner) access to (?:group|project) access token$/,
    'Das Zugriffstoken konnte keine Rolle erhalten',
  ],
  [
    /^User does not have permission to create (?:group|project) access token$/,
    'Sie dürfen hier kein Zugriffstoken erstellen',
  ],
  [
    /^Note \{:note=>\["is too long \(maximum is (\d+) characters\)"\]\}$/,
    'Der Kommentar ist zu lang (höchstens $1 Zeichen)',
  ],
  [/^Note (\{:.{1,2000}\})$/, 'Der Kommentar kann nicht gespeichert werden: $1'],
  [
    /^Project is not included in the fork network for (.{1,500})$/,
    'Das Projekt gehört nicht zu den Forks von $1',
  ],
  [/^Not authorized to access (.{1,200})$/, 'Sie haben keinen Zugriff auf $1'],
  [/^([\w.]{1,20}) needs bzip2 on the server$/, '$1 braucht das Programm bzip2 auf dem Server'],
  [
    /^The disk of storage (.{0,60}) is nearly full: nothing more can be written until an administrator makes room\.$/,
    'Das Laufwerk des Speichers $1 ist fast voll: Bis ein Administrator Platz schafft, kann nichts mehr geschrieben werden.',
  ],
  [/^Cannot find start_sha '(.{0,255})'$/, 'Den Commit „$1“ gibt es nicht'],
  [/^Invalid start_sha '(.{0,255})'$/, '„$1“ ist kein Commit'],
  [
    /^Cannot transition status via :\w{1,30} from :(\w{1,30}) \(Reason\(s\): Status cannot transition via "\w{1,30}"\)$/,
    'Der Status kann nicht von „$1“ geändert werden',
  ],
  [/^Could not find refs?: (.{1,2000})$/, 'Nicht gefunden: $1'],
  [
    /^Dotenv Artifact Too Big\. Maximum Allowable Size: (.{1,30})$/,
    'Das Dotenv-Artefakt ist zu groß. Möglich sind höchstens $1',
  ],
  [
    /^Dotenv files cannot have more than (\d+) variables$/,
    'Dotenv-Dateien haben höchstens $1 Variablen',
  ],
  [
    /^Failed to create branch '(.{1,255})': (.{1,500})$/,
    'Der Branch „$1“ konnte nicht angelegt werden: &2',
  ],
  [/^invalid reference name '(.{1,255})'$/, '„$1“ ist kein gültiger Name'],
  [
    /^Failed to create milestone (\{:.{1,2000}\})$/,
    'Der Meilenstein konnte nicht angelegt werden: $1',
  ],
  [
    /^Failed to update milestone (\{:.{1,2000}\})$/,
    'Der Meilenstein konnte nicht geändert werden: $1',
  ],
  [/^Failed to save group (\{:.{1,2000}\})$/, 'Die Gruppe konnte nicht gespeichert werden: $1'],
  [
    /^Failed to transfer project (\{:.{1,2000}\})$/,
    'Das Projekt konnte nicht verschoben werden: $1',
  ],
  [
    /^Failed to generate the changelog: (.{1,2000})$/,
    'Das Änderungsprotokoll konnte nicht erzeugt werden: &1',
  ],
  [/^The file (.{1,1024}) is too long$/, 'Die Datei $1 ist zu lang'],
  [/^Invalid page token: (.{1,1024})$/, 'Diese Seite der Liste gibt es nicht mehr: $1'],
  [/^Milestone\(s\) not found: (.{1,500})$/, 'Diese Meilensteine gibt es nicht: $1'],
  [
    /^Multiple (HTTP|Prometheus) integrations are not supported for this project$/,
    'Mehr als eine $1-Integration ist in diesem Projekt nicht möglich',
  ],
  [
    /^Offset pagination has a maximum allowed offset of (\d+) for requests that return objects of type \w{1,40}\. .{1,100}$/,
    'Nur die ersten $1 Einträge lassen sich seitenweise anzeigen. Schränken Sie die Liste mit Filtern ein.',
  ],
  [/^Protected branch '(.{1,255})' already exists$/, 'Der Branch „$1“ ist bereits geschützt'],
  [
    /^Protected environment '(.{1,255})' already exists$/,
    'Die Umgebung „$1“ ist bereits geschützt',
  ],
  [/^Provide at most (\d+) shas$/, 'Höchstens $1 Commits sind möglich'],
  [
    /^SHA does not match HEAD of source branch: (.{0,64})$/,
    'Der Quell-Branch hat sich inzwischen geändert: $1',
  ],
  [
    /^Something went wrong when we tried to create '(.{1,255})' for you: (.{1,500})$/,
    '„$1“ konnte nicht angelegt werden: &2',
  ],
  [
    /^Sorry, we cannot cherry-pick this commit automatically\. .{1,200}$/,
    'Der Commit lässt sich nicht automatisch übernehmen. Vielleicht wurde er schon übernommen, oder ein neuerer Commit hat dieselben Stellen geändert.',
  ],
  [
    /^Sorry, we cannot revert this commit automatically\. .{1,200}$/,
    'Der Commit lässt sich nicht automatisch zurücknehmen. Vielleicht wurde er schon zurückgenommen, oder ein neuerer Commit hat dieselben Stellen geändert.',
  ],
  [/^Tag (.{1,255}) already exists$/, 'Den Tag $1 gibt es bereits'],
  [/^Target (.{1,255}) is invalid$/, 'Das Ziel $1 ist ungültig'],
  [
    /^Target project id:(\d+) is not a fork of project id:(\d+)$/,
    'Das Zielprojekt (ID $1) ist kein Fork des Projekts (ID $2)',
  ],
  [
    /^The provided content-type '(.{0,200})' is not supported\.$/,
    'Der Inhaltstyp „$1“ wird nicht unterstützt.',
  ],
  [
    /^The user you are trying to deactivate has been active in the past (\d+) days and cannot be deactivated$/,
    'Das Konto war in den letzten $1 Tagen aktiv und kann nicht deaktiviert werden',
  ],
  [/^Transfer failed: Path (.{1,500})$/, 'Die Gruppe konnte nicht verschoben werden: Der Pfad $1'],
  [/^Transfer failed: (.{1,500})$/, 'Die Gruppe konnte nicht verschoben werden: &1'],
  [/^Validation failed: (.{1,2000})$/, '&1'],
  [
    /^Description is too long \(maximum is (\d+) characters?\)$/,
    'Die Beschreibung ist zu lang (höchstens $1 Zeichen)',
  ],
  [
    /^Name is too long \(maximum is (\d+) characters?\)$/,
    'Der Name ist zu lang (höchstens $1 Zeichen)',
  ],
  [
    /^Username is too long \(maximum is (\d+) characters?\)$/,
    'Der Benutzername ist zu lang (höchstens $1 Zeichen)',
  ],
  [
    /^You cannot ban (?:banned|blocked|blocked_pending_approval|deactivated) users\.$/,
    'Nur aktive Konten können gesperrt werden.',
  ],
  [
    /^You cannot unban (?:active|blocked|blocked_pending_approval|deactivated) users\.$/,
    'Das Konto ist nicht gesperrt.',
  ],
  [
    /^You do not have sufficient permission to run a pipeline on '(.{1,255})'\. Please select a different branch or contact your administrator for assistance\.$/,
    'Sie dürfen auf „$1“ keine Pipeline starten. Wählen Sie einen anderen Branch, oder wenden Sie sich an Ihren Administrator.',
  ],
  [
    /^You have (\d+) vulnerability exports that are not finished yet\.$/,
    'Sie haben bereits $1 Exporte, die noch nicht fertig sind.',
  ],
  [
    /^You have made (\d+) vulnerability exports within an hour\.$/,
    'Sie haben innerhalb einer Stunde $1 Exporte angefordert.',
  ],
  [
    /^Your changes could not be committed, because (.{1,255}) has exceeded its size limit of (.{1,30}) by (.{1,30})$/,
    'Ihre Änderungen konnten nicht gespeichert werden: $1 ist größer als $2, um $3',
  ],
  [
    /^Your project limit is (\d+) projects! Please contact your administrator to increase it$/,
    'Sie können höchstens $1 Projekte anlegen. Wenden Sie sich an Ihren Administrator, um mehr anzulegen.',
  ],
]

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
  Unauthorized: ui.unauthorized,
  Forbidden: 'Sie haben dafür keine Berechtigung',
  'Not Found': ui.notFound,
  'Not found': ui.notFound,
  'Bad request': 'Die Anfrage ist ungültig',
  Conflict: 'Das steht im Widerspruch zum aktuellen Stand. Laden Sie die Seite neu.',
  'Method Not Allowed': 'Das ist im aktuellen Zustand nicht möglich',
  'Not Allowed': 'Das ist hier nicht möglich',
  'Precondition Failed': 'Das wurde inzwischen geändert. Laden Sie die Seite neu.',
  'Request Entity Too Large': 'Das ist zu groß',
  'URI Too Long': 'Die Adresse ist zu lang',
  'Too Many Requests': 'Das sind zu viele Anfragen auf einmal. Versuchen Sie es später erneut.',
  'Service Unavailable': 'Der Server ist überlastet. Versuchen Sie es später erneut.',
  'Internal Server Error':
    'Auf dem Server ist ein Fehler aufgetreten. Versuchen Sie es später erneut.',
  'Unprocessable Entity': 'Das kann nicht ausgeführt werden',
  'Missing header Content-Range': 'Die Kopfzeile Content-Range fehlt',
  'Token is expired. You can either do re-authorization or token refresh.':
    'Das Token ist abgelaufen. Autorisieren Sie die Anwendung neu.',
  'Token was revoked. You have to re-authorize from the user.':
    'Das Token wurde widerrufen. Autorisieren Sie die Anwendung neu.',
  'The request requires higher privileges than provided by the access token.':
    'Die Scopes des Tokens reichen dafür nicht aus.',
  'The server is short of memory. Please try again later.':
    'Dem Server fehlt Arbeitsspeicher. Versuchen Sie es später erneut.',
  'The database cannot be reached. Please try again later.':
    'Die Datenbank ist nicht erreichbar. Versuchen Sie es später erneut.',
  'The object storage does not answer. Please try again later.':
    'Der Objektspeicher antwortet nicht. Versuchen Sie es später erneut.',
  'The object storage refuses the requests of this server. An administrator has to look at its log.':
    'Der Objektspeicher lehnt die Anfragen dieses Servers ab. Ein Administrator muss das Protokoll prüfen.',
  'The server that stores the repository cannot be reached. Please try again later.':
    'Der Server mit dem Repository ist nicht erreichbar. Versuchen Sie es später erneut.',
  'The data disk is nearly full: nothing more can be written until an administrator makes room.':
    'Das Laufwerk der Daten ist fast voll: Bis ein Administrator Platz schafft, kann nichts mehr geschrieben werden.',
  'The repository is temporarily read-only. Please try again later.':
    'Das Repository kann zurzeit nicht geändert werden. Versuchen Sie es später erneut.',
  'Cannot proceed with the push mirroring. Please verify your mirror configuration.':
    'Das Spiegeln ist nicht möglich. Prüfen Sie die Einstellungen des Spiegels.',
  'Discussion can not be replied to.': 'Auf diesen Thread kann nicht geantwortet werden.',
  'Expiration date cannot be later than that of the token it is made with':
    'Das Ablaufdatum darf nicht nach dem des Tokens liegen, mit dem dies angelegt wird',
  'Failed to promote project label to group label':
    'Das Label konnte nicht zum Label der Gruppe werden',
  'Invalid Format': 'Das Format ist ungültig',
  'Invalid file format with specified file type': 'Das Dateiformat passt nicht zur angegebenen Art',
  'Invalid file type': 'Die Art der Datei ist ungültig',
  'Must provide either email or user_id as a parameter':
    'Geben Sie eine E-Mail-Adresse oder einen Benutzer an',
  "Name can't be blank": 'Der Name darf nicht leer sein',
  "Scopes can't be blank": 'Wählen Sie mindestens einen Scope',
  'Not permitted to create': 'Sie dürfen dies nicht anlegen',
  'Not permitted to rotate': 'Sie dürfen dieses Token nicht erneuern',
  'Note is not resolvable': 'Dieser Kommentar kann nicht als erledigt markiert werden',
  'Note {:note=>["can\'t be blank"]}': 'Der Kommentar darf nicht leer sein',
  'Target is already in the job token scope': 'Das Ziel steht bereits in der Liste',
  'The source topic and the target topic are identical.': 'Quelle und Ziel sind dasselbe Thema.',
  'This deployment is not waiting for approvals.':
    'Dieses Deployment wartet nicht auf Genehmigungen.',
  'Two-factor authentication is not enabled for this user':
    'Für dieses Konto ist die Zwei-Faktor-Authentifizierung nicht aktiviert',
  'Unplayable Job': 'Dieser Job kann nicht gestartet werden',
  'You cannot approve your own deployment.': 'Sie können Ihr eigenes Deployment nicht genehmigen.',
  'another artifact of the same type already exists': 'Ein Artefakt dieser Art gibt es bereits',
  'invalid %-encoding': 'Die Prozentkodierung ist ungültig',
  'invalid Host header': 'Die Kopfzeile Host ist ungültig',
  'invalid address': 'Die Adresse ist ungültig',
  'invalid multipart body': 'Der mehrteilige Inhalt ist ungültig',
  'job variables are invalid': 'Die Variablen des Jobs sind ungültig',
  'parameters are nested too deeply': 'Die Parameter sind zu tief verschachtelt',
  'too many parameters': 'Es sind zu viele Parameter',
  'token already revoked': 'Das Token wurde bereits widerrufen',
  'token has expired': 'Das Token ist abgelaufen',
  'A blocked user must be unblocked to be activated':
    'Ein blockiertes Konto muss vor dem Aktivieren freigegeben werden',
  'Cannot push to source branch': 'Sie dürfen nicht in den Quell-Branch pushen',
  'Deactivated users cannot be unblocked by the API':
    'Deaktivierte Konten können nicht freigegeben werden',
  'Internal users cannot be removed by the API': 'Interne Konten können nicht gelöscht werden',
  'Job has been erased!': 'Der Job wurde geleert',
  'Job is not erasable!': 'Der Job kann nicht geleert werden',
  'Job is not retryable': 'Der Job kann nicht wiederholt werden',
  'Job is not running': 'Der Job läuft nicht',
  'Must be admin to use sudo': 'Nur Administratoren dürfen sudo verwenden',
  'Must be authenticated using an OAuth or personal access token to use sudo':
    'Für sudo ist ein OAuth-Token oder ein persönliches Zugriffstoken nötig',
  'No access granted': 'Sie haben keinen Zugriff',
  'Not authorized!': 'Sie haben dafür keine Berechtigung',
  'Only one project associated with the runner. Please remove the runner instead':
    'Der Runner gehört nur zu diesem Projekt. Löschen Sie stattdessen den Runner.',
  'Runner is a group runner': 'Der Runner gehört zu einer Gruppe',
  'Runner is locked': 'Der Runner ist an andere Projekte gebunden',
  'The API initiating user cannot be banned by the API': 'Sie können sich nicht selbst sperren',
  'The API initiating user cannot be blocked by the API': 'Sie können sich nicht selbst blockieren',
  'The message cannot be dismissed': 'Diese Mitteilung kann nicht ausgeblendet werden',
  'The request was not forwarded by a server of this database, or its clock is wrong.':
    'Die Anfrage kam nicht von einem Server dieser Datenbank, oder dessen Uhr geht falsch.',
  'Two-factor authentication for admins cannot be disabled via the API. Use the Rails console':
    'Die Zwei-Faktor-Authentifizierung von Administratoren kann hier nicht deaktiviert werden',
  'Users are impersonated in a browser': 'Als jemand anderes melden Sie sich in einem Browser an',
  'You are already impersonating a user': 'Sie sind bereits als jemand anderes angemeldet',
  'You are not impersonating a user': 'Sie sind nicht als jemand anderes angemeldet',
  'You are not allowed to commit a changelog on this branch':
    'Sie dürfen auf diesem Branch kein Änderungsprotokoll speichern',
  'You are not allowed to push into this branch': 'Sie dürfen nicht in diesen Branch pushen',
  'You cannot impersonate a bot or an internal user':
    'Als Bot oder internes Konto können Sie sich nicht anmelden',
  'You cannot impersonate a user who cannot sign in':
    'Wer sich nicht anmelden kann, als den können auch Sie sich nicht anmelden',
  'You cannot impersonate yourself': 'Als Sie selbst sind Sie bereits angemeldet',
  'Your account has been blocked.': 'Ihr Konto wurde blockiert.',
  'Your account has been deactivated by your administrator. Please log back in to reactivate your account.':
    'Ihr Konto wurde deaktiviert. Melden Sie sich an, um es wieder zu aktivieren.',
  'Your account is pending approval from your administrator and hence blocked.':
    'Ihr Konto muss erst von einem Administrator freigegeben werden.',
  'Your password expired. Please access GitLab from a web browser to update your password.':
    'Ihr Passwort ist abgelaufen. Melden Sie sich im Browser an, um es zu ändern.',
  'Your primary email address is not confirmed. Please check your inbox for the confirmation instructions.':
    'Ihre primäre E-Mail-Adresse ist nicht bestätigt. Folgen Sie dem Link in der E-Mail, die wir Ihnen gesendet haben.',
  'invalid token supplied': 'Das Token ist ungültig',
  'log is larger than its limit': 'Das Protokoll ist länger als erlaubt',
  'invalid revision or path Not Found': 'Die Revision oder den Pfad gibt es nicht',
  'A directory with this name already exists': 'Einen Ordner mit diesem Namen gibt es bereits',
  'A file with this name already exists': 'Eine Datei mit diesem Namen gibt es bereits',
  "A file with this name doesn't exist": 'Eine Datei mit diesem Namen gibt es nicht',
  'API V3 is no longer supported. Use API V4 instead.':
    'Die API V3 wird nicht mehr unterstützt. Verwenden Sie die API V4.',
  'An issue already exists': 'Ein Issue gibt es bereits',
  'Branch already exists': 'Diesen Branch gibt es bereits',
  'Branch cannot be merged': 'Der Branch kann nicht gemergt werden',
  'Branch does not exist': 'Diesen Branch gibt es nicht',
  'Branch name conflicts with existing branch hierarchy.':
    'Der Name des Branches verträgt sich nicht mit dem eines anderen Branches.',
  'Branch name is invalid': 'Der Name des Branches ist ungültig',
  'Cannot clone issue due to insufficient permissions!':
    'Sie dürfen das Issue nicht dorthin kopieren',
  'Cannot delete primary email': 'Die primäre E-Mail-Adresse kann nicht gelöscht werden',
  'Cannot have multiple unresolved alerts': 'Es gibt bereits eine offene Warnung dieser Art',
  'Cannot move issue due to insufficient permissions!':
    'Sie dürfen das Issue nicht dorthin verschieben',
  'Cannot move issue to project it originates from!': 'Das Issue ist bereits in diesem Projekt',
  'Commit not found': 'Diesen Commit gibt es nicht',
  'Could not set the default branch': 'Der Standard-Branch konnte nicht gesetzt werden',
  'Duplicate page: A page with that title already exists':
    'Eine Seite mit diesem Titel gibt es bereits',
  'Duplicated issue': 'Ein Issue mit dieser Nummer gibt es bereits',
  'Ensure the group has a project with commits.': 'Die Gruppe braucht ein Projekt mit Commits.',
  'Ensure the project has CI jobs.': 'Das Projekt braucht CI-Jobs.',
  'Ensure the project has CI pipelines.': 'Das Projekt braucht Pipelines.',
  'Ensure the project has at least one commit.': 'Das Projekt braucht mindestens einen Commit.',
  'Ensure the project has deployments.': 'Das Projekt braucht Deployments.',
  'Ensure the project has issues.': 'Das Projekt braucht Issues.',
  'Ensure the project has merge requests.': 'Das Projekt braucht Merge Requests.',
  'Ensure the project has notes.': 'Das Projekt braucht Kommentare.',
  'Ensure the project has releases.': 'Das Projekt braucht Releases.',
  'Ensure the wiki is enabled and has pages.': 'Das Wiki muss aktiviert sein und Seiten haben.',
  'Error occurred. A blocked user cannot be deactivated':
    'Ein blockiertes Konto kann nicht deaktiviert werden',
  'External status check must be failed':
    'Nur eine fehlgeschlagene Statusprüfung kann wiederholt werden',
  'Failed to remove branch': 'Der Branch konnte nicht gelöscht werden',
  'Failed to remove tag': 'Der Tag konnte nicht gelöscht werden',
  'Failed to return the key': 'Der Schlüssel konnte nicht gelesen werden',
  'Insufficient permissions to create a new pipeline': 'Sie dürfen hier keine Pipeline starten',
  'Insufficient permissions to set pipeline variables':
    'Sie dürfen hier keine Variablen der Pipeline setzen',
  'Internal users cannot be deactivated': 'Interne Konten können nicht deaktiviert werden',
  'Invalid branch filter given': 'Der Filter für Branches ist ungültig',
  'Issue(s) already assigned': 'Diese Issues sind bereits verknüpft',
  'Its body was too long to be kept.': 'Der Inhalt war zu lang, um gespeichert zu werden.',
  'Keyset pagination is not yet available for this type of request':
    'Diese Sortierung kann nicht fortlaufend geblättert werden',
  'LFS objects are missing. Ensure LFS is properly set up or try a manual "git lfs push --all".':
    'LFS-Objekte fehlen. Prüfen Sie, ob LFS eingerichtet ist, oder führen Sie „git lfs push --all“ aus.',
  'Label has already been taken': 'Dieses Label wird bereits verwendet',
  'Label not found!': 'Dieses Label gibt es nicht',
  'List could not be moved!': 'Die Liste konnte nicht verschoben werden',
  'Merge request is not mergeable': 'Der Merge Request kann nicht gemergt werden',
  'Milestone has already been taken': 'Dieser Meilenstein wird bereits verwendet',
  'Milestone not found!': 'Diesen Meilenstein gibt es nicht',
  'Missing CI config file': 'Die CI-Konfiguration fehlt',
  'Name has already been taken': 'Dieser Name ist bereits vergeben',
  'No matching issue found. Make sure that you are adding a valid issue URL.':
    'Dieses Issue gibt es nicht. Geben Sie die Adresse eines Issues an.',
  'Non GET methods are not allowed for moved projects':
    'Das Projekt ist umgezogen: Unter der alten Adresse kann es nur gelesen werden',
  'Personal project creation is not allowed. Please contact your administrator with questions':
    'Persönliche Projekte sind nicht erlaubt. Wenden Sie sich an Ihren Administrator.',
  'Pipeline filtered out by workflow rules.':
    'Die Regeln unter „workflow“ lassen hier keine Pipeline zu.',
  'Pipeline will not run for the selected trigger. The rules configuration prevented any jobs from being added to the pipeline.':
    'Die Pipeline wurde nicht gestartet: Die Regeln der Konfiguration schließen alle Jobs aus.',
  'Pipelines are disabled!': 'Pipelines sind deaktiviert',
  'Project cannot be shared with the group it is in or one of its ancestors.':
    'Ein Projekt kann nicht für eine Gruppe freigegeben werden, zu der es gehört.',
  "Project does not exist or you don't have permission to perform this action":
    'Das Projekt gibt es nicht, oder Sie haben keine Berechtigung',
  'Project is deleted!': 'Das Projekt wurde gelöscht',
  'Provide at least 2 refs': 'Geben Sie mindestens zwei Branches, Tags oder Commits an',
  'Ref is ambiguous':
    'Der Name ist mehrdeutig: Es gibt einen Branch und einen Tag mit diesem Namen',
  'Ref is not specified': 'Geben Sie einen Branch oder einen Tag an',
  'Reference not found': 'Diesen Branch, Tag oder Commit gibt es nicht',
  'Regex is invalid': 'Der reguläre Ausdruck ist ungültig',
  'Regex takes too long': 'Der reguläre Ausdruck braucht zu lange',
  'Scope not supported without Elasticsearch!':
    'Danach kann nur innerhalb eines Projekts gesucht werden',
  'Shared group The group has already been shared with this group':
    'Diese Gruppe ist bereits eingeladen',
  'Source project is not a fork of the target project':
    'Das Quellprojekt ist kein Fork des Zielprojekts',
  'Tag name conflicts with existing tag hierarchy.':
    'Der Name des Tags verträgt sich nicht mit dem eines anderen Tags.',
  'Tag name invalid': 'Der Name des Tags ist ungültig',
  'Target is empty': 'Das Ziel ist leer',
  'Testing not available for this hook': 'Dieser Webhook kann nicht getestet werden',
  'The background task has not failed': 'Die Aufgabe ist nicht fehlgeschlagen',
  'The background task is running': 'Die Aufgabe läuft gerade',
  'A backup is already in progress': 'Es läuft bereits eine Sicherung',
  'No backup target is configured. Set BLOOMERY_BACKUP_TO and restart the server.':
    'Es ist kein Speicherort für Sicherungen eingerichtet. Setzen Sie BLOOMERY_BACKUP_TO und starten Sie den Server neu.',
  'The body is not the JSON object it should be.': 'Der Inhalt ist kein JSON-Objekt.',
  'The branch refname is invalid': 'Der Name des Branches ist ungültig',
  'The branches cannot be merged': 'Die Branches können nicht gemergt werden',
  'The content is identical to the current content of the file':
    'Der Inhalt der Datei ist unverändert',
  'The default branch of a project cannot be deleted.':
    'Der Standard-Branch eines Projekts kann nicht gelöscht werden.',
  'The file is not text': 'Die Datei ist kein Text',
  'The file name cannot be empty': 'Der Dateiname darf nicht leer sein',
  'The license key is invalid.': 'Der Lizenzschlüssel ist ungültig.',
  'The merge request is not open': 'Der Merge Request ist nicht offen',
  'The name of the page is not UTF-8': 'Der Name der Seite ist kein UTF-8',
  'The project sharing with group is disabled': 'Das Freigeben für Gruppen ist deaktiviert',
  'The source or target branch has changed since the conflicts were read':
    'Der Quell- oder Ziel-Branch hat sich geändert, seit die Konflikte gelesen wurden',
  'The user you are trying to approve is not pending approval':
    'Dieses Konto wartet nicht auf Freigabe',
  'The visibility setting cannot be changed for masked and hidden variables.':
    'Bei verborgenen Variablen kann die Sichtbarkeit nicht geändert werden.',
  'The wiki has exceeded its size limit.': 'Das Wiki ist größer als erlaubt.',
  "There are multiple variables with provided parameters. Please use 'filter[environment_scope]'":
    'Es gibt mehrere Variablen mit diesem Schlüssel. Geben Sie den Umgebungsbereich an.',
  'There are no conflicts to resolve': 'Es gibt keine Konflikte zu lösen',
  'There are too many boards.': 'Mehr Boards sind nicht möglich.',
  'There are too many lists.': 'Mehr Listen sind nicht möglich.',
  'This archive has been requested too many times. Try again later.':
    'Dieses Archiv wurde zu oft angefordert. Versuchen Sie es später erneut.',
  'This endpoint has been requested too many times. Try again later.':
    'Das waren zu viele Anfragen. Versuchen Sie es später erneut.',
  'Thread to reply to cannot be found': 'Den Thread gibt es nicht mehr',
  'Time to subtract exceeds the total time spent':
    'Es kann nicht mehr Zeit abgezogen werden, als erfasst ist',
  'Too many access levels': 'Das sind zu viele Berechtigungen',
  'Too many applications': 'Mehr Anwendungen sind nicht möglich',
  'Cannot transfer group to one of its subgroup.':
    'Eine Gruppe kann nicht in ihre eigene Untergruppe verschoben werden.',
  'Group is already a root group.': 'Die Gruppe ist bereits eine oberste Gruppe.',
  'Group is already associated to the parent group.': 'Die Gruppe ist bereits in dieser Gruppe.',
  'Parent has too deep level of nesting': 'Die übergeordnete Gruppe ist zu tief verschachtelt',
  'The parent group already has a subgroup or a project with the same path.':
    'In der übergeordneten Gruppe gibt es bereits eine Untergruppe oder ein Projekt mit diesem Pfad.',
  "You don't have enough permissions.": 'Sie haben dafür keine Berechtigung.',
  'User cannot be removed while is the sole-owner of a group':
    'Das Konto kann nicht gelöscht werden, solange es alleiniger Owner einer Gruppe ist',
  'User does not have a pending request': 'Es gibt keine offene Anfrage dieses Kontos',
  'User has already been taken': 'Dieses Konto wird bereits verwendet',
  'User not found!': 'Dieses Konto gibt es nicht',
  "Username can contain only letters, digits, '_', '-', '+', and '.'":
    'Der Benutzername darf nur Buchstaben, Ziffern, „_“, „-“, „+“ und „.“ enthalten',
  'You are not allowed to create protected branches on this project.':
    'Sie dürfen in diesem Projekt keine geschützten Branches anlegen.',
  'You are not allowed to create this tag as it is protected.':
    'Sie dürfen diesen Tag nicht anlegen, denn er ist geschützt.',
  'You are not allowed to delete protected branches from this project. Only a project maintainer or owner can delete a protected branch.':
    'Geschützte Branches können nur Maintainer und Owner des Projekts löschen.',
  'You are not allowed to delete protected tags from this project. Only a project maintainer or owner can delete a protected tag.':
    'Geschützte Tags können nur Maintainer und Owner des Projekts löschen.',
  'You are not allowed to force push code to a protected branch on this project.':
    'In einen geschützten Branch dieses Projekts dürfen Sie keinen Force-Push ausführen.',
  'You can only create or edit files when you are on a branch':
    'Dateien können nur auf einem Branch angelegt und geändert werden',
  'You can only use an existing protected branch ref as the basis of a new protected branch.':
    'Ein neuer geschützter Branch kann nur von einem geschützten Branch ausgehen.',
  "You can't use same project/branch for source and target": 'Quelle und Ziel sind derselbe Branch',
  'You cannot create a branch with a 40-character hexadecimal branch name.':
    'Der Name eines Branches darf nicht aus 40 Hexadezimalzeichen bestehen.',
  "Problem:\n  message body does not match declared format\nResolution:\n  when specifying application/json as content-type, you must pass valid application/json in the request's 'body' \n":
    'Der Inhalt der Anfrage ist kein gültiges JSON',
}

/** What a refusal says is missing or too many. */
const nouns: Readonly<Record<string, string>> = {
  Address: 'Adresse',
  Application: 'Anwendung',
  'Audit Event': 'Audit-Ereignis',
  Avatar: 'Avatar',
  'Award Emoji': 'Emoji-Reaktion',
  'Background task': 'Aufgabe',
  Blob: 'Blob',
  Branch: 'Branch',
  Commit: 'Commit',
  'Deploy Key': 'Deploy-Schlüssel',
  Discussion: 'Thread',
  Dockerfile: 'Dockerfile',
  Email: 'E-Mail-Adresse',
  File: 'Datei',
  'GPG Key': 'GPG-Schlüssel',
  Gitignore: 'Gitignore-Vorlage',
  'Gitlab ci yml': 'CI-Vorlage',
  Group: 'Gruppe',
  'Group Link': 'Eingeladene Gruppe',
  Identity: 'Identität',
  'Impersonation Token': 'Token',
  InstanceVariable: 'Variable',
  Issue: 'Issue',
  Job: 'Job',
  Key: 'Schlüssel',
  Label: 'Label',
  License: 'Lizenz',
  'Merge Base': 'gemeinsamer Vorgänger',
  'Merge Request': 'Merge Request',
  Namespace: 'Namensraum',
  Note: 'Kommentar',
  Page: 'Seite',
  PagesDomain: 'Domain',
  'Pipeline Schedule': 'Pipeline-Zeitplan',
  'Pipeline Schedule Variable': 'Variable des Zeitplans',
  'Pipeline for pipeline_id, sha and ref': 'Pipeline',
  Project: 'Projekt',
  Ref: 'Branch oder Tag',
  'References for commit': 'Commit',
  Runner: 'Runner',
  Signature: 'Signatur',
  SoftwareLicensePolicy: 'Lizenzrichtlinie',
  'Source Project': 'Quellprojekt',
  Tag: 'Tag',
  'Target Namespace': 'Ziel-Namensraum',
  Template: 'Vorlage',
  Tree: 'Ordner',
  User: 'Benutzer',
  Variable: 'Variable',
  'Vulnerability Export': 'Export',
  'Wiki Page': 'Wiki-Seite',
  'access tokens': 'Zugriffstoken',
  'alert integrations': 'Integrationen für Warnungen',
  badges: 'Badges',
  'ci pipeline schedules': 'Pipeline-Zeitpläne',
  'ci secure files': 'sichere Dateien',
  clusters: 'Cluster',
  'deploy tokens': 'Deploy-Token',
  domains: 'Domains',
  'group ci variables': 'Variablen der Gruppe',
  'group hooks': 'Webhooks der Gruppe',
  'instance ci variables': 'Variablen der Instanz',
  'linked issues': 'verknüpfte Issues',
  links: 'Links',
  'managed licenses': 'Lizenzrichtlinien',
  'metric images': 'Bilder',
  'pipeline schedule variables': 'Variablen des Zeitplans',
  'pipeline triggers': 'Pipeline-Trigger',
  'project ci variables': 'Variablen des Projekts',
  'project hooks': 'Webhooks des Projekts',
  projects: 'Projekte',
  'remote mirrors': 'Spiegel',
  'system hooks': 'System-Hooks',
}

/** Fields as a refusal names them, where no label of a form does. */
const fields: Readonly<Record<string, string>> = {
  approvals_required: 'Nötige Genehmigungen',
  avatar: 'Avatar',
  code: 'Code',
  comment: 'Kommentar',
  content: 'Inhalt',
  current_password: 'Bisheriges Passwort',
  description: 'Beschreibung',
  destination_storage_name: 'Ziel',
  domain: 'Domain',
  duration: 'Dauer',
  email: 'E-Mail-Adresse',
  environment_scope: 'Umgebungsbereich',
  expires_at: 'Ablaufdatum',
  external_url: 'Externe URL',
  file: 'Datei',
  file_path: 'Dateipfad',
  fingerprint: 'Fingerabdruck',
  issue_id: 'Issue',
  key: 'Schlüssel',
  license: 'Lizenz',
  name: 'Name',
  namespace: 'Namensraum',
  notification_email: 'E-Mail-Adresse für Benachrichtigungen',
  password: 'Passwort',
  path: 'Pfad',
  project: 'Projekt',
  protected_branches: 'Geschützte Branches',
  repository_storage: 'Speicher',
  shared_with_group_id: 'Gruppe',
  tag_name: 'Tag',
  target_branch: 'Ziel-Branch',
  title: 'Titel',
  token: 'Token',
  url: 'URL',
  user_id: 'Benutzer',
  username: 'Benutzername',
  value: 'Wert',
  variables: 'Variablen',
  visibility: 'Sichtbarkeit',
  visibility_level: 'Sichtbarkeit',
}

/** Returns the translation of a whole text; undefined if there is none. */
function findKnown(text: string): string | undefined {
  for (const known of [exact, sentences, nouns]) {
    if (Object.hasOwn(known, text)) return known[text]
  }
  return undefined
}

export const translateProblem: typeof english.translateProblem = (problem) => {
  const known = findKnown(problem)
  if (known !== undefined) return known
  for (const [pattern, translated] of patterns) {
    const parts = pattern.exec(problem)
    if (parts) {
      return translated.replace(/([$&])(\d)/g, (_, sign: string, at: string) => {
        const part = parts[Number(at)] ?? ''
        return sign === '&' ? translateProblem(part) : part
      })
    }
  }
  return problem
}

export const translateFieldName: typeof english.translateFieldName = (name) =>
  (Object.hasOwn(fields, name) && fields[name]) || name.replaceAll('_', ' ')
