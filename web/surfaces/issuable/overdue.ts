import { localMidnight } from '../../text/numbers.ts'

type Due = { state: string; due_date?: string | null }

/** Whether the thing is open and the whole day it is due on is over, where the reader is. */
export function isOverdue({ state, due_date }: Due): boolean {
  if (!due_date || state !== 'opened') return false
  const end = localMidnight(due_date)
  end.setDate(end.getDate() + 1)
  return end <= new Date()
}
