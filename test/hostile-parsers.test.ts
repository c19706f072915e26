// Long runs of a few characters in everything that is taken apart outside of the API's parameters: git's
// objects and protocols, attributes, signatures, keys, headers, and what is looked for in names.
import { Readable } from 'node:stream'
import { type TSchema, Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { parseCondition } from '../src/ci/condition.ts'
import { parseDuration_s } from '../src/ci/durations.ts'
import { expandVariables } from '../src/ci/expand.ts'
import { hasMatchingPath } from '../src/ci/globs.ts'
import { planPipeline } from '../src/ci/plan-pipeline.ts'
import { compileRegexLiteral } from '../src/ci/regular-expression.ts'
import { StepBudget } from '../src/ci/step-budget.ts'
import { readConfig } from '../src/config.ts'
import { parseSearchTerms } from '../src/features/activity/search/search-terms.ts'
import { matchRedirect, parseRedirectsFile } from '../src/features/content/pages/redirects.ts'
import { pagesDomainProblems } from '../src/features/content/pages-domains/domain-problems.ts'
import { parseX509Certificate } from '../src/features/content/pages-domains/print-certificate.ts'
import { parsePemCertificates } from '../src/features/content/pages-domains/read-certificate.ts'
import { parseSshPublicKey } from '../src/features/people/ssh-keys/public-key.ts'
import { decodeFileContent } from '../src/features/repository/commits/content.ts'
import {
  excludedPathKinds,
  isExcludedPath,
} from '../src/features/repository/languages/excluded-paths.ts'
import {
  linguistOverridesForPath,
  parseLinguistRules,
} from '../src/features/repository/languages/linguist-attributes.ts'
import { parseLfsPointer } from '../src/features/repository/lfs/lfs-pointer.ts'
import { parsePgpSignature } from '../src/features/repository/signatures/pgp-signature.ts'
import { verifySshSignature } from '../src/features/repository/signatures/ssh-signature.ts'
import { parseX509Signer } from '../src/features/repository/signatures/x509-signature.ts'
import { presentTag } from '../src/features/repository/tags/tag.present.ts'
import { parseVersionParts } from '../src/features/repository/tags/version-order.ts'
import { readLockFile } from '../src/features/security/lock-files/lock-file.ts'
import { normalizeLicenseName } from '../src/features/security/pipeline-licenses/license-names.ts'
import { readBlame } from '../src/git/blame.ts'
import { hasChangedLine, readDiff } from '../src/git/diff.ts'
import { gitErrorOf } from '../src/git/errors.ts'
import { findGitAttribute, parseGitAttributes } from '../src/git/git-attributes.ts'
import { asRefName, branchRef, checkTreePath, type Oid, zeroOid } from '../src/git/names.ts'
import { parseAuthorOrCommitter, parseCommit, parseTree, type Tag } from '../src/git/objects.ts'
import { encodePacket, PacketReader } from '../src/git/pkt-line.ts'
import { collectGitAttributesOids } from '../src/git/quarantine.ts'
import { readPushRequest } from '../src/git/receive.ts'
import { splitGitRecords } from '../src/git/records.ts'
import { splitSignedCommit, splitSignedTag } from '../src/git/signed-object.ts'
import { parseTrailers } from '../src/git/trailers.ts'
import { basicCredentials, bearerToken } from '../src/http/credentials.ts'
import { contentDisposition } from '../src/http/disposition.ts'
import { readParameters } from '../src/http/parameters.ts'
import { parseRange } from '../src/http/range.ts'
import { addRawParameter, parseForm, parseJson } from '../src/http/raw-parameters.ts'
import { date, dateTime, oneOf } from '../src/http/schema.ts'
import { createNameFilter } from '../src/kernel/name-search.ts'
import {
  groupNameProblems,
  isEmail,
  pathProblems,
  projectNameProblems,
  slugify,
  usernameProblems,
} from '../src/kernel/names.ts'
import { parseCommand } from '../src/transports/git-ssh/parse-command.ts'
import { findLfsRoute } from '../src/transports/lfs/lfs.ts'
import { growthOf, run, units } from './kit/hostile.ts'

const oid = 'a'.repeat(40) as Oid
const identity = 'A <a@x.test> 1700000000 +0000'
const commit = (parts: { author?: string; committer?: string; more?: string; message?: string }) =>
  Buffer.from(
    `tree ${oid}\nauthor ${parts.author ?? identity}\ncommitter ${parts.committer ?? identity}\n` +
      `${parts.more ?? ''}\n${parts.message ?? ''}`,
  )
const annotated = (message: string): Tag => ({
  oid,
  target: oid,
  targetType: 'commit',
  tagger: undefined,
  message,
})
const packets = (lines: readonly string[]) =>
  new PacketReader(Readable.from([Buffer.concat(lines.map((line) => encodePacket(line)))]))
/** In pieces of a few kilobytes, as it comes through a pipe. */
function* pieces(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += 4096) yield text.slice(at, at + 4096)
}
const bytesOf = (text: string) =>
  Readable.from([...pieces(text)].map((piece) => Buffer.from(piece)))
