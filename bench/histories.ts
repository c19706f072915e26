// Repositories as streams for `git fast-import`, the same at every run but for random file contents.
import { randomBytes } from 'node:crypto'

export const paths = {
  /** 4 KiB, two folders down, as old as the repository's second commit. */
  read: 'source/library/furnace.ts',
  /** 2000 lines, changed 200 times over the whole history. */
  blamed: 'ledger.txt',
  /** Touched by the first generated commit alone. */
  old: 'source/licence.txt',
}

const folders = 40
const files_per_folder = 25
const ledger_lines = 2000
const ledger_changes = 200
const epoch_s = 1_700_000_000

/** A file that ordinary commits change; `number` counts from 0 and wraps around. */
export function ordinaryPath(number: number): string {
  const file = number % (folders * files_per_folder)
  return `folder-${file % folders}/file-${Math.floor(file / folders)}.txt`
}

function data(content: string): string {
  return `data ${Buffer.byteLength(content)}\n${content}\n`
}

function put(path: string, content: string): string {
  return `M 100644 inline ${path}\n${data(content)}`
}

function commit(branch: string, number: number, from = ''): string {
  const who = `Smith <smith@bloomery.test> ${epoch_s + number * 60} +0000`
  return `commit refs/heads/${branch}\ncommitter ${who}\n${data(`Commit ${number}\n`)}${from && `from ${from}\n`}`
}

function ledger(changes: number): string {
  const lines = Array.from({ length: ledger_lines }, (_, line) => {
    const version = Math.floor((changes + ledger_lines - 1 - line) / ledger_lines)
    return `Line ${line} of the ledger of the furnace, version ${version}`
  })
  // One line a change, spread over the file.
  for (let change = 1; change <= changes; change++) {
    lines[(change * 37) % ledger_lines] = `A line that change ${change} has written`
  }
  return `${lines.join('\n')}\n`
}

/** `commits` commits on `main` above its tip, each changing one of a thousand small files. */
export function* longHistory(commits: number): Generator<string> {
  const interval = Math.max(1, Math.floor(commits / ledger_changes))
  yield commit('main', 0, 'refs/heads/main^0')
  yield put(paths.read, `// The furnace.\n${'export const heat = 1500\n'.repeat(163)}`)
  yield put(paths.old, 'Use it well.\n')
  yield put(paths.blamed, ledger(0))
  for (let file = 0; file < folders * files_per_folder; file++) {
    yield put(ordinaryPath(file), `File ${file}\n`)
  }
  for (let number = 1; number < commits; number++) {
    yield commit('main', number)
    yield put(ordinaryPath(number), `Changed by commit ${number}\n`)
    if (number % interval === 0) yield put(paths.blamed, ledger(number / interval))
  }
}

/** `count` branches at the tip of `main`. */
export function* manyBranches(count: number): Generator<string> {
  for (let number = 0; number < count; number++) {
    yield `reset refs/heads/branch-${String(number).padStart(5, '0')}\nfrom refs/heads/main^0\n\n`
  }
}

/** About `megabytes` that do not compress, in files of 20 KB, a dozen to a commit on `main`. */
export function* heavyHistory(megabytes: number): Generator<string | Buffer> {
  const file_bytes = 20_000
  const files = Math.floor((megabytes * 1_000_000) / file_bytes)
  for (let file = 0; file < files; file++) {
    if (file % 12 === 0) yield commit('main', file / 12, file === 0 ? 'refs/heads/main^0' : '')
    yield `M 100644 inline heavy-${file % 100}/file-${file}.bin\ndata ${file_bytes}\n`
    yield randomBytes(file_bytes)
    yield '\n'
  }
}

/** `commits` small commits on a new branch above `main`. */
export function* sideBranch(name: string, commits: number): Generator<string> {
  for (let number = 0; number < commits; number++) {
    yield commit(name, 1_000_000 + number, number === 0 ? 'refs/heads/main^0' : '')
    yield put(`${name}/file-${number % 50}.txt`, `Commit ${number} of ${name}\n`)
  }
}

/** What one API commit with three actions does, for one fast-import process. */
export function* threeActions(branch: string, number: number): Generator<string> {
  yield commit(branch, 2_000_000 + number, `refs/heads/${branch}^0`)
  yield put(`made/file-${number}.txt`, `File ${number}\n`)
  yield put(paths.read, `// Changed for the ${number}th time.\n`)
  if (number > 0) yield `D made/file-${number - 1}.txt\n`
}
