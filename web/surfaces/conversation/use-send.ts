// A request that a press begins, and what became of it.
import { useState } from 'preact/hooks'
import { Refusal } from '../../api/refusal.ts'

/** A request that a press begins: what was refused of it stays until the next one. */
export function useSendWithRefusal<T = void>(send: (given: T) => Promise<unknown>) {
  const [state, setState] = useState<{ isBusy: boolean; refusal?: Refusal }>({ isBusy: false })
  const run = async (given: T) => {
    if (state.isBusy) return
    setState({ isBusy: true })
    try {
      await send(given)
      setState({ isBusy: false })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      setState({ isBusy: false, refusal: error })
    }
  }
  return { ...state, run: (given: T) => void run(given) }
}
