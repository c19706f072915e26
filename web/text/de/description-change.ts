import type * as english from '../description-change.ts'

export const descriptionChange: typeof english.descriptionChange = {
  descriptionChange: 'Änderungen an der Beschreibung',
  versionGone: 'Diese Version ist nicht mehr verfügbar.',
  removeVersion: 'Diese Version löschen',
  removeVersionText:
    'Der Text dieser Version wird aus dem Verlauf entfernt. Falls die Beschreibung ihn noch enthält, bearbeiten Sie auch die Beschreibung. Das kann nicht rückgängig gemacht werden.',
}
