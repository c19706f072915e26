// Files that jobs need and that must not be in the repository (docs/api/secure-files.md).
import { createHash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import { Answer } from '../../../http/answer.ts'
import { contentDisposition } from '../../../http/disposition.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import {
  binaryBody,
  file,
  namedObject,
  nonBlankText,
  nullable,
  nullableText,
  pageInput,
} from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { invalid, recordNotFound, tooLarge } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { openSecret, sealSecret } from '../../../kernel/secrets.ts'
import { lockOwner } from '../../../subjects/lock-owner.ts'
import { isUnarchived, type Project, projectLoader } from '../../../subjects/project.ts'
import { recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import { readCertificateMetadata } from './certificate-metadata.ts'
import {
  deleteSecureFile,
  findSecureFile,
  hasSecureFilesAtLeast,
  insertSecureFile,
  listSecureFiles,
  readSealedFileContent,
  type SecureFile,
} from './secure-file.store.ts'

const endpoint = endpointFactory({
  tag: 'Secure files',
  on: projectLoader,
  signIn: 'always',
  jobToken: 'free',
})
const base = '/projects/:id/secure_files' as const
const idInput = { secure_file_id: Type.Integer() }

/** Developers, like their jobs, may read secure files. Maintainers may add and delete them. */
const readSecureFiles: Rule<Project> = ({ subject, level }) =>
  subject.builds_access_level !== 'disabled' && level >= Level.developer
const writeSecureFiles: Rule<Project> = (facts) =>
  readSecureFiles(facts) && facts.level >= Level.maintainer && isUnarchived(facts.subject)

const NameJson = Type.Record(Type.String(), Type.String())
const SecureFileJson = namedObject('SecureFile', {
  id: Type.Integer(),
  name: Type.String(),
  checksum: Type.String(),
  checksum_algorithm: Type.Literal('sha256'),
  created_at: Type.String(),
  expires_at: nullableText,
  metadata: nullable(
    namedObject('CertificateMetadata', {
      id: Type.String(),
      issuer: NameJson,
      subject: NameJson,
      expires_at: Type.String(),
    }),
  ),
})

function present(row: SecureFile): Static<typeof SecureFileJson> {
  const { id, name, checksum, created_at, expires_at } = row
  const metadata = row.metadata === null ? null : JSON.parse(row.metadata)
  return { id, name, checksum, checksum_algorithm: 'sha256', created_at, expires_at, metadata }
}

async function getSecureFile({
  db,
  subject,
  input,
}: Context<Project, { secure_file_id: number }>): Promise<SecureFile> {
  const found = await findSecureFile(db, { project_id: subject.id, id: input.secure_file_id })
  if (!found) throw recordNotFound()
  return found
}

async function recordEvent(
  context: Context<Project, unknown>,
  action: 'secure_file_added' | 'secure_file_removed',
  { id, name, checksum }: SecureFile,
): Promise<void> {
  await recordAuditEvent(context, {
    action,
    entity: { kind: 'project', id: context.subject.id },
    target: { kind: 'secure_file', id, name },
    details: { checksum },
  })
}

export const secureFileEndpoints = [
  endpoint({
    route: `GET ${base}`,
    summary: 'List the secure files of a project',
    allow: readSecureFiles,
    input: Type.Object(pageInput),
    answer: Type.Array(SecureFileJson),
    async run({ db, subject, range }) {
      const { rows, total } = await listSecureFiles(db, subject.id, range)
      return new Page({ items: rows.map(present), total })
    },
  }),

  endpoint({
    route: `GET ${base}/:secure_file_id`,
    summary: 'Get the details of a secure file',
    allow: readSecureFiles,
    input: Type.Object(idInput),
    answer: SecureFileJson,
    run: async (context) => present(await getSecureFile(context)),
  }),

  endpoint({
    route: `GET ${base}/:secure_file_id/download`,
    summary: 'Download a secure file',
    allow: readSecureFiles,
    input: Type.Object(idInput),
    answer: binaryBody(),
    async run(context) {
      const { id, name } = await getSecureFile(context)
      const sealed = await readSealedFileContent(context.db, id)
      const content = Buffer.from(openSecret(context.secretKey, sealed), 'base64')
      return Answer.raw(content, {
        'content-type': 'application/octet-stream',
        'content-disposition': contentDisposition('attachment', name),
      })
    },
  }),

  endpoint({
    route: `POST ${base}`,
    summary: 'Add a secure file to a project',
    allow: writeSecureFiles,
    body_bytes_max: limits.content_body_bytes,
    input: Type.Object({ name: nonBlankText(), file: file() }),
    status: 201,
    answer: SecureFileJson,
    async run(context) {
      const { db, clock, subject, input, secretKey } = context
      const { name, file: given } = input
      if (given.content.length > limits.secure_files.bytes_max) throw tooLarge()
      if ([...name].length > limits.name_characters) {
        throw invalid({ name: [`is too long (maximum is ${limits.name_characters} characters)`] })
      }
      const { files_max } = limits.secure_files
      await lockOwner(db, { kind: 'project', id: subject.id })
      if (await hasSecureFilesAtLeast(db, subject.id, files_max)) {
        throw invalid({ base: [`Maximum number of ci secure files (${files_max}) exceeded`] })
      }
      const metadata = readCertificateMetadata(name, given.content)
      const made = await insertSecureFile(db, {
        project_id: subject.id,
        name,
        checksum: createHash('sha256').update(given.content).digest('hex'),
        metadata: metadata ? JSON.stringify(metadata) : null,
        expires_at: metadata?.expires_at ?? null,
        content: sealSecret(secretKey, given.content.toString('base64')),
        created_at: timestamp(clock),
      })
      if (!made) throw invalid({ name: ['has already been taken'] })
      await recordEvent(context, 'secure_file_added', made)
      return present(made)
    },
  }),

  endpoint({
    route: `DELETE ${base}/:secure_file_id`,
    summary: 'Remove a secure file',
    allow: writeSecureFiles,
    input: Type.Object(idInput),
    status: 204,
    async run(context) {
      const found = await getSecureFile(context)
      await deleteSecureFile(context.db, found.id)
      await recordEvent(context, 'secure_file_removed', found)
    },
  }),
]
