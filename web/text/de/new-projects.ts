import type * as english from '../new-projects.ts'

export const newProjects: typeof english.newProjects = {
  title: 'Neues Projekt',
  groupTitle: 'Neue Gruppe',
  lead: 'Ein Projekt hat ein Repository, Issues, Merge Requests und CI/CD-Pipelines.',
  groupLead: 'Eine Gruppe fasst verwandte Projekte zusammen und regelt, wer Zugriff auf sie hat.',
  subgroupLead: (path: string) => `Diese Gruppe wird in ${path} erstellt.`,
  name: 'Name',
  path: 'Pfad',
  pathHint: (path: string) => `URL: ${path}`,
  namespace: 'Namespace',
  description: 'Beschreibung',
  visibility: 'Sichtbarkeit',
  visibilities: [
    { value: 'private', label: 'Privat', hint: 'Nur Mitglieder haben Zugriff.' },
    { value: 'internal', label: 'Intern', hint: 'Alle angemeldeten Benutzer haben Zugriff.' },
    { value: 'public', label: 'Öffentlich', hint: 'Alle haben Zugriff.' },
  ],
  readme: 'Repository mit einer README anlegen',
  readmeHint: 'Nicht auswählen, wenn Sie ein vorhandenes Repository pushen wollen.',
  create: 'Projekt erstellen',
  createGroup: 'Gruppe erstellen',
  fork: 'Projekt forken',
  forkTitle: (name: string) => `${name} forken`,
  forkLead:
    'Ein Fork ist eine Kopie eines Projekts. Nehmen Sie darin Änderungen vor, und schlagen Sie sie dem Original mit einem Merge Request vor.',
}
