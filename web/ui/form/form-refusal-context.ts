// What a form was refused for, as the fields in it read it.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Refusal } from '../../api/refusal.ts'

export const FormRefusalContext = createContext<Refusal | undefined>(undefined)

/**
 * What is wrong with a field of the form around it. `names` are those by which the server may speak of it, with spaces
 * between.
 */
export function useFieldProblem(names: string | undefined): string | undefined {
  const refusal = useContext(FormRefusalContext)
  if (!refusal || !names) return undefined
  return names
    .split(' ')
    .map((name) => refusal.problemOf(name))
    .find((problem) => problem !== undefined)
}
