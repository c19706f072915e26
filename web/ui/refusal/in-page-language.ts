// What the server refused, as people read it: the API speaks English (decision 0058).
import type { Refusal } from '../../api/refusal.ts'
import { user } from '../../api/session.ts'
import { ui } from '../../text/ui.ts'

export const isInPageLanguage = (refusal: Refusal): boolean =>
  refusal.isTranslated || document.documentElement.lang === 'en'

/** The refusal in the language of the page, by a script that comes only where that is not English; `form` names the fields. */
export async function toPageLanguage(refusal: Refusal, form?: HTMLFormElement): Promise<Refusal> {
  if (isInPageLanguage(refusal)) return refusal
  return import('./translate-refusal.ts').then(
    ({ translateRefusal }) => translateRefusal(refusal, form),
    () => refusal,
  )
}

/** Why something was refused, in one sentence. */
export function describeRefusal(refusal: Refusal): string {
  if (refusal.isOffline) return ui.offline
  if (refusal.isOfOtherAccount) return ui.otherAccount(user.value?.name ?? '')
  if (/^not found$/i.test(refusal.sentence)) return ui.notFound
  if (/^unauthorized$/i.test(refusal.sentence)) return ui.unauthorized
  return refusal.sentence || ui.unexpectedStatus(refusal.status)
}

export const describeInPageLanguage = async (refusal: Refusal): Promise<string> =>
  describeRefusal(await toPageLanguage(refusal))
