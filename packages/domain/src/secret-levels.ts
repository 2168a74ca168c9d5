// How long a file keeps its secret level (decisions "Secret duration unit"). From its end on the level counts as 0.

/** The units of a duration: 0 says unlimited. */
export const SecretUnit = { unlimited: 0, day: 1, month: 2, year: 3 } as const

/** The longest duration in any unit that is taken. */
export const maxSecretDuration = 36_500

/** The durations that are offered by name. [R232] */
export const secretPresets = [
  { duration: 0, unit: SecretUnit.unlimited },
  { duration: 3, unit: SecretUnit.month },
  { duration: 6, unit: SecretUnit.month },
  { duration: 1, unit: SecretUnit.year },
  { duration: 3, unit: SecretUnit.year },
  { duration: 5, unit: SecretUnit.year },
  { duration: 10, unit: SecretUnit.year },
  { duration: 20, unit: SecretUnit.year },
] as const

/** The colours that a secret level can have; drawn by tokens, so each skin has its own. */
export const secretColours = ['grey', 'blue', 'green', 'amber', 'red', 'dark'] as const
export type SecretColour = (typeof secretColours)[number]

const dayMs = 24 * 60 * 60_000

/**
 * The moment from which a secret level that is set now no longer holds; null: never. Months and years are those of the
 * calendar: what is set on the 31st for a month ends on the last day of a shorter one.
 */
export function secretUntil(now: number, duration: number, unit: number): number | null {
  if (duration <= 0 || unit === SecretUnit.unlimited) return null
  if (unit === SecretUnit.day) return now + duration * dayMs
  const months = unit === SecretUnit.month ? duration : duration * 12
  const start = new Date(now)
  const end = new Date(now)
  end.setUTCMonth(start.getUTCMonth() + months)
  // A day that the month does not have has run over into the next one.
  if (end.getUTCDate() !== start.getUTCDate()) end.setUTCDate(0)
  return end.getTime()
}

/** The secret level that holds now. */
export function secretLevelNow(level: number, until: number | null, now: number): number {
  return until !== null && until <= now ? 0 : level
}
