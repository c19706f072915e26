// Repositories of the size that users have, as streams for `git fast-import`. The suite of real size
// (`npm run bench -- large`) makes them whole; `test/stories/real-size.test.ts` makes a middle size of the first.
import { randomBytes } from 'node:crypto'

const epoch_s = 1_600_000_000
const who = (number: number) => `Smith ${number % 200} <smith${number % 200}@bloomery.test>`

function data(content: string): string {
  return `data ${Buffer.byteLength(content)}\n${content}\n`
}

function put(path: string, content: string): string {
  return `M 100644 inline ${path}\n${data(content)}`
}

function commitHead(branch: string, number: number): string {
  const by = `${who(number)} ${epoch_s + number * 60} +0000`
  const message = `Change ${number}: adjust the furnace\n`
  return `commit refs/heads/${branch}\nauthor ${by}\ncommitter ${by}\n${data(message)}`
}

/** Files per folder on each of four levels; their product is the number of files. */
const widths = [20, 30, 10, 10] as const
export const wideFiles = widths.reduce((product, width) => product * width, 1)

/** A path four folders down; `number` wraps around. */
export function widePath(number: number): string {
  const parts: number[] = []
  let rest = number % wideFiles
  for (const width of widths) {
    parts.push(rest % width)
    rest = Math.floor(rest / width)
  }
  const [a, b, c, d] = parts
  return `area-${a}/part-${b}/unit-${c}/file-${d}.txt`
}

/** Below this folder every file has been there since the first commit, and only one changed since. */
export const deepPath = `${Array.from({ length: 40 }, (_, level) => `level-${level}`).join('/')}/deep.txt`
/** 3,000 lines, changed 400 times over the whole history. */
export const ledgerPath = 'ledger.txt'
const ledger_lines = 3000
const ledger_changes = 400

function ledger(changes: number): string {
  const lines = Array.from({ length: ledger_lines }, (_, line) => `Line ${line} of the ledger`)
  for (let change = 1; change <= changes; change++) {
    lines[(change * 37) % ledger_lines] = `A line written by change ${change}`
  }
  return `${lines.join('\n')}\n`
}

/**
 * 60,000 files, so many commits on `main` that change two of them each, a merge at every hundredth, and so many tags:
 * some 67,000 objects and ten for each commit. 100,000 commits are a million objects.
 */
export function* wideHistory({
  commits,
  tags,
}: {
  commits: number
  tags: number
}): Generator<string> {
  const ledgerEvery = Math.max(1, Math.floor(commits / ledger_changes))
  const tagEvery = Math.max(1, Math.floor(commits / tags))
  yield commitHead('main', 0)
  for (let file = 0; file < wideFiles; file++) yield put(widePath(file), `File ${file}\nLine two\n`)
  yield put(deepPath, 'Deep down\n')
  yield put(ledgerPath, ledger(0))
  for (let number = 1; number < commits; number++) {
    const isMerge = number % 100 === 0
    if (isMerge) {
      yield `${commitHead('side', number)}from refs/heads/main\n${put(widePath(number * 7), `Side ${number}\n`)}`
    }
    yield commitHead('main', number)
    if (isMerge) yield 'merge refs/heads/side\n'
    // Neighbouring commits change files in different folders.
    yield put(widePath(number * 7919), `File changed by ${number}\nLine two\n`)
    yield put(widePath(number * 104_729 + 13), `Also changed by ${number}\nLine two\n`)
    if (number % ledgerEvery === 0) yield put(ledgerPath, ledger(number / ledgerEvery))
    if (number === Math.floor(commits / 2)) yield put(deepPath, 'Deeper down\n')
    if (number % tagEvery === 0) {
      yield `reset refs/tags/v${number / tagEvery}\nfrom refs/heads/main\n\n`
    }
  }
  yield 'reset refs/heads/side\nfrom 0000000000000000000000000000000000000000\n\n'
}

const random_piece = randomBytes(1024 * 1024)

/** Bytes that do not compress: a piece of random bytes, told apart by its position. */
function* binary(bytes: number, seed: number): Generator<Buffer> {
  for (let at = 0; at < bytes; at += random_piece.length) {
    const piece = Buffer.from(random_piece.subarray(0, Math.min(random_piece.length, bytes - at)))
    piece.writeUInt32LE(seed, 0)
    piece.writeDoubleLE(at, 4)
    yield piece
  }
}

/** Binaries of 5 MB up to `total_mb` together, and one file of `largest_mb`. */
export function* binaryHistory({
  total_mb,
  largest_mb,
}: {
  total_mb: number
  largest_mb: number
}): Generator<string | Buffer> {
  const file_mb = 5
  const files = Math.floor((total_mb - largest_mb) / file_mb)
  for (let file = 0; file < files; file++) {
    if (file % 20 === 0) yield commitHead('main', file / 20)
    yield `M 100644 inline media-${file % 10}/clip-${file}.bin\ndata ${file_mb * 1_000_000}\n`
    yield* binary(file_mb * 1_000_000, file)
    yield '\n'
  }
  yield `${commitHead('main', 1000)}M 100644 inline media/film.bin\ndata ${largest_mb * 1_000_000}\n`
  yield* binary(largest_mb * 1_000_000, 1_000_000)
  yield '\n'
}

export const bookPath = 'book.txt'
const book_lines = 400_000

/** One file of 20 MB that `commits` commits change in `changes` places each. */
export function* bookHistory({
  commits,
  changes,
}: {
  commits: number
  changes: number
}): Generator<string> {
  const lines = Array.from(
    { length: book_lines },
    (_, line) => `Line ${String(line).padStart(6, '0')} of a very long book about iron`,
  )
  for (let number = 0; number < commits; number++) {
    for (let change = 0; number > 0 && change < changes; change++) {
      const at = (number * 7919 + change * Math.floor(book_lines / changes)) % book_lines
      lines[at] = `Line ${String(at).padStart(6, '0')} as commit ${number} has it, about iron`
    }
    yield commitHead('main', number)
    yield put(bookPath, `${lines.join('\n')}\n`)
  }
}

/** `main`, and a branch `wide` above it that changes `files` files by `lines` lines in all. */
export function* wideChange({ files, lines }: { files: number; lines: number }): Generator<string> {
  const perFile = Math.ceil(lines / files)
  const text = (file: number, word: string) =>
    Array.from({ length: perFile }, (_, line) => `${word} line ${line} of file ${file}\n`).join('')
  yield commitHead('main', 0)
  for (let file = 0; file < files; file++) {
    yield put(`source/module-${file % 50}/file-${file}.txt`, text(file, 'Old'))
  }
  yield `${commitHead('wide', 1)}from refs/heads/main\n`
  for (let file = 0; file < files; file++) {
    yield put(`source/module-${file % 50}/file-${file}.txt`, text(file, 'New'))
  }
}
