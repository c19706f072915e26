// Lines of a log as plain text.

/** Sequences: `CSI ... m` tells how text looks; others move, erase, or name titles and links. */
export const ansiSequencePattern =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  /\u001b(?:\[([\d;:<=>?]*)[ -/]*([@-~])|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[()][AB012]|[ -~])/g
const marker = /^section_(?:start|end):\d+:[\w.-]+(?:\[[^\]]*\])?/

/** A line as it is read: without sequences and marks of sections, and without what a return has gone back over. */
export function withoutAnsiColours(line: string): string {
  return visibleLogText(line).replace(ansiSequencePattern, '')
}

/** A line without marks of sections, and without what a return has gone back over. */
export function visibleLogText(line: string): string {
  const last = line.includes('\r') ? (line.replace(/\r+$/, '').split('\r').at(-1) ?? '') : line
  return last.startsWith('section_') ? last.replace(marker, '') : last
}
