import type { ApiError } from '../../../kernel/errors.ts'

/** Converts `{access_level: ['is not included in the list']}` to `Access level is not included in the list`. */
export function errorDetailSentence({ detail }: ApiError): string {
  if (typeof detail === 'string') return detail
  if (Array.isArray(detail)) return detail.join(', ')
  const sentences = Object.entries(detail).flatMap(([field, messages]) => {
    const words = field.replaceAll('_', ' ')
    return messages.map((message) => `${words[0]?.toUpperCase()}${words.slice(1)} ${message}`)
  })
  return sentences.join(', ')
}
