/** `Content-Disposition` with a file name for old and new clients (RFC 6266, section 4.3). */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const plainName = name.replace(/[^\x20-\x7e]|["\\]/g, '_')
  return `${kind}; filename="${plainName}"; filename*=UTF-8''${encodeName(name)}`
}

/** RFC 8187, section 3.2. */
function encodeName(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
