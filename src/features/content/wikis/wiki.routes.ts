import { type Static, Type } from 'typebox'
import type { GitAccess } from '../../../git/git.ts'
import { asOid, checkTreePath, isDotGit, type TreePath } from '../../../git/names.ts'
import type { TreeEdit } from '../../../git/tree-edit.ts'
import { newBlob } from '../../../git/write.ts'
import { type Context, type Endpoint, endpointFactory } from '../../../http/endpoint.ts'
import { Page as ListPage, type PageRange } from '../../../http/pagination.ts'
import { atLeastOneOf } from '../../../http/parameters.ts'
import { file, oneOf, optionalBoolean, optionalText, pageInput } from '../../../http/schema.ts'
import { invalid, notFound, tooLarge } from '../../../kernel/errors.ts'
import { randomHex } from '../../../kernel/ids.ts'
import { limits } from '../../../kernel/limits.ts'
import {
  groupAsOwnerLoader,
  type OwningProjectOrGroup,
  projectAsOwnerLoader,
} from '../../../subjects/owner.ts'
import { findWiki, mayReadWiki, mayWriteWiki, wikiRepository } from '../../../subjects/wiki.ts'
import { readSettingOrDefault } from '../../basics/settings/setting.ts'
import {
  type DiffInput,
  diffInput,
  PagedDiffJson,
  readDiffPage,
} from '../../repository/diffs/diff-page.ts'
import { sanitizeUploadName } from '../uploads/upload-name.ts'
import { commitWikiChange } from './change-wiki.ts'
import {
  folderOfWikiSlug,
  type WritableWikiFormat,
  wikiSlugOfTitle,
  wikiSlugProblem,
  wikiTitleOfSlug,
  writableWikiFormats,
} from './page-name.ts'
import {
  findWikiPage,
  findWikiVersion,
  isWikiPagePath,
  isWikiSlugTaken,
  listWikiPages,
  readWikiPage,
  type WikiPage,
  type WikiVersion,
} from './read-pages.ts'
import { showWikiPage } from './show-page.ts'
import {
  ListedWikiPageJson,
  presentListedWikiPage,
  presentWikiAttachment,
  presentWikiPage,
  presentWikiPageVersion,
  WikiAttachmentJson,
  WikiPageJson,
  WikiPageVersionJson,
} from './wiki.present.ts'

const formatNames = Object.keys(writableWikiFormats) as WritableWikiFormat[]
const mebibyte = 1024 * 1024

type WikiContext<Input> = Context<OwningProjectOrGroup, Input>

const pageNotFound = () => notFound('Wiki Page')

/** Returns a version of the wiki; undefined if the wiki does not exist. */
async function findWritten(
  { db, git, config, subject: owner }: WikiContext<unknown>,
  version?: string,
): Promise<WikiVersion | undefined> {
  const wiki = await findWiki(db, owner)
  return wiki && findWikiVersion(git, wikiRepository(config, wiki), version || undefined)
}

async function getPage(
  context: WikiContext<{ slug: string; version?: string }>,
): Promise<{ version: WikiVersion; page: WikiPage }> {
  const { git, input } = context
  const version = await findWritten(context, input.version)
  const page = version && (await findWikiPage(git, version, input.slug))
  if (!page) throw pageNotFound()
  return { version, page }
}

async function listAll(context: WikiContext<{ with_content?: boolean }>) {
  const { git, input } = context
  const version = await findWritten(context)
  const pages = version ? await listWikiPages(git, version) : []
  if (!input.with_content || !version) return pages.map(presentListedWikiPage)
  let room = limits.wiki_list_bytes
  const list: Static<typeof ListedWikiPageJson>[] = []
  for (const page of pages) {
    room -= (await git.objects.info(version.repository, page.oid))?.size ?? 0
    if (room < 0) throw tooLarge()
    list.push(presentWikiPage(page, await readWikiPage(git, version.repository, page)))
  }
  return list
}

const blank = "can't be blank"

/** Returns the validation problem of a blank content, or one longer than the instance allows. */
async function contentProblem({ db }: WikiContext<unknown>, content: string | undefined) {
  if (content === undefined) return undefined
  if (content.trim() === '') return blank
  const bytes_max = await readSettingOrDefault(db, 'wiki_page_max_content_bytes')
  const bytes = Buffer.byteLength(content)
  if (bytes <= bytes_max) return undefined
  return `is too long (${sizeText(bytes)}). The maximum size is ${sizeText(bytes_max)}.`
}

