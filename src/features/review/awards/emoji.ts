const characters_max = 100

/** Whether an emoji has that name. The names are loaded when they are first needed. */
export async function isEmojiName(name: string): Promise<boolean> {
  if (name === '' || name.length > characters_max) return false
  const { nameToEmoji } = await import('gemoji')
  return Object.hasOwn(nameToEmoji, name)
}
