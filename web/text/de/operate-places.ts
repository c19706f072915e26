import type * as english from '../operate-places.ts'

export const operatePlaces: typeof english.operatePlaces = {
  label: 'Betrieb',
  alerts: 'Alarme',
  pages: 'Pages',
  clusters: 'Cluster',
}