/** Throws 400 with the problems of the title and the content. */
async function check(
  context: WikiContext<unknown>,
  { slug, content }: { slug: string | undefined; content: string | undefined },
): Promise<void> {
  const title = slug === undefined ? undefined : nameProblem(slug)
  const text = await contentProblem(context, content)
  if (title === undefined && text === undefined) return
  throw invalid({ ...(title && { title: [title] }), ...(text && { content: [text] }) })
}

const units = ['Bytes', 'KB', 'MB', 'GB']

/** Formats a size with at most three digits and without trailing zeros. */
function sizeText(bytes: number): string {
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1)
  return `${Number((bytes / 1024 ** power).toPrecision(3))} ${units[power]}`
}

/** Returns why a slug cannot be the name of a page; undefined if it can. */
function nameProblem(slug: string): string | undefined {
  const isName = !('problem' in checkTreePath(slug)) && isWikiPagePath(`${slug}.md`)
  return wikiSlugProblem(slug) ?? (isName ? undefined : 'is invalid')
}

/** Throws 400 if something that is not a page is in the place of a file or of one of its folders. */
async function checkRoom(tree: TreeEdit, path: TreePath): Promise<void> {
  const isTakenUp = (await tree.isBelowFile(path)) || (await tree.find(path)) !== undefined
  if (isTakenUp) throw invalid({ title: ['is invalid'] })
}

/** Throws 400 if the page's file name is not valid UTF-8, as names from git may be. */
async function checkNameable(tree: TreeEdit, { path }: WikiPage): Promise<void> {
  if (!(await tree.find(path as TreePath))) throw invalid('The name of the page is not UTF-8')
}

const duplicate = () => invalid({ base: ['Duplicate page: A page with that title already exists'] })

async function createPage(
  context: WikiContext<{ title: string; content: string; format?: WritableWikiFormat }>,
) {
  const { git, subject: owner, actor, user, input } = context
  const { content, format = 'markdown' } = input
  const slug = wikiSlugOfTitle(input.title)
  await check(context, { slug, content })
  const path = `${slug}.${writableWikiFormats[format]}` as TreePath
  const blob = await newBlob(Buffer.from(content))
  await commitWikiChange(context, { owner, actor, user }, async (tree, version) => {
    if (version && (await isWikiSlugTaken(git, version, { slug }))) throw duplicate()
    await checkRoom(tree, path)
    await tree.put(path, { mode: '100644', oid: blob.oid })
    return {
      blobs: [blob],
      message: `${user.username} created page: ${wikiTitleOfSlug(slug)}`,
      changes: [{ action: 'create', path }],
      result: undefined,
    }
  })
  return presentWikiPage(
    { path, oid: blob.oid, slug, title: wikiTitleOfSlug(slug), format },
    content,
  )
}

/** Returns the slug for a new title. A title without a slash keeps the page in its folder (docs/api/wikis.md, "Names"). */
function renamed(page: WikiPage, title: string): string {
  if (title.trim() === '') return ''
  return wikiSlugOfTitle(title.includes('/') ? title : folderOfWikiSlug(page.slug) + title)
}

async function updatePage(
  context: WikiContext<{
    slug: string
    content?: string
    title?: string
    format?: WritableWikiFormat
  }>,
) {
  const { git, subject: owner, actor, user, input } = context
  const { title, content } = input
  // A missing page is reported before problems of the new content.
  const { page: known } = await getPage(context)
  const wanted = title === undefined ? undefined : renamed(known, title)
  await check(context, { slug: wanted, content })
  const blob = content === undefined ? undefined : await newBlob(Buffer.from(content))
  const { result, repository } = await commitWikiChange(
    context,
    { owner, actor, user },
    async (tree, version) => {
      const page = version && (await findWikiPage(git, version, input.slug))
      if (!page) throw pageNotFound()
      await checkNameable(tree, page)
      const slug = title === undefined ? page.slug : renamed(page, title)
      const format = input.format ?? page.format
      const isKept = format === page.format
      const ending = isKept
        ? page.path.slice(page.slug.length + 1)
        : writableWikiFormats[format as WritableWikiFormat]
      const path = `${slug}.${ending}` as TreePath
      const oid = blob?.oid ?? page.oid
      if (path !== page.path) {
        if (await isWikiSlugTaken(git, version, { slug, except: page.path })) throw duplicate()
        await tree.remove(page.path as TreePath)
        await checkRoom(tree, path)
      }
      await tree.put(path, { mode: '100644', oid })
      return {
        blobs: blob ? [blob] : [],
        message: `${user.username} updated page: ${wikiTitleOfSlug(slug)}`,
        changes: [{ action: 'update', path }],
        result: { path, oid, slug, title: wikiTitleOfSlug(slug), format },
      }
    },
  )
  return presentWikiPage(result, content ?? (await readWikiPage(git, repository, result)))
}

