import { type Static, Type } from 'typebox'
import { checkIfUnmodifiedSince } from '../../../http/conditional.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { keysetAnswer, Page } from '../../../http/pagination.ts'
import { oneOf, optionalText, pageInput } from '../../../http/schema.ts'
import { invalid } from '../../../kernel/errors.ts'
import {
  mayDownloadCode,
  mayPushCode,
  type Project,
  projectLoader,
  projectRepository,
} from '../../../subjects/project.ts'
import { protectedTagRefusalTexts } from '../protected-tags/protected-tag.ts'
import { recheckerForNewTag, recheckerForTagRemoval } from '../pushes/recheck-access.ts'
import { createTag } from './create-tag.ts'
import { deleteTag } from './delete-tag.ts'
import { findTagCommit, showTag, showTags } from './show-tags.ts'
import { TagJson } from './tag.present.ts'
import {
  getTag,
  listTagRefs,
  sliceTags,
  tagDirections,
  tagOrders,
  tagRefsAfterPageToken,
} from './tag.ts'

const tag = 'Tags'
const endpoint = endpointFactory({ tag, on: projectLoader })
const tagInput = Type.Object({
  tag_name: Type.String({ description: 'URL-encoded name of the tag.' }),
})
type TagContext = Context<Project, Static<typeof tagInput>>

function namedTag({ config, subject, input }: TagContext) {
  return getTag(projectRepository(config, subject), input.tag_name)
}

export const tagEndpoints = [
  endpoint({
    route: 'GET /projects/:id/repository/tags',
    summary: 'List the tags of a project',
    allow: mayDownloadCode,
    input: Type.Object({
      order_by: Type.Optional(oneOf(tagOrders, { default: 'updated' })),
      sort: Type.Optional(oneOf(tagDirections, { default: 'desc' })),
      search: optionalText,
      ...pageInput,
      pagination: Type.Optional(oneOf(['keyset', 'legacy'])),
      page_token: Type.Optional(
        Type.String({ description: 'With keyset pagination: the last name of the page before.' }),
      ),
    }),
    answer: Type.Array(TagJson),
    async run(context) {
      const { git, config, subject: project, input } = context
      const tags = await listTagRefs(git.git, projectRepository(config, project), input)
      const { range } = context
      if (input.pagination === 'keyset') {
        const rest = tagRefsAfterPageToken(tags, input.page_token, input)
        const page = sliceTags(rest, 0, range.per_page)
        const shown = await showTags(context, project, page)
        if (rest.positions.length === page.length) return shown
        return keysetAnswer(context, shown, { page_token: page.at(-1)?.name })
      }
      const page = sliceTags(tags, range.offset, range.offset + range.per_page)
      const items = await showTags(context, project, page)
      return new Page({ items, total: tags.positions.length })
    },
  }),

  endpoint({
    route: 'GET /projects/:id/repository/tags/:tag_name',
    summary: 'Get a tag',
    allow: mayDownloadCode,
    input: tagInput,
    answer: TagJson,
    run: (context) => showTag(context, context.subject, namedTag(context)),
  }),

  endpoint({
    route: 'POST /projects/:id/repository/tags',
    summary: 'Create a tag',
    allow: mayPushCode,
    transaction: 'none',
    input: Type.Object({ tag_name: Type.String(), ref: Type.String(), message: optionalText }),
    status: 201,
    answer: TagJson,
    async run(context) {
      const { subject: project, user, input } = context
      const made = await createTag(context, {
        project,
        user,
        name: input.tag_name,
        target: input.ref,
        message: input.message ?? '',
        confirm: recheckerForNewTag(context, project, {
          tag: input.tag_name,
          refusal: () => invalid(protectedTagRefusalTexts.create),
        }),
      })
      return showTag(context, project, made)
    },
  }),

  endpoint({
    route: 'DELETE /projects/:id/repository/tags/:tag_name',
    summary: 'Delete a tag',
    allow: mayPushCode,
    transaction: 'none',
    input: tagInput,
    status: 204,
    async run(context) {
      const { git, config, subject: project, request, user } = context
      const found = namedTag(context)
      const commit = await findTagCommit(git, projectRepository(config, project), found)
      checkIfUnmodifiedSince(request, commit?.author.date)
      const confirm = recheckerForTagRemoval(context, project, found.name)
      await deleteTag(context, { project, user, tag: found, confirm })
    },
  }),
]
