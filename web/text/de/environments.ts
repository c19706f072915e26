import type * as english from '../environments.ts'

export const environments: typeof english.environments = {
  title: 'Umgebungen',
  lead: 'Orte, an denen Jobs deployen, zum Beispiel staging oder production.',
  empty: 'Noch keine Umgebungen',
  emptyText:
    'Ergänzen Sie einen Deployment-Job in .gitlab-ci.yml um das Schlüsselwort environment, um eine Umgebung zu erstellen.',
  states: { available: 'verfügbar', stopping: 'wird gestoppt', stopped: 'gestoppt' },
  tiers: {
    production: 'Produktion',
    staging: 'Staging',
    testing: 'Test',
    development: 'Entwicklung',
    other: 'Sonstige',
  },
  stop: 'Stoppen',
  stopEnvironment: 'Umgebung stoppen',
  openLive: 'Live-Umgebung öffnen',
  autoStop: 'Automatischer Stopp',
  remove: 'Umgebung löschen',
  removeTitle: (name: string) => `Umgebung ${name} löschen?`,
  removeText:
    'Die Umgebung und ihr Deployment-Verlauf werden gelöscht. Das kann nicht rückgängig gemacht werden.',
  deployments: 'Deployments',
  noDeployments: 'Noch keine Deployments',
  deployment: (iid: number) => `#${iid}`,
  redeploy: 'Erneut deployen',
  redeployTitle: (name: string) => `Erneut auf ${name} deployen?`,
  rollBack: 'Zurückrollen',
  rollBackTitle: (name: string) => `${name} zurückrollen?`,
  redeployText: (job: string, sha: string) =>
    `Der Job ${job} wird für den Commit ${sha} erneut ausgeführt.`,
  deploymentStarted: 'Deployment gestartet',
  by: (name: string) => `von ${name}`,
}
