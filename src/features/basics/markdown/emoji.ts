// Short codes of emoji: `:tada:` in a text is the emoji (docs/api/markdown.md, "Emoji").
import { nameToEmoji } from 'gemoji'
import { ownValue } from '../../../kernel/own-value.ts'

const codePattern = /(?<![\p{L}\p{N}:]):([a-z0-9_+-]{1,60}):(?![\p{L}\p{N}])/gu

/** The text with emoji in the place of short codes. A code that no emoji has stays. */
export function replaceEmojiCodes(text: string): string {
  if (!text.includes(':')) return text
  return text.replace(codePattern, (code, name) => ownValue(nameToEmoji, name) ?? code)
}
