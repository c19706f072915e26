// Programs that some tests start and that come with neither git nor npm. Where one is missing, the files that need it are
// left out, and `npm test` names them with the command that installs the program.
import { accessSync, constants, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

type Program = {
  /** The names it has on different systems. */
  names: readonly string[]
  /** The package of Debian that has it. */
  package: string
  /** What the path or the text of a test file has that needs it. */
  isNeededBy: (path: string, text: () => string) => boolean
}

const programs = {
  chromium: {
    names: ['chromium', 'chromium-browser', 'google-chrome'],
    package: 'chromium',
    isNeededBy: (path) => path.startsWith('test/web/'),
  },
  alertmanager: {
    names: ['prometheus-alertmanager', 'alertmanager'],
    package: 'prometheus-alertmanager',
    isNeededBy: (_, text) => text().includes('kit/alertmanager.ts'),
  },
  bzip2: {
    names: ['bzip2'],
    package: 'bzip2',
    isNeededBy: (_, text) => text().includes("'bzip2'"),
  },
  openssl: {
    names: ['openssl'],
    package: 'openssl',
    isNeededBy: (_, text) => /kit\/certificates\.ts|'openssl'/.test(text()),
  },
} satisfies Record<string, Program>

/** Returns the path of a program, found as a shell would; undefined if it is not installed. */
export function findProgram(name: keyof typeof programs): string | undefined {
  const folders = (process.env.PATH ?? '').split(':')
  const { names } = programs[name]
  return folders.flatMap((folder) => names.map((file) => join(folder, file))).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export type LeftOut = { program: string; install: string; files: string[] }

/** Lists the test files below `root` that cannot run here, by the program that is missing. */
export function listLeftOut(root: string): LeftOut[] {
  const names = Object.keys(programs) as (keyof typeof programs)[]
  const missing = names.filter((name) => findProgram(name) === undefined)
  if (missing.length === 0) return []
  const tests = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root }).sort()
  return missing.map((name) => ({
    program: name,
    install: `apt-get install --no-install-recommends ${programs[name].package}`,
    files: tests.filter((path) =>
      programs[name].isNeededBy(path, () => readFileSync(join(root, path), 'utf8')),
    ),
  }))
}
