// What depends on the moment in which it is drawn.
import { type Locale, mayRecall, shortTime } from '@cloudoc/domain'

/** A time as it is written today. */
export const timeUntilNow = (time: number, locale: Locale): string => shortTime(time, Date.now(), locale)

/** Whether a message can still be recalled. */
export const mayRecallNow = (message: Parameters<typeof mayRecall>[0], me: number, windowMs: number): boolean =>
  mayRecall(message, me, Date.now(), windowMs)
