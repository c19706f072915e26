// Shows broadcast banners to users who push by git (docs/api/broadcast-messages.md, "Pushes").
import { timestamp } from '../../../kernel/clock.ts'
import { limits } from '../../../kernel/limits.ts'
import type { PushMessagesRequest } from '../../repository/pushes/push-messages-requested.ts'
import { listBanners } from './broadcast-message.store.ts'
import { isForLevel } from './broadcast-rules.ts'

/** Adds banners to the messages of a push report. A step of a push that is reported. */
export async function addBannersToReport({
  uses,
  level,
  messages,
}: PushMessagesRequest): Promise<void> {
  const banners = await listBanners(uses.db, { now: timestamp(uses.clock) })
  const shown = banners.filter(({ target_access_levels }) =>
    isForLevel(target_access_levels, level),
  )
  for (const { message } of shown.slice(0, limits.broadcast_messages.pushed_max)) {
    messages.push(...bannerLines(message))
  }
}

/**
 * The columns that git's prefix `remote: ` leaves of an 80-column terminal, and the columns of the text
 * between margins.
 */
const width = 72
const text_width = width - 4

/** Formats the text centered between two rules, wrapped at words and without control characters. */
export function bannerLines(message: string): string[] {
  const rule = '='.repeat(width)
  const lines = wrapWords(plainText(message)).map((line) => {
    const margin = Math.max(0, Math.floor((width - line.length) / 2))
    return `${' '.repeat(margin)}${line}`
  })
  return lines.length === 0 ? [] : ['', rule, '', ...lines, '', rule, '']
}

/** Removes control characters and characters that change the direction of text. */
function plainText(message: string): string {
  return message.replace(/\s/g, ' ').replace(/[\p{Cc}\p{Cf}]/gu, '')
}

function wrapWords(text: string): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ').filter((part) => part !== '')) {
    if (line !== '' && line.length + 1 + word.length > text_width) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return line === '' ? lines : [...lines, line]
}
