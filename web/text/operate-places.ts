export const operatePlaces = {
  label: 'Operate',
  alerts: 'Alerts',
  pages: 'Pages',
  clusters: 'Clusters',
}
