import type { Translate } from '../../core/i18n/i18n.ts'

/** A human-readable transfer speed: a moving average over 5 s, and no estimate of the end in the first 2 s. */
export interface Speedometer {
  /** Records the number of bytes so far. Returns bytes per second. */
  at(now: number, bytes: number): number
  /** Returns the whole seconds until the rest is transferred. Undefined if there is no reliable estimate. */
  eta(now: number, rest: number): number | undefined
  /** Excludes bytes that arrived without being sent. */
  skip(bytes: number): void
  /** Restarts the measurement. */
  reset(now: number, bytes: number): void
}

const meanOverMs = 5000
const quietMs = 2000
const leastStepMs = 200

export function createSpeedometer(start: number): Speedometer {
  let begun = start
  let last = { now: start, bytes: 0 }
  let rate: number | undefined
  return {
    at(now, bytes) {
      const step = now - last.now
      if (step >= leastStepMs) {
        const latest = (Math.max(0, bytes - last.bytes) * 1000) / step
        const weight = 1 - Math.exp(-step / meanOverMs)
        rate = rate === undefined ? latest : rate + (latest - rate) * weight
        last = { now, bytes }
      }
      return Math.round(rate ?? 0)
    },
    eta: (now, rest) => (now - begun < quietMs || !rate ? undefined : Math.ceil(rest / rate)),
    skip(bytes) {
      last = { ...last, bytes: last.bytes + bytes }
    },
    reset(now, bytes) {
      begun = now
      last = { now, bytes }
      rate = undefined
    },
  }
}

/** Returns the remaining time as text. */
export function remainingText(seconds: number, t: Translate): string {
  if (seconds < 60) return t('drive.upload.seconds', { n: seconds })
  const minutes = Math.ceil(seconds / 60)
  return minutes < 100
    ? t('drive.upload.minutes', { n: minutes })
    : t('drive.upload.hours', { n: Math.round(minutes / 60) })
}
