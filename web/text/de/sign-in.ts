import type * as english from '../sign-in.ts'

export const signInText: typeof english.signInText = {
  code: 'Bestätigungscode oder Wiederherstellungscode',
  codeHint:
    'Geben Sie den Code aus Ihrer Authenticator-App oder einen Ihrer Wiederherstellungscodes ein.',
  rootHint:
    'Zum ersten Mal hier? Melden Sie sich als root an, mit dem Passwort, das der Server beim Start ausgegeben hat.',
  explore: 'Öffentliche Projekte entdecken',
  signUp: 'Konto erstellen',
  forgotten: 'Passwort vergessen?',
  login: 'Benutzername oder E-Mail',
  password: 'Passwort',
  resetAction: 'Link zum Zurücksetzen senden',
  resetDone:
    'Falls ein Konto diese E-Mail-Adresse hat, erhalten Sie in wenigen Minuten einen Link zum Zurücksetzen Ihres Passworts.',
  resetEmail: 'E-Mail',
  resetLead:
    'Geben Sie die E-Mail-Adresse Ihres Kontos ein. Sie erhalten einen Link, um ein neues Passwort festzulegen.',
  resetTitle: 'Passwort zurücksetzen',
  signIn: 'Anmelden',
  title: 'Anmelden',
  wrongPassword: 'Benutzername oder Passwort ungültig',
  wrongCode: 'Bestätigungscode ungültig',
  back: 'Zurück zur Anmeldung',
  alreadySignedIn: (name: string) => `Sie sind als ${name} angemeldet.`,
  continue: 'Weiter',
}
