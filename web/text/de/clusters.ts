import type * as english from '../clusters.ts'

export const clusters: typeof english.clusters = {
  title: 'Cluster',
  lead: 'Kubernetes-Cluster, in denen Jobs mit einer Umgebung deployen.',
  groupLead:
    'Kubernetes-Cluster für die Projekte dieser Gruppe. Projekte können eigene hinzufügen.',
  instanceLead:
    'Kubernetes-Cluster für alle Projekte auf diesem Server. Gruppen und Projekte können eigene hinzufügen.',
  empty: 'Noch keine Cluster',
  emptyText:
    'Fügen Sie einen Cluster mit seiner API-Adresse und einem Token hinzu. Jobs erhalten beides als KUBECONFIG und in weiteren Variablen.',
  add: 'Cluster hinzufügen',
  new: 'Neuer Cluster',
  edit: 'Einstellungen',
  save: 'Änderungen speichern',
  saved: 'Änderungen gespeichert',
  added: (name: string) => `Cluster ${name} hinzugefügt`,
  enabled: 'Aktiviert',
  disabled: 'Deaktiviert',
  disable: 'Cluster deaktivieren',
  enable: 'Cluster aktivieren',
  scopeOf: (scope: string) => `Umgebungen: ${scope}`,
  name: 'Name',
  apiUrl: 'API-URL',
  token: 'Service-Token',
  tokenHint: 'Das Token wird verschlüsselt gespeichert und nie wieder angezeigt.',
  tokenKeptHint: 'Leer lassen, um das Token zu behalten.',
  caCert: 'CA-Zertifikat (PEM)',
  caCertHint:
    'Nötig, außer das Zertifikat des Clusters ist von einer öffentlichen Zertifizierungsstelle signiert.',
  namespace: 'Namespace',
  namespaceHint: 'Leer lassen, um einen nach dem Projekt benannten Namespace zu verwenden.',
  scope: 'Geltungsbereich (Umgebungen)',
  scopeHint: 'Ein Name oder ein Muster wie review/*. * steht für jede Umgebung.',
  domain: 'Basis-Domain',
  domainHint: 'Jobs erhalten sie als KUBE_INGRESS_BASE_DOMAIN.',
  perEnvironment: 'Für jede Umgebung einen eigenen Namespace verwenden',
  managed: 'Dieser Server wählt den Namespace',
  managedHint: 'Sonst kann ein Job ihn mit environment:kubernetes:namespace wählen.',
  addedBy: (name: string) => `Hinzugefügt von ${name}`,
  remove: 'Cluster löschen',
  removeTitle: (name: string) => `Cluster ${name} löschen?`,
  removeText:
    'Jobs erhalten Adresse und Token des Clusters nicht mehr. Der Cluster selbst bleibt unverändert.',
}
