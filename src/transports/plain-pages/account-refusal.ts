// Messages of plain pages for users whose account or address may not be used.
import type { PageLanguage } from '../../features/people/profiles/preferences.ts'
import { accountProblemTexts, UnusableAccountError } from '../../subjects/user.ts'

const english = {
  ...accountProblemTexts,
  passwordExpired:
    'Your password has expired. Set a new password in your user settings, then try again.',
  barredAddress: 'Too many failed sign-ins from your IP address. Try again in a few minutes.',
}

const texts: Record<PageLanguage, typeof english> = {
  en: english,
  de: {
    blocked: 'Ihr Konto wurde gesperrt.',
    deactivated:
      'Ihr Konto wurde von der Administration deaktiviert. Melden Sie sich erneut an, um es wieder zu aktivieren.',
    pendingApproval:
      'Ihr Konto ist noch nicht freigegeben. Sie können es verwenden, sobald die Administration es freigibt.',
    unconfirmed:
      'Ihre primäre E-Mail-Adresse ist noch nicht bestätigt. Öffnen Sie den Bestätigungslink, den Sie per E-Mail erhalten haben.',
    passwordExpired:
      'Ihr Passwort ist abgelaufen. Legen Sie in Ihren Benutzereinstellungen ein neues fest und versuchen Sie es dann erneut.',
    barredAddress:
      'Zu viele fehlgeschlagene Anmeldungen von Ihrer IP-Adresse. Versuchen Sie es in einigen Minuten erneut.',
  },
}

/** Describes a 403 at sign-in: for an account that may not be used, or for an IP address with too many failed sign-ins. */
export function describeAccountRefusal(error: unknown, language: PageLanguage): string {
  return texts[language][error instanceof UnusableAccountError ? error.problem : 'barredAddress']
}
