// Reads the appointments that a mail carries (text/calendar, RFC 5545; methods of RFC 5546).
import type { Meeting } from '@cloudoc/contract'
import ICAL from 'ical.js'

const mostMeetings = 20
const longest = 1_000_000

/** The appointments of a calendar file; none if it cannot be read. */
export function readMeetings(bytes: Uint8Array): Meeting[] {
  if (bytes.byteLength > longest) return []
  try {
    const calendar = new ICAL.Component(ICAL.parse(new TextDecoder().decode(bytes)) as unknown[])
    const method = textOf(calendar.getFirstPropertyValue('method')).toUpperCase()
    return calendar
      .getAllSubcomponents('vevent')
      .slice(0, mostMeetings)
      .map((component) => meetingOf(component, method))
  } catch {
    return []
  }
}

function meetingOf(component: ICAL.Component, method: string): Meeting {
  const event = new ICAL.Event(component)
  // The library declares times that a file may lack.
  const { startDate, endDate } = event as { startDate?: ICAL.Time | null; endDate?: ICAL.Time | null }
  const isCancelled = method === 'CANCEL' || textOf(component.getFirstPropertyValue('status')) === 'CANCELLED'
  return {
    title: textOf(event.summary).slice(0, 1000),
    place: textOf(event.location).slice(0, 1000),
    organizer: address(event.organizer),
    people: event.attendees.slice(0, 200).map((one) => nameOf(one)),
    startsAt: millisecondsOf(startDate),
    endsAt: millisecondsOf(endDate),
    isAllDay: startDate?.isDate ?? false,
    // A time without a zone is that of whoever reads it; where the zone is unknown it is shown as it was written.
    isLocal: startDate ? !startDate.isDate && isFloating(startDate) : false,
    isRepeated: event.isRecurring(),
    kind: isCancelled ? 'cancelled' : method === 'REPLY' ? 'answer' : 'invitation',
  }
}

const isFloating = ({ zone }: ICAL.Time): boolean => zone === ICAL.Timezone.localTimezone

/** Milliseconds since 1970; of a day, and of a time without a zone, those of the same clock in UTC. */
function millisecondsOf(time: ICAL.Time | null | undefined): number {
  if (time === null || time === undefined) return 0
  if (time.isDate || isFloating(time))
    return Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second)
  return time.toUnixTime() * 1000
}

/** The library declares texts that a file may lack. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const address = (value: unknown): string =>
  textOf(value)
    .replace(/^mailto:/i, '')
    .slice(0, 320)

function nameOf(attendee: ICAL.Property): string {
  const name = attendee.getParameter('cn')
  return typeof name === 'string' && name !== '' ? name.slice(0, 320) : address(attendee.getFirstValue())
}