async function deletePage(context: WikiContext<{ slug: string }>): Promise<void> {
  const { git, subject: owner, actor, user, input } = context
  await getPage(context)
  await commitWikiChange(context, { owner, actor, user }, async (tree, version) => {
    const page = version && (await findWikiPage(git, version, input.slug))
    if (!page) throw pageNotFound()
    await checkNameable(tree, page)
    await tree.remove(page.path as TreePath)
    return {
      blobs: [],
      message: `${user.username} deleted page: ${page.title}`,
      changes: [{ action: 'delete', path: page.path }],
      result: undefined,
    }
  })
}

async function attach(
  context: WikiContext<{ file: { filename: string; content: Buffer }; branch?: string }>,
) {
  const { db, subject: owner, actor, user, input } = context
  const { filename, content } = input.file
  if (filename.trim() === '') throw invalid('The file name cannot be empty')
  const bytes_max = (await readSettingOrDefault(db, 'max_attachment_size')) * mebibyte
  if (content.length > bytes_max) throw tooLarge()
  const named = sanitizeUploadName(filename)
  // git refuses to check out files named like `.git`.
  const file_name = isDotGit(named) ? `_${named}` : named
  const file_path = `uploads/${randomHex(32)}/${file_name}`
  const blob = await newBlob(content)
  const wanted = input.branch || undefined
  const { branch } = await commitWikiChange(
    context,
    { owner, actor, user, branch: wanted },
    async (tree) => {
      await tree.put(file_path as TreePath, { mode: '100644', oid: blob.oid })
      const message = `Upload attachment ${file_name}`
      return { blobs: [blob], message, changes: [], result: undefined }
    },
  )
  return presentWikiAttachment({ file_name, file_path, branch: branch.slice('refs/heads/'.length) })
}

/** Returns a page of the commits that changed a wiki page under its present name, newest first. */
async function listVersions(context: WikiContext<{ slug: string }>, range: PageRange) {
  const { git } = context
  const { version, page } = await getPage(context)
  const oids = await findVersions(git, version, page, range)
  const commits = await git.objects.commits(version.repository, oids)
  return new ListPage({ items: commits.map(presentWikiPageVersion), total: undefined })
}

function findVersions(
  git: GitAccess,
  { repository, commit }: WikiVersion,
  { path }: WikiPage,
  { offset, per_page }: Pick<PageRange, 'offset' | 'per_page'>,
) {
  const span = { tips: [commit], hidden: [] }
  const filter = { path, isFollowed: false }
  return git.lists.page(repository, span, filter, { offset, limit: per_page })
}

/** Returns the difference of two versions of a page as one changed file; none if they are equal. */
async function compareVersions(
  context: WikiContext<{ slug: string; from?: string; to?: string } & DiffInput>,
  range: PageRange,
) {
  const { git, input } = context
  const { version, page } = await getPage({
    ...context,
    input: { slug: input.slug, version: input.to },
  })
  const before = input.from
    ? asOid(input.from.toLowerCase())
    : (await findVersions(git, version, page, { offset: 1, per_page: 1 }))[0]
  const from = before && (await findWikiVersion(git, version.repository, before))
  if (input.from && !from) throw pageNotFound()
  const old = from && (await findWikiPage(git, from, input.slug))
  return readDiffPage(git, version.repository, {
    from: from?.commit,
    to: version.commit,
    paths: [page.path, ...(old && old.path !== page.path ? [old.path] : [])],
    input,
    range,
  })
}