const collect = async (all: AsyncIterable<unknown>) => {
  for await (const _ of all);
}
/** Whatever is thrown, it was come to in time. */
const tried = async (work: () => unknown) => {
  try {
    await work()
  } catch {
    // A refusal is as good an end as any.
  }
}

const domainConfig = readConfig({ BLOOMERY_PAGES_HOST: 'pages.test' })

/** Those that are no JSON. */
const lockFiles = [
  ...['Gemfile.lock', 'go.sum', 'gradle.lockfile', 'requirements.txt', 'yarn.lock'],
  ...['build.sbt', 'setup.py', 'setup.cfg', 'pom.xml'],
]

const parsers: [string, (text: string) => unknown][] = [
  ...lockFiles.map((path): [string, (text: string) => unknown] => [
    `a file ${path}`,
    (text) => readLockFile(path, Buffer.from(text)),
  ]),
  [
    'lines of requirements',
    (text) => readLockFile('requirements.txt', Buffer.from(`a[${text}==1`)),
  ],
  [
    'a property of a pom.xml',
    (text) =>
      readLockFile(
        'pom.xml',
        Buffer.from(`<project><properties><a>${text}</a></properties></project>`),
      ),
  ],
  ['the name of a licence', (text) => normalizeLicenseName(text)],
  ['an SSH command', (text) => parseCommand(text)],
  ['an SSH command of a path', (text) => parseCommand(`git-upload-pack '${text}'`)],
  ['the author of a commit', (text) => parseCommit(oid, commit({ author: text }))],
  ['the name of an author', (text) => parseAuthorOrCommitter(`${text} <a@x.test> 1 +0000`)],
  ['the address of an author', (text) => parseAuthorOrCommitter(`A <${text}> 1 +0000`)],
  ['the date of an author', (text) => parseAuthorOrCommitter(`A <a@x.test>${text} 1 +0000`)],
  ['the headers of a commit', (text) => parseCommit(oid, commit({ more: `encoding ${text}\n` }))],
  ['a message', (text) => parseCommit(oid, commit({ message: text }))],
  ['trailers', (text) => parseTrailers(`Title\n\nA: ${text}\nB: b`)],
  ['the key of a trailer', (text) => parseTrailers(`Title\n\nSigned-off-by: x\n${text}: b`)],
  ['a signed commit', (text) => splitSignedCommit(commit({ more: `gpgsig ${text}\n` }))],
  ['a signed tag', (text) => splitSignedTag(Buffer.from(text))],
  [
    'beginnings of signatures',
    (text) => splitSignedTag(Buffer.from(text.replaceAll('a', '-----BEGIN PGP SIGNATURE-----\n'))),
  ],
  [
    'the message of a tag',
    (text) =>
      presentTag({
        tag: { name: 'v1', oid } as Parameters<typeof presentTag>[0]['tag'],
        annotation: annotated(text),
        commit: undefined,
        projectUrl: '',
        release: undefined,
        isProtected: false,
      }),
  ],
  ['a tree', (text) => tried(() => parseTree(Buffer.from(text)))],
  ['a name in a tree', (text) => parseTree(Buffer.from(`100644 ${text}\0${'a'.repeat(20)}`))],
  ['an SSH signature', (text) => verifySshSignature(text, Buffer.from(text))],
  ['a certificate', (text) => parseX509Signer(text)],
  ['a PGP signature', (text) => parsePgpSignature(text)],
  [
    'the armour of a PGP signature',
    (text) =>
      parsePgpSignature(
        `-----BEGIN PGP SIGNATURE-----\n${text.slice(0, 60_000)}\n-----END PGP SIGNATURE-----`,
      ),
  ],
  ['a certificate of a domain', (text) => parsePemCertificates(text)],
  [
    'one between its marks',
    (text) => parsePemCertificates(`-----BEGIN CERTIFICATE-----${text}-----END`),
  ],
  ['what is in one', (text) => tried(() => parseX509Certificate(Buffer.from(text, 'latin1')))],
  ['a domain', (text) => pagesDomainProblems(text, domainConfig)],
  ['redirects', (text) => matchRedirect(parseRedirectsFile(text), text)],
  [
    'a redirect',
    (text) => matchRedirect(parseRedirectsFile(`/${text}/* /${text}/:splat`), `/${text}/a`),
  ],
  ['a public key', (text) => parseSshPublicKey(`ssh-rsa ${text}`)],
  ['attributes', (text) => parseGitAttributes(Buffer.from(text))],
  ['a pattern of attributes', (text) => parseGitAttributes(Buffer.from(`"${text}" filter=lfs`))],
  [
    'a path held against attributes',
    (text) => {
      const file = parseGitAttributes(Buffer.from(`${text.slice(0, 2000)}* filter=lfs\n`))
      return findGitAttribute([{ folder: '', file }], text, 'filter')
    },
  ],
  [
    'a path held against attributes of languages',
    (text) => {
      const pattern = text.replace(/\s/g, '_')
      return linguistOverridesForPath(
        parseLinguistRules(`*${pattern}* linguist-vendored\n${text}`),
        text,
      )
    },
  ],
  [
    'a path that may be left out',
    (text) => excludedPathKinds.map((kind) => isExcludedPath(text, kind)),
  ],
  ['an LFS pointer', (text) => parseLfsPointer(Buffer.from(`version ${text}`))],
  ['a patch', (text) => hasChangedLine(text, { line: 1, side: 'new' })],
  [
    'a diff',
    (text) =>
      readDiff(
        bytesOf(
          `:100644 100644 ${oid} ${oid} M\0${text}\0\0diff --git a/${text} b/${text}\n@@ -1 +1 @@\n${text}`,
        ),
      ),
  ],
  [
    'a blame',
    (text) => readBlame(splitGitRecords(bytesOf(`${oid} 1 1 1\nauthor ${text}\n\t${text}\n`))),
  ],
  [
    'what git says went wrong',
    (stderr) => gitErrorOf('log', { stderr, code: 1 } as Parameters<typeof gitErrorOf>[1]),
  ],
  ['records in pieces', (text) => collect(splitGitRecords(bytesOf(text), { mark: 0 }))],
  ['paths in pieces', (text) => collectGitAttributesOids(bytesOf(`${oid} ${text}`))],
  ['packets', (text) => collect(packetsOf(text))],
  [
    'commands of a push',
    async (text) => {
      const name = text.replaceAll('\n', '').slice(0, 60_000)
      const first = `${zeroOid} ${oid} refs/heads/${name}\0 ${name}`
      await readPushRequest(packets([first.slice(0, 65_000)])).catch(() => {})
    },
  ],
  ['a reference', (text) => [asRefName(`refs/heads/${text}`), branchRef(text)]],
  ['a path in a tree', (text) => checkTreePath(text)],
  ['a search among names', (text) => createNameFilter(text)(text)],
  ['a search with stars among names', (text) => createNameFilter(`^*${text}*$`)(`${text}${text}`)],
  ['a search for code', (text) => parseSearchTerms(`filename:${text} ${text}`).admits(text)],
  ['a version', (text) => parseVersionParts(text)],
  ['a name that becomes a path', (text) => slugify(text)],
  [
    'a name',
    (text) => [
      projectNameProblems(text),
      groupNameProblems(text),
      usernameProblems(text),
      pathProblems(text, { kind: 'project' }),
      isEmail(text),
    ],
  ],
  ['Base64', (text) => tried(() => decodeFileContent(text, 'base64'))],
  ['a bearer', (text) => bearerToken(`Bearer ${text}`)],
  ['a password', (text) => basicCredentials(`Basic ${text}`)],
  ['the path of an LFS request', (text) => findLfsRoute(`/${text}.git/info/lfs/${text}`, 'GET')],
  [
    'parts of the path of an LFS request',
    (text) => findLfsRoute(`/${text.replaceAll('a', '.git/info/lfs/')}\n`, 'GET'),
  ],
  ['a range', (text) => parseRange(`bytes=${text}`, 1)],
  ['a name to download under', (text) => contentDisposition('inline', text)],
  ['the name of a parameter', (text) => tried(() => addRawParameter({}, text, ''))],
  ['a name in brackets', (text) => tried(() => addRawParameter({}, `a[${text}]`, ''))],
  ['a form', (text) => tried(() => parseForm(text))],
  ['a form of one name', (text) => tried(() => parseForm(text.replaceAll('a', 'a[]=1&')))],
  ['JSON', (text) => tried(() => parseJson(Buffer.from(text)))],
  ['a date', (text) => read(date(), `2020-01-01T${text}`)],
  ['a date and time', (text) => read(dateTime(), `2020-01-01 ${text} 01:00`)],
  ['a boolean', (text) => read(Type.Boolean(), text)],
  ['a number', (text) => [Type.Integer(), Type.Number()].map((type) => read(type, text))],
  ['one of a few words', (text) => read(oneOf(['a', 'b']), text)],
  ['a list', (text) => read(Type.Array(Type.String()), text)],
  ['a pipeline configuration', (text) => planText(text)],
  ['a job of a pipeline configuration', (text) => planText(`a:\n  script:\n    - ${text}\n`)],
  ['a quoted text of a pipeline configuration', (text) => planText(`a: {script: '${text}'}`)],
  ['the name of a job', (text) => planText(`"${text}": {stage: a}\n`)],
  ['a condition', (text) => parseCondition(text.slice(0, 10_000), new StepBudget())],
  [
    'a regular expression',
    (text) => compileRegexLiteral(`/${text.slice(0, 1000)}/`, new StepBudget()),
  ],
  [
    'a pattern of paths',
    (text) =>
      tried(() => hasMatchingPath([text.slice(0, 1000)], [text], { work: new StepBudget() })),
  ],
  ['a span of time', (text) => [parseDuration_s(text), parseDuration_s(text.slice(0, 250))]],
  [
    'a text with variables',
    (text) => expandVariables(`$${text}\${${text}`, () => undefined, text.length * 4),
  ],
]

