/**
 * The address as a browser reads it, if it is one of this server; undefined for every other. What looks like a path may
 * be another host's: `//host`, or the same with tabs, line breaks or backslashes in it.
 */
export function sameOriginUrl(text: string, base: URL): URL | undefined {
  const url = URL.parse(text, base)
  return url && url.origin === base.origin && /^https?:$/.test(url.protocol) ? url : undefined
}
