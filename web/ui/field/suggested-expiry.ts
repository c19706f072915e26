const suggested_days = 30

/** The day that a new token is suggested to expire on, as date fields want it. */
export function suggestedExpiry(): string {
  const date = new Date()
  date.setDate(date.getDate() + suggested_days)
  return date.toISOString().slice(0, 10)
}
