import type * as english from '../pages.ts'

export const pagesSitesText: typeof english.pagesSitesText = {
  title: 'Pages',
  lead: 'Veröffentlichen Sie eine statische Website aus diesem Projekt.',
  published: 'Veröffentlicht',
  publishedAt: 'Veröffentlicht',
  folder: (root: string) => `aus dem Ordner ${root}`,
  open: 'Website öffnen',
  noHost: 'Dieser Server hat keine Domain für Websites. Fügen Sie unten eine eigene Domain hinzu.',
  empty: 'Noch keine Website veröffentlicht',
  emptyText:
    'Ein Job mit dem Schlüsselwort pages veröffentlicht den Ordner public, wenn er erfolgreich ist:',
  example: `pages:
  script:
    - mkdir public
    - cp index.html public
  pages: true
  artifacts:
    paths: [public]
`,
  exampleLabel: 'Job pages',
  off: 'Pages ist in diesem Projekt deaktiviert',
  offText: 'Aktivieren Sie Pages, um eine Website zu veröffentlichen und Domains hinzuzufügen.',
  takeDown: 'Website offline nehmen',
  takeDownTitle: 'Website offline nehmen?',
  takeDownText: 'Besucher sehen sie nicht mehr. Der nächste Job pages veröffentlicht sie wieder.',
  takenDown: 'Website offline genommen',
  settings: 'Einstellungen',
  access: 'Wer die Website sehen kann',
  accessOptions: [
    ['public', 'Alle'],
    ['enabled', 'Alle, die das Projekt sehen können'],
    ['private', 'Projektmitglieder'],
    ['disabled', 'Niemand: Pages ist deaktiviert'],
  ],
  https: 'Besucher auf HTTPS umleiten',
  httpsHint: 'Jede Domain der Website braucht ein Zertifikat.',
  save: 'Änderungen speichern',
  saved: 'Änderungen gespeichert',
  domains: 'Domains',
  noDomains: 'Noch keine Domains',
  noDomainsText:
    'Fügen Sie eine Domain hinzu, um die Website unter einer eigenen Adresse anzubieten.',
  addDomain: 'Domain hinzufügen',
  newDomain: 'Neue Domain',
  domain: 'Domain',
  domainHint: 'Ein Name, der Ihnen gehört, zum Beispiel www.example.com.',
  automatic: 'Zertifikat automatisch beziehen',
  automaticHint: 'Der Server beantragt und erneuert es, sobald die Domain verifiziert ist.',
  added: (domain: string) => `Domain ${domain} hinzugefügt`,
  verified: 'Verifiziert',
  unverified: 'Nicht verifiziert',
  verify: 'Domain verifizieren',
  verifyAgain: 'Erneut verifizieren',
  verifiedNow: (domain: string) => `${domain} ist verifiziert`,
  until: 'Verfügbarkeit endet',
  dns: 'DNS-Einträge',
  dnsText:
    'Fügen Sie diese Einträge dort hinzu, wo das DNS der Domain verwaltet wird. Bis Änderungen überall ankommen, kann es eine Weile dauern.',
  pointing: 'Um Besucher zur Website zu leiten:',
  pointingByAddress:
    'Lassen Sie die Domain mit einem A- oder AAAA-Eintrag auf die Adresse dieses Servers zeigen.',
  proving: 'Um nachzuweisen, dass die Domain Ihnen gehört:',
  pointingLabel: 'CNAME-Eintrag',
  provingLabel: 'TXT-Eintrag',
  cname: (domain: string, host: string) => `${domain} CNAME ${host}.`,
  txt: (domain: string, code: string) =>
    `_service-pages-verification-code.${domain} TXT service-pages-verification-code=${code}`,
  certificate: 'Zertifikat',
  certificateWords: {
    none: 'Kein Zertifikat: Die Website wird unverschlüsselt ausgeliefert.',
    waiting: 'Ein Zertifikat wird automatisch beantragt, sobald die Domain verifiziert ist.',
    validFor: (subject: string) => `Gültig für ${subject}`,
    expiredFor: (subject: string) => `Abgelaufen oder noch nicht gültig, für ${subject}`,
    until: (date: string) => `bis ${date}`,
    automatic: 'wird automatisch erneuert',
  },
  certificateText: 'Details anzeigen',
  changeCertificate: 'Zertifikat ändern',
  pem: 'Zertifikat (PEM)',
  pemHint: 'Mit seinen Zwischenzertifikaten.',
  key: 'Privater Schlüssel (PEM)',
  keyHint: 'Leer lassen, um den Schlüssel zu behalten, falls er zum Zertifikat passt.',
  removeCertificate: 'Zertifikat entfernen',
  removeCertificateTitle: (domain: string) => `Zertifikat von ${domain} entfernen?`,
  removeCertificateText:
    'Die Website wird unter dieser Domain dann nur noch über HTTP ausgeliefert.',
  remove: 'Domain löschen',
  removeTitle: (domain: string) => `Domain ${domain} löschen?`,
  removeText: 'Die Website ist unter dieser Domain nicht mehr erreichbar.',
}
