import type * as english from '../sign-up.ts'

export const signUpText: typeof english.signUpText = {
  title: 'Registrieren',
  action: 'Konto erstellen',
  name: 'Vollständiger Name',
  username: 'Benutzername',
  email: 'E-Mail',
  password: 'Passwort',
  passwordHint: (characters: number) => `Mindestens ${characters} Zeichen.`,
  disabled:
    'Die Registrierung ist auf diesem Server deaktiviert. Bitten Sie die Administration um ein Konto.',
  doneTitle: 'Konto erstellt',
  confirm: (email: string) =>
    `Öffnen Sie den Link in der E-Mail an ${email}, um Ihre Adresse zu bestätigen.`,
  approval: 'Die Administration muss Ihr Konto freigeben, bevor Sie sich anmelden können.',
}
