// Whether the server answers, and whether it still serves the build that this page is of.
import { signal } from '@preact/signals'
import { refreshEntriesRefusedOffline } from './cache.ts'
import { bindConnection, fetchServedBuild } from './call.ts'

/** Set while the server cannot be reached. */
export const isUnreachable = signal(false)
/** The build that the server serves, where it is another one than this page's. */
export const newServedBuild = signal<string | undefined>(undefined)

const waits_ms = [250, 500, 1_000, 2_000, 4_000]
const ownBuild = [...document.querySelectorAll<HTMLScriptElement>('script[type=module]')]
  .map(({ src }) => src)
  .join(' ')
let trying: Promise<void> | undefined

bindConnection({ onUnreachable: () => void reconnect() })

/** Asks the server until it answers. Resolves at once where only one request went wrong. */
export function reconnect(): Promise<void> {
  trying ??= tryUntilAnswered().finally(() => {
    trying = undefined
  })
  return trying
}

async function tryUntilAnswered(): Promise<void> {
  for (let tries = 0; ; tries++) {
    const build = await fetchServedBuild()
    if (build !== undefined) {
      newServedBuild.value = build === '' || build === ownBuild ? undefined : build
      if (isUnreachable.value) refreshEntriesRefusedOffline()
      isUnreachable.value = false
      return
    }
    isUnreachable.value = true
    await pause(waits_ms[Math.min(tries, waits_ms.length - 1)] ?? 0)
  }
}

/** Ends early when the browser is online again; a hidden tab waits until somebody looks at it. */
function pause(wait_ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', end)
      document.removeEventListener('visibilitychange', look)
      resolve()
    }
    let timer = document.hidden ? undefined : setTimeout(end, wait_ms)
    const look = () => {
      clearTimeout(timer)
      timer = undefined
      if (!document.hidden) end()
    }
    addEventListener('online', end)
    document.addEventListener('visibilitychange', look)
  })
}

/** Imports a part of the pages; tries once more when the server is reachable again. Throws if it serves another build. */
export async function importChunk<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    await reconnect()
    if (newServedBuild.value) throw error
    return load()
  }
}

/** Loads the page anew from the new build. False if that was tried before and led to this build again. */
export function reloadForNewBuild(): boolean {
  const build = newServedBuild.value
  if (!build || sessionStorage.getItem('reloaded_for') === build) return false
  sessionStorage.setItem('reloaded_for', build)
  location.reload()
  return true
}
