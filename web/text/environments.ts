export const environments = {
  title: 'Environments',
  lead: 'Places that jobs deploy to, such as staging or production.',
  empty: 'No environments yet',
  emptyText: 'Add the environment keyword to a deployment job in .gitlab-ci.yml to create one.',
  states: { available: 'available', stopping: 'stopping', stopped: 'stopped' },
  stop: 'Stop',
  stopEnvironment: 'Stop environment',
  openLive: 'Open live environment',
  autoStop: 'Auto-stops',
  remove: 'Delete environment',
  removeTitle: (name: string) => `Delete environment ${name}?`,
  removeText:
    'This deletes the environment and its deployment history. This action cannot be undone.',
  deployments: 'Deployments',
  noDeployments: 'No deployments yet',
  deployment: (iid: number) => `#${iid}`,
  by: (name: string) => `by ${name}`,
}
