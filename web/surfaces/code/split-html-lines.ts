/** HTML of nested `span`s as lines of it, each whole in itself. Linear. */
export function splitHtmlLines(html: string): string[] {
  const lines: string[] = []
  const open: string[] = []
  let line = ''
  for (const part of html.split(/(<span [^>]*>|<\/span>|\n)/)) {
    if (part === '\n') {
      lines.push(line + '</span>'.repeat(open.length))
      line = open.join('')
      continue
    }
    if (part === '</span>') open.pop()
    else if (part.startsWith('<span ')) open.push(part)
    line += part
  }
  lines.push(line)
  return lines
}
