// Emoji that people gave to an issue, a merge request or a note: who gave which, and the way to give one.
import { useEffect, useState } from 'preact/hooks'
import type { Award } from '../../api/operations.ts'
import { user } from '../../api/session.ts'
import { conversation as words } from '../../text/conversation.ts'
import { ui } from '../../text/ui.ts'
import { Picker } from '../../ui/picker/picker.tsx'
import './reactions.css'

/** Those that are offered first, and shown without their list being loaded. */
const common: ReadonlyMap<string, string> = new Map([
  ['thumbsup', '👍'],
  ['thumbsdown', '👎'],
  ['tada', '🎉'],
  ['heart', '❤️'],
  ['rocket', '🚀'],
  ['eyes', '👀'],
  ['smile', '😄'],
  ['thinking', '🤔'],
])
const found_max = 30

export type ReactionCalls = {
  give: (name: string) => Promise<unknown>
  takeBack: (award: Award) => Promise<unknown>
}

export function Reactions({
  awards,
  calls,
}: {
  awards: readonly Award[]
  /** Undefined for those who may not react. */
  calls: ReactionCalls | undefined
}) {
  const names = [...new Set(awards.map(({ name }) => name))]
  if (names.length === 0 && !calls) return null
  return (
    <fieldset class="row reactions" aria-label={words.reactions}>
      {names.map((name) => (
        <Reaction
          key={name}
          name={name}
          given={awards.filter((award) => award.name === name)}
          calls={calls}
        />
      ))}
      {calls ? (
        <Picker
          label={words.reaction}
          openerLabel={words.addReaction}
          look="quiet"
          chosen={[]}
          find={findReactions}
          onChoose={([choice]) => choice && calls.give(choice.value)}
        >
          <span aria-hidden="true">{ui.signs.react}</span>
        </Picker>
      ) : null}
    </fieldset>
  )
}

async function findReactions(search: string) {
  if (search === '') return [...common].map(choiceOf)
  const { findEmoji } = await import('./emoji.ts')
  return findEmoji(search, found_max).map(({ name, emoji }) => choiceOf([name, emoji]))
}

const choiceOf = ([name, emoji]: readonly [string, string]) => ({
  value: name,
  words: `${emoji} ${name.replaceAll('_', ' ')}`,
})

function Reaction({
  name,
  given,
  calls,
}: {
  name: string
  given: readonly Award[]
  calls: ReactionCalls | undefined
}) {
  const sign = useSign(name)
  const own = given.find((award) => award.user.id === user.value?.id)
  const people = given.map((award) => award.user.name).join(', ')
  return (
    <button
      type="button"
      class="reactions-one"
      title={words.reactedBy(name.replaceAll('_', ' '), people)}
      aria-label={words.reactionCount(name.replaceAll('_', ' '), given.length)}
      aria-pressed={own !== undefined}
      aria-disabled={calls ? undefined : 'true'}
      onClick={() => void (own ? calls?.takeBack(own) : calls?.give(name))}
    >
      <span aria-hidden="true">{sign}</span> {given.length}
    </button>
  )
}

function useSign(name: string): string {
  const [sign, setSign] = useState(common.get(name) ?? `:${name}:`)
  useEffect(() => {
    if (common.has(name)) return
    let isOver = false
    void import('./emoji.ts').then(({ emojiOf }) => isOver || setSign(emojiOf(name) ?? `:${name}:`))
    return () => {
      isOver = true
    }
  }, [name])
  return sign
}
