import type * as english from '../variables.ts'

export const variables: typeof english.variables = {
  title: 'Variablen',
  lead: {
    projects:
      'Jobs erhalten diese Variablen. Maskierte Werte sind in Job-Logs verborgen. Geschützte Variablen erhalten nur Jobs auf geschützten Branches und Tags.',
    groups:
      'Jobs aller Projekte dieser Gruppe erhalten diese Variablen. Maskierte Werte sind in Job-Logs verborgen. Geschützte Variablen erhalten nur Jobs auf geschützten Branches und Tags.',
    instance:
      'Jobs aller Projekte auf diesem Server erhalten diese Variablen. Maskierte Werte sind in Job-Logs verborgen. Geschützte Variablen erhalten nur Jobs auf geschützten Branches und Tags.',
  },
  empty: 'Noch keine Variablen',
  add: 'Variable hinzufügen',
  edit: 'Variable bearbeiten',
  editTitle: (key: string) => `Variable ${key} bearbeiten`,
  save: 'Änderungen speichern',
  saved: 'Variable gespeichert',
  added: (key: string) => `Variable ${key} hinzugefügt`,
  removed: (key: string) => `Variable ${key} gelöscht`,
  menu: (key: string, scope: string) =>
    scope === '' || scope === '*' ? `Aktionen für ${key}` : `Aktionen für ${key} in ${scope}`,
  menuSign: '⋯',
  remove: 'Variable löschen',
  removeTitle: (key: string) => `Variable ${key} löschen?`,
  removeText: 'Jobs erhalten diese Variable nicht mehr. Das kann nicht rückgängig gemacht werden.',
  masked: 'maskiert',
  hidden: 'verborgen',
  protected: 'geschützt',
  file: 'Datei',
  raw: 'unverändert',
  key: 'Schlüssel',
  value: 'Wert',
  valueHidden: 'Der Wert ist verborgen. Lassen Sie dieses Feld leer, um ihn zu behalten.',
  description: 'Beschreibung',
  type: 'Typ',
  types: [
    ['env_var', 'Variable'],
    ['file', 'Datei'],
  ],
  scope: 'Geltungsbereich (Umgebungen)',
  scopeHint: 'Eine Umgebung wie production, ein Muster wie review/* oder * für alle.',
  visibility: 'Sichtbarkeit',
  visibilities: [
    { value: 'visible', label: 'Sichtbar', hint: 'Der Wert kann in Job-Logs erscheinen.' },
    {
      value: 'masked',
      label: 'Maskiert',
      hint: 'Job-Logs zeigen statt des Werts [MASKED]. Der Wert braucht mindestens 8 Zeichen ohne Leerzeichen.',
    },
    {
      value: 'hidden',
      label: 'Maskiert und verborgen',
      hint: 'Wie maskiert, und niemand kann den Wert hier noch einmal lesen. Die Sichtbarkeit lässt sich später nicht ändern.',
    },
  ],
  alwaysHidden:
    'Maskiert und verborgen. Die Sichtbarkeit dieser Variablen lässt sich nicht ändern.',
  protect: 'Nur an Jobs auf geschützten Branches und Tags übergeben',
  rawField: 'Unverändert: Verweise auf andere Variablen nicht auflösen',
}
