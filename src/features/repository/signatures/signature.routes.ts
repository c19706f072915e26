import { Type } from 'typebox'
import { readCommitSignature, readTagSignature } from '../../../git/signed-object.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { notFound } from '../../../kernel/errors.ts'
import { aProject, downloadCode, projectRepository } from '../../../subjects/project.ts'
import { getCommit, shaInput } from '../commits/find-commit.ts'
import { getTag } from '../tags/tag.ts'
import { presentSignature, SignatureJson } from './signature.present.ts'

export const signatureEndpoints = [
  endpoint({
    route: 'GET /projects/:id/repository/commits/:sha/signature',
    summary: 'Get the signature of a commit',
    tag: 'Commits',
    on: aProject,
    allow: downloadCode,
    input: Type.Object(shaInput),
    answer: SignatureJson,
    async run({ db, git, config, subject, input }) {
      const repository = projectRepository(config, subject)
      const { oid } = await getCommit(git, repository, input.sha)
      const signed = await readCommitSignature(git.objects, repository, oid)
      if (!signed) throw notFound('Signature')
      return presentSignature(db, signed)
    },
  }),

  endpoint({
    route: 'GET /projects/:id/repository/tags/:tag_name/signature',
    summary: 'Get the signature of a tag',
    tag: 'Tags',
    on: aProject,
    allow: downloadCode,
    input: Type.Object({ tag_name: Type.String({ description: 'URL-encoded name of the tag.' }) }),
    answer: SignatureJson,
    async run({ db, git, config, subject, input }) {
      const repository = projectRepository(config, subject)
      const { oid } = getTag(repository, input.tag_name)
      const signed = await readTagSignature(git.objects, repository, oid)
      if (!signed) throw notFound('Signature')
      return presentSignature(db, signed)
    },
  }),
]
