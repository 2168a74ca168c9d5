// The failed calls of this page, for the logs that people send to administrators ([R374]): names and codes, no contents.

const most = 200
const failures: string[] = []

/** Notes a failed call. */
export function noteFailure(call: string, code: string, number: number): void {
  failures.push(`${new Date().toISOString()} ${call} ${code} ${number}`)
  if (failures.length > most) failures.shift()
}

/** The failed calls, the oldest first. */
export const recentFailures = (): readonly string[] => failures
