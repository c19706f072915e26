import { basename } from 'node:path/posix'
import { type Static, Type } from 'typebox'
import type { BlameRange } from '../../../git/blame.ts'
import type { Commit } from '../../../git/objects.ts'
import { fileHeadersWithAliases } from '../../../http/brand.ts'
import { namedObject } from '../../../http/schema.ts'
import type { FileAtCommit } from './file.ts'

export const FileJson = namedObject('RepositoryFile', {
  file_name: Type.String(),
  file_path: Type.String(),
  size: Type.Integer(),
  encoding: Type.Literal('base64'),
  content_sha256: Type.String(),
  ref: Type.String(),
  blob_id: Type.String(),
  commit_id: Type.String(),
  last_commit_id: Type.String(),
  execute_filemode: Type.Boolean(),
  content: Type.String(),
})

export const RenderedFileJson = namedObject('RenderedFile', {
  blob_id: Type.String(),
  html: Type.String(),
  format: Type.String({ description: 'What the file is written in, as `markdown`.' }),
  headings: Type.Array(
    namedObject('Heading', { level: Type.Integer(), id: Type.String(), text: Type.String() }),
  ),
})

export const FileWriteJson = namedObject('FileWrite', {
  file_path: Type.String(),
  branch: Type.String(),
})

export const BlameJson = Type.Array(
  Type.Object({
    commit: Type.Object({
      id: Type.String(),
      parent_ids: Type.Array(Type.String()),
      message: Type.String(),
      authored_date: Type.String(),
      author_name: Type.String(),
      author_email: Type.String(),
      committed_date: Type.String(),
      committer_name: Type.String(),
      committer_email: Type.String(),
    }),
    lines: Type.Array(Type.String()),
  }),
)

export type FileAtRef = { file: FileAtCommit; path: string; ref: string }
export type FilePresenterInput = FileAtRef & { sha256: string }

/** Presents a file without its content. */
export function presentFile({
  file,
  path,
  ref,
  sha256,
}: FilePresenterInput): Omit<Static<typeof FileJson>, 'content'> {
  return {
    file_name: basename(path),
    file_path: path,
    size: file.size,
    encoding: 'base64',
    content_sha256: sha256,
    ref,
    blob_id: file.blob,
    commit_id: file.commit,
    last_commit_id: file.lastCommit,
    execute_filemode: file.isExecutable,
  }
}

/** Returns the headers with the metadata of a file, which every read of a file has. */
export function fileMetadataHeaders({
  file,
  path,
  ref,
  sha256,
}: FileAtRef & { sha256: string | undefined }): Record<string, string> {
  return fileHeadersWithAliases({
    'Blob-Id': file.blob,
    'Commit-Id': file.commit,
    ...(sha256 === undefined ? {} : { 'Content-Sha256': sha256 }),
    Encoding: 'base64',
    'Execute-Filemode': String(file.isExecutable),
    'File-Name': headerText(basename(path)),
    'File-Path': headerText(path),
    'Last-Commit-Id': file.lastCommit,
    Ref: headerText(ref),
    Size: String(file.size),
  })
}

/**
 * Encodes a text for a header, which may contain visible ASCII only (RFC 9110, section 5.5). Other characters
 * are sent as the bytes of their UTF-8.
 */
function headerText(text: string): string {
  return (
    Buffer.from(text, 'utf8')
      .toString('latin1')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a header cannot hold.
      .replace(/[\u0000-\u001f\u007f]/g, '?')
  )
}

export function presentBlame(
  ranges: readonly BlameRange[],
  commits: ReadonlyMap<string, Commit>,
): Static<typeof BlameJson> {
  return ranges.map(({ commit: oid, lines }) => {
    const commit = commits.get(oid)
    if (!commit) throw new Error(`Commit ${oid} of a blame was not found.`)
    return {
      commit: {
        id: commit.oid,
        parent_ids: commit.parents,
        message: commit.message,
        authored_date: commit.author.date,
        author_name: commit.author.name,
        author_email: commit.author.email,
        committed_date: commit.committer.date,
        committer_name: commit.committer.name,
        committer_email: commit.committer.email,
      },
      lines,
    }
  })
}
