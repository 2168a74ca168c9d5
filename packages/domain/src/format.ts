import type { Locale } from './codes.ts'

const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const

/** Formats a size with base 1024. Whole bytes have no decimals; invalid sizes are empty. [R006] */
export function formatSize(bytes: number, decimals: 1 | 2 = 2): string {
  if (!Number.isFinite(bytes) || bytes < 0) return ''
  if (bytes < 1024) return `${Math.floor(bytes)} B`
  let value = bytes
  let unit = 0
  // Compares the rounded value: 1048575 bytes are 1.00 MB, not 1024.00 KB.
  while (unit < units.length - 1 && Number(value.toFixed(decimals)) >= 1024) {
    value /= 1024
    unit += 1
  }
  return `${value.toFixed(decimals)} ${units[unit]}`
}

const weekdays: Readonly<Record<Locale, readonly string[]>> = {
  zh: ['星期日', '星期一', '星期二', '星期三', '星期四', '星期五', '星期六'],
  en: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
}

const yesterday: Readonly<Record<Locale, string>> = { zh: '昨天', en: 'Yesterday' }

const start1971 = Date.UTC(1971, 0, 1)

/** Formats a time in the local time zone: HH:mm, 昨天, a weekday, or YY/M/DD; empty for 1970. [R007] */
export function shortTime(ms: number, now: number, locale: Locale): string {
  if (!(ms >= start1971)) return ''
  const time = new Date(ms)
  const days = Math.round((midnight(new Date(now)) - midnight(time)) / 86_400_000)
  if (days === 0) return `${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}`
  if (days === 1) return yesterday[locale]
  if (days > 1 && days < 7) return weekdays[locale][time.getDay()] ?? ''
  return `${twoDigits(time.getFullYear() % 100)}/${time.getMonth() + 1}/${twoDigits(time.getDate())}`
}

/** Formats a time to the second, the same in every language: 2026-11-20 10:12:33; empty for 1970. */
export function fullTime(ms: number): string {
  if (!(ms >= start1971)) return ''
  const time = new Date(ms)
  const day = [time.getFullYear(), twoDigits(time.getMonth() + 1), twoDigits(time.getDate())].join('-')
  return `${day} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(twoDigits).join(':')}`
}

/** Formats a time to the minute: 2026-11-20 10:12. For future times, where the hour matters on any day. */
export const minuteTime = (ms: number): string => fullTime(ms).slice(0, 16)

function midnight(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
}

function twoDigits(n: number): string {
  return String(n).padStart(2, '0')
}

/** Shortens a name of over 9 characters to its first 8, an ellipsis and its last 6, as the spec defines. [R130] */
export function shortName(name: string): string {
  const characters = Array.from(name)
  if (characters.length <= 9) return name
  return `${characters.slice(0, 8).join('')}…${characters.slice(-6).join('')}`
}
