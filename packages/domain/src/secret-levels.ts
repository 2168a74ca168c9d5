// Duration of a file's secret level (decisions "Secret duration unit"). After it the level is 0.

/** The duration units: 0 is unlimited. */
export const SecretUnit = { unlimited: 0, day: 1, month: 2, year: 3 } as const

/** Maximum duration in any unit. */
export const maxSecretDuration = 36_500

/** The predefined durations. [R232] */
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

/** Colours of secret levels. They are drawn by design tokens, so each skin has its own. */
export const secretColours = ['grey', 'blue', 'green', 'amber', 'red', 'dark'] as const
export type SecretColour = (typeof secretColours)[number]

const dayMs = 24 * 60 * 60_000

/**
 * Returns the time when a secret level set now expires; null: never. Months and years are calendar months and years:
 * one month from the 31st ends on the last day of a shorter month.
 */
export function secretUntil(now: number, duration: number, unit: number): number | null {
  if (duration <= 0 || unit === SecretUnit.unlimited) return null
  if (unit === SecretUnit.day) return now + duration * dayMs
  const months = unit === SecretUnit.month ? duration : duration * 12
  const start = new Date(now)
  const end = new Date(now)
  end.setUTCMonth(start.getUTCMonth() + months)
  // A day that does not exist in the month has overflowed into the next one.
  if (end.getUTCDate() !== start.getUTCDate()) end.setUTCDate(0)
  return end.getTime()
}

/** Returns the current secret level. */
export function secretLevelNow(level: number, until: number | null, now: number): number {
  return until !== null && until <= now ? 0 : level
}
