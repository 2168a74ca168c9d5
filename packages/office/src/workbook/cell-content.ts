// What the XML of a cell means, for every reader of workbooks.
import type { Content } from './cells.ts'

/** Decodes `_x000A_` to the character. */
export const storedText = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text

/** Whether an attribute such as `hidden` is on. Some programs write `true`, others `1`. */
export const isOn = (value: string | undefined): boolean => value === '1' || value === 'true'

const days1904 = 1462

/** Converts a date as in ISO 8601 to a count of days, as the workbook counts them; undefined if it is none. */
export function daysOfIso(text: string, since1904: boolean): number | undefined {
  const time = /^(\d{2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?/.exec(text)
  if (time !== null) return (Number(time[1]) * 3600 + Number(time[2]) * 60 + Number(time[3] ?? 0)) / 86_400
  const [, date, clock] = /^(\d{4}-\d{2}-\d{2})(?:T([\d:.]+))?/.exec(text) ?? []
  const ms = date === undefined ? Number.NaN : Date.parse(`${date}T${clock ?? '00:00:00'}Z`)
  if (Number.isNaN(ms)) return undefined
  const days = ms / 86_400_000 + 25_569
  // Day 60 is the 29 February 1900 that never was.
  return since1904 ? days - days1904 : days < 61 ? days - 1 : days
}

/** Returns the content of a cell from its type and value; `shared` returns a text of the shared strings. */
export function cellContent(
  type: string,
  value: string | undefined,
  shared: (index: number) => string,
  since1904: boolean,
): Content {
  if (value === undefined || (value === '' && type === 'n')) return { kind: 'empty' }
  switch (type) {
    case 's':
      return { kind: 'text', value: shared(Number(value)) }
    case 'b':
      return { kind: 'boolean', value: isOn(value) }
    case 'e':
      return { kind: 'error', value }
    case 'd': {
      const days = daysOfIso(value, since1904)
      return days === undefined ? { kind: 'text', value } : { kind: 'number', value: days }
    }
    case 'n': {
      const number = Number(value)
      return value.trim() !== '' && Number.isFinite(number)
        ? { kind: 'number', value: number }
        : { kind: 'text', value }
    }
    default:
      return { kind: 'text', value: storedText(value) }
  }
}
