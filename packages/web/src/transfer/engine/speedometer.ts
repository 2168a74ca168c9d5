import type { Translate } from '../../core/i18n/i18n.ts'

/** Bytes a second as people want to read them: a running mean over 5 s, and nothing about the end in the first 2 s. */
export interface Speedometer {
  /** Takes note of the bytes so far; answers bytes a second. */
  at(now: number, bytes: number): number
  /** Whole seconds until the rest is through; undefined where that would be a guess. */
  eta(now: number, rest: number): number | undefined
  /** These bytes arrived without being sent. */
  skip(bytes: number): void
  /** Begins anew. */
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

/** Seconds for people. */
export function remainingText(seconds: number, t: Translate): string {
  if (seconds < 60) return t('drive.upload.seconds', { n: seconds })
  const minutes = Math.ceil(seconds / 60)
  return minutes < 100
    ? t('drive.upload.minutes', { n: minutes })
    : t('drive.upload.hours', { n: Math.round(minutes / 60) })
}
