import { useEffect, useState } from 'preact/hooks'

type CronWords = typeof import('../../../text/cron.ts')['cronWords']

let loaded: CronWords | undefined

/** Says when an expression runs, in words; until it can, and of what has no words, undefined. */
export function useCronWords(): CronWords {
  const [, setLoaded] = useState(loaded !== undefined)
  useEffect(() => {
    if (loaded) return
    void import('../../../text/cron.ts').then(
      ({ cronWords }) => {
        loaded = cronWords
        setLoaded(true)
      },
      () => {},
    )
  }, [])
  return (cron) => loaded?.(cron)
}
