// Somebody at a browser with a cookie jar, who follows the pages outside of the API.
import type { Answer, TestApp } from './app.ts'

/** A page's form: where it goes, and what its hidden fields hold. */
export function formOf({ body }: { body: string }) {
  const text = (value: string) =>
    value
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
  return {
    action: /<form method="post" action="([^"]*)">/.exec(body)?.[1],
    hidden: Object.fromEntries(
      [...body.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
        ([, name = '', value = '']) => [name, text(value)],
      ),
    ) as Record<string, string>,
  }
}

export const titleOf = ({ body }: { body: string }) => /<h1>(.*)<\/h1>/.exec(body)?.[1]

export type Visitor = {
  cookies: Map<string, string>
  get: (url: string) => Promise<Answer>
  /** Sends a form; `headers` are those a browser would add. */
  post: (
    url: string,
    form: Record<string, string>,
    headers?: Record<string, string>,
  ) => Promise<Answer>
}

export const origin = 'http://bloomery.test'

export function newVisitor(app: TestApp): Visitor {
  const cookies = new Map<string, string>()
  const send = async (
    method: 'GET' | 'POST',
    url: string,
    form?: Record<string, string>,
    headers: Record<string, string> = {},
  ) => {
    const answer = await app.server.inject({
      method,
      url: url.replace(origin, ''),
      headers: {
        host: 'bloomery.test',
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
        ...headers,
      },
      ...(form ? { payload: new URLSearchParams(form).toString() } : {}),
    })
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }
  return {
    cookies,
    get: (url) => send('GET', url),
    post: (url, form, headers) => send('POST', url, form, headers),
  }
}
