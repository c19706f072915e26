import { Type } from 'typebox'
import { readCommitSignature, readTagSignature } from '../../../git/signed-object.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { nullable } from '../../../http/schema.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { mayDownloadCode, projectLoader, projectRepository } from '../../../subjects/project.ts'
import { commitShaInput, getCommit } from '../commits/find-commit.ts'
import { getTag } from '../tags/tag.ts'
import { presentSignature, SignatureJson } from './signature.present.ts'
import { SignerLookup } from './signer.store.ts'

const commits_max = 100

export const signatureEndpoints = [
  endpoint({
    route: 'GET /projects/:id/repository/commits/:sha/signature',
    summary: 'Get the signature of a commit',
    tag: 'Commits',
    on: projectLoader,
    allow: mayDownloadCode,
    input: Type.Object(commitShaInput),
    answer: SignatureJson,
    async run({ db, git, config, subject, input }) {
      const repository = projectRepository(config, subject)
      const { oid } = await getCommit(git, repository, input.sha)
      const signed = await readCommitSignature(git.objects, repository, oid)
      if (!signed) throw notFound('Signature')
      return presentSignature(new SignerLookup(db), signed)
    },
  }),

  endpoint({
    route: 'GET /projects/:id/repository/signatures',
    summary: 'Get the signatures of several commits',
    tag: 'Commits',
    on: projectLoader,
    allow: mayDownloadCode,
    input: Type.Object({
      shas: Type.Array(commitShaInput.sha, {
        description: `Hashes of commits, or names of branches and tags; at most ${commits_max}.`,
      }),
    }),
    answer: Type.Array(
      Type.Object({
        sha: Type.String({ description: 'As it was asked for.' }),
        signature: nullable(SignatureJson),
      }),
    ),
    async run({ db, git, config, subject, input }) {
      if (input.shas.length > commits_max) throw invalid(`Provide at most ${commits_max} shas`)
      const repository = projectRepository(config, subject)
      const signers = new SignerLookup(db)
      const answer = []
      // Commits are read one after another, so that many large ones are not in memory at once.
      for (const sha of input.shas) {
        const { oid } = await getCommit(git, repository, sha)
        const signed = await readCommitSignature(git.objects, repository, oid)
        answer.push({ sha, signature: signed ? await presentSignature(signers, signed) : null })
      }
      return answer
    },
  }),

  endpoint({
    route: 'GET /projects/:id/repository/tags/:tag_name/signature',
    summary: 'Get the signature of a tag',
    tag: 'Tags',
    on: projectLoader,
    allow: mayDownloadCode,
    input: Type.Object({ tag_name: Type.String({ description: 'URL-encoded name of the tag.' }) }),
    answer: SignatureJson,
    async run({ db, git, config, subject, input }) {
      const repository = projectRepository(config, subject)
      const { oid } = getTag(repository, input.tag_name)
      const signed = await readTagSignature(git.objects, repository, oid)
      if (!signed) throw notFound('Signature')
      return presentSignature(new SignerLookup(db), signed)
    },
  }),
]
