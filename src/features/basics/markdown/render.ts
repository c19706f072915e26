// Renders Markdown to HTML, the only place that does. The output is safe on a page, whatever the input: a maintained
// parser creates the HTML, and a maintained sanitizer keeps only what is on its lists.
import { randomUUID } from 'node:crypto'
import MarkdownIt from 'markdown-it'
import sanitizeHtml from 'sanitize-html'
import { ownValue } from '../../../kernel/own-value.ts'
import { addLongQuoteRule, alertClasses, replaceAlertQuotes } from './alerts.ts'
import { replaceEmojiCodes } from './emoji.ts'
import { addFootnoteRule, moveFootnotesToEnd } from './footnotes.ts'
import { addFormulaRule, FormulaRenderer } from './formulas.ts'
import { findReferenceCandidates } from './reference-candidates.ts'
import {
  anchorPrefix,
  type FileLinkBase,
  prefixAnchorOfLink,
  resolveLinkToFilePage,
  resolveLinkToRawFile,
} from './resolve-links.ts'
import { insertTableOfContents, markTableOfContents } from './table-of-contents.ts'

/**
 * The targets of references by their spelling in the text: `#1`, `group/project!2`, `@user`. `text` replaces the spelling
 * in the link.
 */
export type ReferenceLinks = Readonly<
  Record<string, { href: string; title: string; kind: string; text?: string }>
>

export type MarkdownRenderRequest = {
  text: string
  links?: ReferenceLinks
  /** The URL of the project, to which links to `/uploads/...` are relative. */
  uploadsUrl?: string
  /** For a wiki page: the URL of the wiki and the page's slug, which relative links start from. */
  pages?: { url: string; slug: string }
  /** For a file of a repository: its location. */
  place?: FileLinkBase
}

const md = new MarkdownIt({ html: true, linkify: true, breaks: false, maxNesting: 50 })
md.linkify.set({ fuzzyEmail: false, fuzzyLink: false, fuzzyIP: false })
addFormulaRule(md)
addFootnoteRule(md)
addLongQuoteRule(md)

type Token = ReturnType<typeof md.parse>[number]

/** Sets the position in the source and the text direction `auto` on each block element. */
function markBlocks(tokens: readonly Token[], lines: readonly string[]): void {
  for (const token of tokens) {
    if (token.map === null || token.nesting < 0 || token.hidden || !token.block) continue
    const [start, end] = token.map
    const last = lines[end - 1] ?? ''
    token.attrSet('data-sourcepos', `${start + 1}:1-${end}:${last.length}`)
    token.attrSet('dir', 'auto')
  }
}

/**
 * Sets the alignment of table cells by an attribute, since the content security policy of pages blocks inline
 * styles.
 */
function alignCells(tokens: readonly Token[]): void {
  for (const token of tokens) {
    if (token.type !== 'th_open' && token.type !== 'td_open') continue
    const [, align] = /^text-align:(\w+)$/.exec(String(token.attrGet('style') ?? '')) ?? []
    token.attrs = token.attrs?.filter(([name]) => name !== 'style') ?? null
    if (align !== undefined) token.attrSet('align', align)
  }
}

/** Replaces short codes of emoji, but not in the text of a bare URL. */
function showEmoji(children: readonly Token[]): void {
  for (const [at, token] of children.entries()) {
    const isAddress = children[at - 1]?.info === 'auto'
    if (token.type === 'text' && !isAddress) token.content = replaceEmojiCodes(token.content)
  }
}

/** Replaces the references in the text tokens of a line by links. */
function linkNames(children: readonly Token[], links: ReferenceLinks): Token[] {
  let isInLink = 0
  return children.flatMap((token) => {
    if (token.type === 'link_open') isInLink++
    if (token.type === 'link_close') isInLink--
    if (token.type !== 'text' || isInLink > 0) return [token]
    const parts: Token[] = []
    let at = 0
    for (const { name, at: start } of findReferenceCandidates(token.content)) {
      const link = ownValue(links, name)
      if (!link) continue
      parts.push(textToken(token, token.content.slice(at, start)))
      const open = newToken(token, 'link_open', 'a', 1)
      open.attrSet('href', link.href)
      open.attrSet('title', link.title)
      open.attrSet('class', `gfm gfm-${link.kind}`)
      parts.push(open, textToken(token, link.text ?? name), newToken(token, 'link_close', 'a', -1))
      at = start + name.length
    }
    return at === 0 ? [token] : [...parts, textToken(token, token.content.slice(at))]
  })
}

function newToken(like: Token, type: string, tag: string, nesting: -1 | 0 | 1): Token {
  const Constructor = like.constructor as new (type: string, tag: string, nesting: number) => Token
  return new Constructor(type, tag, nesting)
}