/** Of an event and files that say nothing. */
function planText(text: string): Promise<unknown> {
  return planPipeline({
    text,
    path: 'ci.yml',
    event: { source: 'push', ref: 'main', tag: false, project_path: '', predefined: {}, given: {} },
    files: {
      read: async () => ({ problem: 'none' }),
      listPaths: async () => [],
      listChanges: async () => undefined,
    },
  })
}

/** A parameter of that kind. */
function read(kind: TSchema, given: string): Promise<void> {
  return tried(() => readParameters(Type.Object({ given: kind }), [], { given }))
}

async function* packetsOf(text: string): AsyncGenerator<unknown> {
  const lines = [...pieces(text)]
  const reader = packets(lines)
  for (const _ of lines) yield await reader.next()
}

describe('a text of 100,000 characters', () => {
  it.each(parsers)('costs no more than its length as %s', async (_, parse) => {
    const problems: string[] = []
    for (const unit of units) {
      const growth = await growthOf(100_000, (length) => parse(run(unit, length)))
      if (growth) problems.push(`${JSON.stringify(unit)}: ${growth}`)
    }
    expect(problems).toEqual([])
  })
})

/** As DER writes it: a tag, a length of four bytes, the content. */
function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  return Buffer.concat([Buffer.from([tag, 0x84]), length, content])
}

it('a signature of many certificates costs no more than its length', async () => {
  // The signer's name has as many parts as there are certificates.
  const signature = (count: number) => {
    const many = Buffer.alloc(2 * count, Buffer.from([0x05, 0x00]))
    const certificates = der(
      0xa0,
      Buffer.concat(Array(Math.ceil(count / 8)).fill(der(0x30, many.subarray(0, 16)))),
    )
    const signers = der(0x31, der(0x30, der(0x02), der(0x30, many)))
    const message = der(0x30, der(0x06), der(0xa0, der(0x30, certificates, signers)))
    return `-----BEGIN SIGNED MESSAGE-----\n${message.toString('base64')}`
  }
  expect(await growthOf(10_000, (length) => parseX509Signer(signature(length)))).toBeUndefined()
  expect(await growthOf(400_000, (length) => parseX509Signer(signature(length)))).toBeUndefined()
})
