// The one place where text becomes elements: strings of our own surfaces, which escape, and HTML of the server, which
// is made safe there (docs/api/markdown.md). The browser holds every page to it (trusted types).

type Trusted = { html: (text: string) => string; script: (url: string) => string }

const policy = makePolicy()

function makePolicy(): Trusted {
  const same = (text: string) => text
  const ownScript = (url: string) => {
    if (new URL(url, location.href).origin !== location.origin)
      throw new TypeError('foreign script')
    return url
  }
  const { trustedTypes } = globalThis as {
    trustedTypes?: {
      createPolicy: (
        name: string,
        rules: { createHTML: typeof same; createScriptURL: typeof same },
      ) => { createHTML: typeof same; createScriptURL: typeof same }
    }
  }
  if (!trustedTypes) return { html: same, script: ownScript }
  const made = trustedTypes.createPolicy('bloomery', {
    createHTML: same,
    createScriptURL: ownScript,
  })
  return { html: (text) => made.createHTML(text), script: (url) => made.createScriptURL(url) }
}

/** Puts HTML in the place of what the element holds; only of a surface that escaped it, or of the server. */
export function setHtml(element: Element, html: string): void {
  element.innerHTML = policy.html(html)
}

/** Adds HTML at the end of the element, under the same terms. */
export function appendHtml(element: Element, html: string): void {
  element.insertAdjacentHTML('beforeend', policy.html(html))
}

/** A worker of our own, by `new URL('./x.worker.ts', import.meta.url)`. */
export function startWorker(url: string | URL): Worker {
  return new Worker(policy.script(String(url)), { type: 'module' })
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as HTML has it, in elements and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => escapes[letter] ?? letter)
}
