// Repositories of stories, filled by real git.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { newFolder, runRealGit } from '../kit/git.ts'
import type { Server } from '../kit/server.ts'

export type Clone = {
  id: number
  path: string
  git: (...args: string[]) => Promise<string>
  /** Writes files and commits them; `git` pushes nothing by itself. */
  commit: (message: string, files: Record<string, string | Buffer>) => Promise<void>
  push: (...refs: string[]) => Promise<void>
}

/** A new public project of root, and a clone of it. */
export async function newClone(server: Server, name: string): Promise<Clone> {
  const { ask, url, root } = server
  const made = await ask<{ id: number; path_with_namespace: string }>('POST /projects', {
    name,
    visibility: 'public',
  })
  const cwd = newFolder()
  const git = async (...args: string[]) => {
    const { status, stdout, stderr } = await runRealGit(args, { cwd })
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
    return stdout.trim()
  }
  await git('init', '-q')
  const remote = `${url.replace('//', `//root:${root.token}@`)}/${made.path_with_namespace}.git`
  await git('remote', 'add', 'origin', remote)
  return {
    id: made.id,
    path: `/${made.path_with_namespace}`,
    git,
    commit: async (message, files) => {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(cwd, path)), { recursive: true })
        writeFileSync(join(cwd, path), text)
      }
      await git('add', '-A')
      await git('commit', '-q', '-m', message)
    },
    push: async (...refs) => {
      await git('push', '-q', 'origin', ...refs)
    },
  }
}
