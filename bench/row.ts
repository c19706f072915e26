// What a line of the table is: a piece of work, measured beside the floor that the machine sets.
import type { Bench } from './bench.ts'

export type Unit = '/s' | 's' | 'ms' | 'us' | 'KB' | 'MB'
export type Figure = { value: number; unit: Unit; of?: string }

export type Measured = {
  /** What the machine's own tools reach; absent where the goal stands by itself. */
  floor?: Figure
  ours: Figure
  /** Memory of ours at its peak beyond that of the floor, and the longest wait of a monitor meanwhile. */
  more_mb?: number
  health_ms?: number
  /** Anything that explains the figures. */
  note?: string
}

export type Goal = { text: string; isMet: (measured: Measured) => boolean }

export type Row = {
  name: string
  /** Absent where the figure is only reported. */
  goal?: Goal
  /** May be called several times; what it finds cold must be cold each time. */
  measure: (bench: Bench) => Promise<Measured>
}

/** Ours over the floor; undefined without a floor. */
export function ratioOf({ floor, ours }: Measured): number | undefined {
  return floor && ours.value / floor.value
}

/** For rates: ours is at least `least` times the floor. */
export function atLeast(least: number): Goal {
  return { text: `>= ${least} x`, isMet: (measured) => (ratioOf(measured) ?? 0) >= least }
}

/** For times: ours is at most `most` times the floor. */
export function atMost(most: number): Goal {
  return { text: `<= ${most} x`, isMet: (measured) => (ratioOf(measured) ?? Infinity) <= most }
}

/** For times and sizes with a goal of their own, in the unit of `ours`. */
export function below(most: number, unit: Unit): Goal {
  return { text: `< ${most} ${unit}`, isMet: ({ ours }) => ours.value < most }
}
