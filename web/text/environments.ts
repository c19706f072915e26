export const environments = {
  title: 'Environments',
  lead: 'Where jobs deploy to.',
  none: 'No job has deployed to an environment yet.',
  states: { available: 'available', stopping: 'stopping', stopped: 'stopped' },
  stop: 'Stop',
}
