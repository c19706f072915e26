import { useEffect, useState } from 'preact/hooks'

type DescribeCron = typeof import('../../../text/cron.ts')['describeCron']

let loaded: DescribeCron | undefined

/** Says when an expression runs, in words; until it can, and of what has no words, undefined. */
export function useCronDescriber(): DescribeCron {
  const [, setLoaded] = useState(loaded !== undefined)
  useEffect(() => {
    if (loaded) return
    void import('../../../text/cron.ts').then(
      ({ describeCron }) => {
        loaded = describeCron
        setLoaded(true)
      },
      () => {},
    )
  }, [])
  return (cron) => loaded?.(cron)
}
