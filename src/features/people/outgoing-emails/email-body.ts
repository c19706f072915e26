// The HTML part of emails: the design of the pages (web/DESIGN.md) in one document, without external resources. Mail
// programs that ignore styles in the head show the light theme, which every element has as its own style.
import { escapeHtml } from '../../../kernel/html.ts'
import type { PageLanguage } from '../profiles/preferences.ts'

export type EmailContent = {
  language: PageLanguage
  /** The heading of the email, if it differs from the subject. */
  heading?: string
  /** The paragraphs before the link. */
  paragraphs: readonly string[]
  /** A text of a user: as HTML that is safe in a page and loads nothing, and as plain text. */
  prose?: { html: string; text: string } | undefined
  /** Short details, each with its name. */
  facts?: readonly (readonly [name: string, value: string])[]
  /** The main link of the email: its text and URL. */
  link?: { words: string; url: string }
  /** The paragraphs after the link. */
  notes?: readonly string[]
  /** Why the reader gets this email and how to stop such emails, in whole sentences. */
  reason: string
  /** The link to the notification settings, if the emails can be switched off. */
  settings?: { words: string; url: string }
  /** The link that ends emails about this issue, merge request or other subject. */
  unsubscribe?: { words: string; url: string } | undefined
}

const english = {
  openAddress: 'Or open this address:',
  sentBy: 'Sent by Bloomery at',
}

const texts: Record<PageLanguage, typeof english> = {
  en: english,
  de: {
    openAddress: 'Oder öffnen Sie diese Adresse:',
    sentBy: 'Gesendet von Bloomery unter',
  },
}

const light = {
  body: 'margin:0;padding:24px 12px;background:#f4f2ef;color:#241e1a;font-family:Inter,system-ui,"Segoe UI",Roboto,"Noto Sans",Arial,sans-serif;font-size:16px;line-height:1.6',
  main: 'max-width:560px;margin:0 auto',
  mark: 'margin:0 0 12px;font-size:14px;font-weight:600;color:#b4410d',
  card: 'padding:24px;background:#ffffff;border:1px solid #e1ddd8;border-radius:6px',
  title: 'margin:0 0 16px;font-size:20px;line-height:1.3;font-weight:600',
  text: 'margin:0 0 16px;overflow-wrap:anywhere',
  prose: 'margin:0 0 16px;padding:0 0 0 16px;border-left:3px solid #e1ddd8;overflow-wrap:anywhere',
  facts: 'margin:0 0 16px',
  name: 'float:left;clear:left;width:7em;color:#615953',
  value: 'margin:0 0 4px 7.5em;overflow-wrap:anywhere',
  button:
    'display:inline-block;padding:10px 16px;background:#b4410d;color:#ffffff;border-radius:6px;font-weight:600;text-decoration:none',
  url: 'margin:0 0 16px;font-size:14px;color:#615953;overflow-wrap:anywhere',
  link: 'color:#0859ac',
  foot: 'margin:16px 0 0;font-size:14px;color:#615953;overflow-wrap:anywhere',
} as const

/** Styles for readers who prefer the dark theme; they override those of the elements. */
const dark = `@media (prefers-color-scheme: dark) {
.ground { background: #110e0b !important; color: #ebe7e2 !important }
.card { background: #1f1b18 !important; border-color: #37322e !important }
.mark { color: #f58b4b !important }
.button { background: #f58b4b !important; color: #1b110c !important }
.muted { color: #aca79f !important }
.link, .prose a { color: #7cb9f8 !important }
.prose { border-color: #37322e !important }
}`

/** Returns an email as an HTML document. `url` is the URL of the server, which the footer links to. */
export function renderEmailHtml(
  { subject, url }: { subject: string; url: string },
  content: EmailContent,
): string {
  const { language, paragraphs, prose, facts = [], link, notes = [], reason } = content
  const { settings, unsubscribe } = content
  const { openAddress, sentBy } = texts[language]
  const text = (one: string) => `<p style="${light.text}">${escapeHtml(one)}</p>`
  const anchor = (to: string, words: string) =>
    `<a class="link" style="${light.link}" href="${escapeHtml(to)}">${escapeHtml(words)}</a>`
  const lines = [
    ...paragraphs.map(text),
    ...(prose ? [`<div class="prose" style="${light.prose}">${prose.html}</div>`] : []),
    ...(facts.length > 0
      ? [`<dl style="${light.facts}">${facts.map(factHtml).join('')}</dl>`]
      : []),
    ...(link
      ? [
          `<p style="${light.text}"><a class="button" style="${light.button}" href="${escapeHtml(link.url)}">${escapeHtml(link.words)}</a></p>`,
          `<p class="muted" style="${light.url}">${openAddress} ${anchor(link.url, link.url)}</p>`,
        ]
      : []),
    ...notes.map(text),
  ]
  const ends = [unsubscribe, settings].filter((one) => one !== undefined)
  const end = ends.map(({ words, url }) => ` ${anchor(url, words)}`).join(' ·')
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>
:root { color-scheme: light dark }
${dark}
</style>
</head>
<body class="ground" style="${escapeHtml(light.body)}">
<div role="main" style="${light.main}">
<p class="mark" style="${light.mark}">Bloomery</p>
<div class="card" style="${light.card}">
<h1 style="${light.title}">${escapeHtml(content.heading ?? subject)}</h1>
${lines.join('\n')}
</div>
<p class="muted" style="${light.foot}">${escapeHtml(reason)}${end}</p>
<p class="muted" style="${light.foot}">${sentBy} ${anchor(url, url)}</p>
</div>
</body>
</html>
`
}

function factHtml([name, value]: readonly [string, string]): string {
  return `<dt class="muted" style="${light.name}">${escapeHtml(name)}</dt><dd style="${light.value}">${escapeHtml(value)}</dd>`
}

/** Returns the plain text of an email: the same content, with each URL on its own line. */
export function renderEmailText({ url }: { url: string }, content: EmailContent): string {
  const { language, paragraphs, prose, facts = [], link, notes = [], reason } = content
  const ends = [content.unsubscribe, content.settings].filter((one) => one !== undefined)
  const parts = [
    ...paragraphs,
    ...(prose ? [prose.text] : []),
    ...(facts.length > 0 ? [facts.map(([name, value]) => `${name}: ${value}`).join('\n')] : []),
    ...(link ? [`${link.words}:\n${link.url}`] : []),
    ...notes,
    [
      '-- ',
      reason,
      ...ends.map(({ words, url }) => `${words}: ${url}`),
      `${texts[language].sentBy} ${url}`,
    ].join('\n'),
  ]
  return `${parts.join('\n\n')}\n`
}
