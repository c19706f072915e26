// Programs that some tests start and that come with neither git nor npm. Where one is missing, the files that need it are
// left out, and `npm test` names them with the command that installs the program.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from '../../src/kernel/find-program.ts'

type Program = {
  /** The names it has on different systems. */
  names: readonly string[]
  /** The command that installs it. */
  install: string
  /** Whether tests have something else in its place. */
  isReplaced?: () => boolean
  /** What the path or the text of a test file has that needs it. */
  isNeededBy: (path: string, text: () => string) => boolean
}

const apt = (name: string) => `apt-get install --no-install-recommends ${name}`

const programs = {
  chromium: {
    // The first has no windows of its own to draw: a page costs a third of the processor time.
    names: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'],
    install: apt('chromium-headless-shell'),
    isNeededBy: (path) => path.startsWith('test/web/'),
  },
  alertmanager: {
    names: ['prometheus-alertmanager', 'alertmanager'],
    install: apt('prometheus-alertmanager'),
    isNeededBy: (_, text) => text().includes('kit/alertmanager.ts'),
  },
  bzip2: {
    names: ['bzip2'],
    install: apt('bzip2'),
    isNeededBy: (_, text) => text().includes("'bzip2'"),
  },
  openssl: {
    names: ['openssl'],
    install: apt('openssl'),
    isNeededBy: (_, text) => /kit\/certificates\.ts|'openssl'/.test(text()),
  },
  versitygw: {
    names: ['versitygw'],
    install: 'GOBIN=/usr/local/bin go install github.com/versity/versitygw/cmd/versitygw@v1.8.0',
    isReplaced: () => Boolean(process.env.TEST_S3_URL),
    isNeededBy: (_, text) => text().includes('kit/s3.ts'),
  },
} satisfies Record<string, Program>

/** Returns the path of a program under the first of its names that is installed; undefined where none is. */
export function findTestProgram(name: keyof typeof programs): string | undefined {
  const paths = programs[name].names.map((file) => findProgram(file, process.env.PATH ?? ''))
  return paths.find((path) => path !== undefined)
}

export type LeftOut = { program: string; install: string; files: string[] }

/** Lists the test files below `root` that cannot run here, by the program that is missing. */
export function listLeftOut(root: string): LeftOut[] {
  const names = Object.keys(programs) as (keyof typeof programs)[]
  const missing = names.filter((name) => {
    const { isReplaced }: Program = programs[name]
    return findTestProgram(name) === undefined && !isReplaced?.()
  })
  if (missing.length === 0) return []
  const tests = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root }).sort()
  return missing.map((name) => ({
    program: name,
    install: programs[name].install,
    files: tests.filter((path) =>
      programs[name].isNeededBy(path, () => readFileSync(join(root, path), 'utf8')),
    ),
  }))
}