function textToken(like: Token, content: string): Token {
  const token = newToken(like, 'text', '', 0)
  token.content = content
  return token
}

/** Replaces `[ ]` and `[x]` at the beginning of list items by checkboxes. */
function boxTasks(tokens: readonly Token[]): void {
  for (const [at, token] of tokens.entries()) {
    const item = tokens[at - 2]
    const first = token.children?.[0]
    if (token.type !== 'inline' || item?.type !== 'list_item_open' || first?.type !== 'text') {
      continue
    }
    const [, mark] = /^\[([ xX])\]\s/.exec(first.content) ?? []
    if (mark === undefined) continue
    item.attrJoin('class', 'task-list-item')
    first.content = first.content.slice(4)
    const box = newToken(first, 'html_inline', '', 0)
    const checked = mark === ' ' ? '' : ' checked'
    box.content = `<input type="checkbox" class="task-list-item-checkbox" disabled${checked}> `
    token.children?.unshift(box)
  }
}

const everywhere = ['dir', 'data-sourcepos', 'title', 'lang']

/** Prefixes ids, and the links to them, so that they cannot collide with ids of the page around the text. */
function prefixId(tagName: string, { id, ...rest }: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  return { tagName, attribs: id ? { ...rest, id: anchorPrefix + id } : rest }
}

function transformLink(
  tagName: string,
  { id, name, ...attribs }: sanitizeHtml.Attributes,
): sanitizeHtml.Tag {
  const { href } = attribs
  if (href !== undefined) attribs.href = prefixAnchorOfLink(href)
  if (/^[a-z][a-z0-9+.-]*:/i.test(href ?? '')) {
    attribs.rel = 'nofollow noreferrer noopener'
    attribs.target = '_blank'
  }
  const own = id ?? name
  if (own) attribs.id = anchorPrefix + own
  return { tagName, attribs }
}

const allTags = [
  ...sanitizeHtml.defaults.allowedTags,
  'img',
  'del',
  'ins',
  'details',
  'summary',
  'input',
  'video',
  'audio',
]