const slugInput = { slug: Type.String({ description: 'The slug of the page, URL-encoded.' }) }

/** Returns the endpoints for wikis of projects or groups, which differ in the owner and in the tier. */
function endpointsOf(base: '/projects/:id/wikis' | '/groups/:id/wikis'): readonly Endpoint[] {
  const isGroup = base.startsWith('/groups')
  const whose = isGroup ? 'a group' : 'a project'
  const endpoint = endpointFactory({
    tag: 'Wikis',
    on: isGroup ? groupAsOwnerLoader : projectAsOwnerLoader,
    tier: isGroup ? 'premium' : 'free',
  })
  return [
    endpoint({
      route: `GET ${base}`,
      summary: `List the wiki pages of ${whose}`,
      allow: mayReadWiki,
      input: Type.Object({ with_content: optionalBoolean }),
      answer: Type.Array(ListedWikiPageJson),
      run: listAll,
    }),

    endpoint({
      route: `GET ${base}/:slug`,
      summary: `Get a wiki page of ${whose}`,
      allow: mayReadWiki,
      input: Type.Object({ ...slugInput, version: optionalText, render_html: optionalBoolean }),
      answer: WikiPageJson,
      async run(context) {
        const { git, subject: owner, input } = context
        const { version, page } = await getPage(context)
        const content = await readWikiPage(git, version.repository, page)
        const shown = input.render_html
          ? await showWikiPage(context, { owner, page, content })
          : content
        return presentWikiPage(page, shown)
      },
    }),

    endpoint({
      route: `GET ${base}/:slug/versions`,
      summary: `List the versions of a wiki page of ${whose}`,
      allow: mayReadWiki,
      input: Type.Object({ ...slugInput, ...pageInput }),
      answer: Type.Array(WikiPageVersionJson),
      run: (context) => listVersions(context, context.range),
    }),

    endpoint({
      route: `GET ${base}/:slug/diffs`,
      summary: `Compare two versions of a wiki page of ${whose}`,
      allow: mayReadWiki,
      input: Type.Object({
        ...slugInput,
        from: Type.Optional(
          Type.String({ description: 'A commit. The version before `to` where it is left out.' }),
        ),
        to: Type.Optional(
          Type.String({ description: 'A commit. The newest version where it is left out.' }),
        ),
        ...diffInput,
        ...pageInput,
      }),
      answer: Type.Array(PagedDiffJson),
      run: (context) => compareVersions(context, context.range),
    }),

    endpoint({
      route: `POST ${base}`,
      summary: `Create a wiki page of ${whose}`,
      allow: mayWriteWiki,
      transaction: 'none',
      body_bytes_max: limits.content_body_bytes,
      input: Type.Object({
        title: Type.String(),
        content: Type.String(),
        format: Type.Optional(oneOf(formatNames, { default: 'markdown' })),
      }),
      status: 201,
      answer: WikiPageJson,
      run: createPage,
    }),

    endpoint({
      route: `POST ${base}/attachments`,
      summary: `Add a file to the wiki of ${whose}`,
      allow: mayWriteWiki,
      transaction: 'none',
      body_bytes_max: limits.content_body_bytes,
      input: Type.Object({ file: file(), branch: optionalText }),
      status: 201,
      answer: WikiAttachmentJson,
      run: attach,
    }),

    endpoint({
      route: `PUT ${base}/:slug`,
      summary: `Change a wiki page of ${whose}`,
      allow: mayWriteWiki,
      transaction: 'none',
      body_bytes_max: limits.content_body_bytes,
      input: Type.Object({
        ...slugInput,
        content: optionalText,
        title: optionalText,
        format: Type.Optional(oneOf(formatNames)),
      }),
      rules: [atLeastOneOf('content', 'title', 'format')],
      answer: WikiPageJson,
      run: updatePage,
    }),

    endpoint({
      route: `DELETE ${base}/:slug`,
      summary: `Delete a wiki page of ${whose}`,
      allow: mayWriteWiki,
      transaction: 'none',
      input: Type.Object(slugInput),
      status: 204,
      run: deletePage,
    }),
  ]
}

export const wikiEndpoints = [
  ...endpointsOf('/groups/:id/wikis'),
  ...endpointsOf('/projects/:id/wikis'),
]