const align = { name: 'align', values: ['left', 'center', 'right'] }
/** Elements that may have the attribute `align`, which READMEs of other forges use. */
const aligned = ['th', 'td', 'p', 'div', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']

const allowed: sanitizeHtml.IOptions = {
  allowedAttributes: {
    '*': everywhere,
    ...Object.fromEntries(aligned.map((tag) => [tag, [align]])),
    a: ['href', 'rel', 'target', 'name', 'id'],
    img: ['src', 'alt', 'width', 'height', align],
    video: ['src', 'controls', 'width', 'height'],
    audio: ['src', 'controls'],
    input: [
      { name: 'type', values: ['checkbox'] },
      { name: 'disabled', values: ['', 'disabled'] },
      'checked',
    ],
    ol: ['start'],
    li: ['value', 'id'],
    details: ['open'],
  },
  // Only classes that the renderer sets, and the language of code. With other classes a text could imitate
  // parts of the page.
  allowedClasses: {
    a: ['gfm', 'gfm-*'],
    li: ['task-list-item'],
    div: ['markdown-alert', ...alertClasses],
    p: ['markdown-alert-title'],
    section: ['footnotes'],
    input: ['task-list-item-checkbox'],
    code: ['language-*'],
  },
  allowedSchemes: ['http', 'https', 'ftp', 'mailto', 'ssh', 'git', 'irc', 'xmpp', 'tel'],
  allowedSchemesByTag: {
    img: ['http', 'https'],
    video: ['http', 'https'],
    audio: ['http', 'https'],
  },
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nestingLimit: 100,
  transformTags: {
    a: transformLink,
    li: prefixId,
    input: (tagName, attribs) => ({
      tagName,
      attribs: { ...attribs, type: 'checkbox', disabled: '' },
    }),
  },
}

/**
 * The HTML without elements and attributes that are not allowed. In a file (`place`), relative links are resolved and
 * headings get anchors. `ownTags` are more allowed elements, placeholders that the caller replaces later.
 */
export function sanitizeRenderedHtml(
  html: string,
  place?: FileLinkBase,
  ownTags: readonly string[] = [],
): string {
  const options = place ? allowedIn(place) : allowed
  const allowedTags = [...allTags, ...ownTags]
  return sanitizeHtml(html, { ...options, allowedTags }).trimEnd()
}

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const sources = ['img', 'video', 'audio']

function allowedIn(place: FileLinkBase): sanitizeHtml.IOptions {
  const withSource: sanitizeHtml.Transformer = (tagName, attribs) => {
    const { src, ...rest } = attribs
    return {
      tagName,
      attribs: src === undefined ? rest : { ...rest, src: resolveLinkToRawFile(src, place) },
    }
  }
  const withHref: sanitizeHtml.Transformer = (tagName, given) => {
    const { attribs } = transformLink(tagName, given)
    if (given.href !== undefined) attribs.href = resolveLinkToFilePage(given.href, place)
    return { tagName, attribs }
  }
  return {
    ...allowed,
    allowedAttributes: {
      ...allowed.allowedAttributes,
      ...Object.fromEntries(headings.map((tag) => [tag, ['id', align]])),
    },
    transformTags: {
      ...allowed.transformTags,
      ...Object.fromEntries(headings.map((tag) => [tag, prefixId])),
      ...Object.fromEntries(sources.map((tag) => [tag, withSource])),
      a: withHref,
    },
  }
}

/**
 * The HTML of a text. Takes time linear in it; long texts are for `renderMarkdown`, which has a thread for them. Throws
 * `TooManyFormulas` where they have more characters than this.
 */
export function renderMarkdownHtml(
  { text, links, uploadsUrl, pages, place }: MarkdownRenderRequest,
  formula_characters_max: number,
): string {
  const formulas = new FormulaRenderer(formula_characters_max)
  const contentsTag = `contents-${randomUUID()}`
  const parsed = md.parse(text, {})
  markBlocks(parsed, text.split('\n'))
  alignCells(parsed)
  boxTasks(parsed)
  const hasContents = markTableOfContents(parsed, contentsTag)
  const tokens = moveFootnotesToEnd(replaceAlertQuotes(parsed, md.utils.escapeHtml), text)
  for (const token of tokens) {
    if (!token.children) continue
    showEmoji(token.children)
    if (links) token.children = linkNames(token.children, links)
    if (uploadsUrl !== undefined) placeUploads(token.children, uploadsUrl)
    if (pages) token.children = placePages(token.children, pages)
  }
  const html = md.renderer.render(tokens, md.options, { formulas })
  const safe = formulas.place(sanitizeRenderedHtml(html, place, [formulas.tag, contentsTag]))
  return hasContents ? insertTableOfContents(safe, contentsTag) : safe
}

function placeUploads(children: readonly Token[], uploadsUrl: string): void {
  for (const token of children) {
    const name = token.type === 'image' ? 'src' : token.type === 'link_open' ? 'href' : undefined
    const value = name && token.attrGet(name)
    if (name && String(value ?? '').startsWith('/uploads/'))
      token.attrSet(name, `${uploadsUrl}${value}`)
  }
}

/** Links to wiki pages: `[[Title]]` and `[[text|page]]`. */
const pageLink = /\[\[([^[\]|\n]{1,300})(?:\|([^[\]|\n]{1,300}))?\]\]/g

/**
 * Resolves links between wiki pages, which have no scheme and no leading slash. Links that begin with a dot
 * are relative to the folder of the page.
 */
function placePages(
  children: readonly Token[],
  { url, slug }: NonNullable<MarkdownRenderRequest['pages']>,
): Token[] {
  const folder = slug.slice(0, slug.lastIndexOf('/') + 1)
  const escaped = folder.split('/').map(encodeURIComponent).join('/')
  const place = (target: string) => {
    if (target === '' || /^([a-z][a-z0-9+.-]*:|\/|#|\?)/i.test(target)) return target
    const base = new URL(`${url}/`)
    const from = target.startsWith('.') ? new URL(`./${escaped}`, base) : base
    const found = new URL(target, from)
    return found.href.startsWith(base.href) ? found.href : base.href
  }
  let isInLink = 0
  return children.flatMap((token) => {
    if (token.type === 'link_open') isInLink++
    if (token.type === 'link_close') isInLink--
    const name = token.type === 'image' ? 'src' : token.type === 'link_open' ? 'href' : undefined
    if (name) token.attrSet(name, place(String(token.attrGet(name) ?? '')))
    if (token.type !== 'text' || isInLink > 0) return [token]
    const parts: Token[] = []
    let at = 0
    for (const match of token.content.matchAll(pageLink)) {
      const [whole, shown = '', page = shown] = match
      parts.push(textToken(token, token.content.slice(at, match.index)))
      const open = newToken(token, 'link_open', 'a', 1)
      open.attrSet('href', place(encodeURI(page.trim().replace(/\s+/g, '-'))))
      parts.push(open, textToken(token, shown), newToken(token, 'link_close', 'a', -1))
      at = match.index + whole.length
    }
    return at === 0 ? [token] : [...parts, textToken(token, token.content.slice(at))]
  })
}
