// The appointments that a mail carries: what, when, where and with whom.
import type { MailDetail, Meeting } from '@cloudoc/contract'
import type { ReactNode } from 'react'
import { currentLocale, useT } from '../core/i18n/i18n.ts'
import { CalendarLtr20Regular } from '../kit/icons.ts'

const mostNamed = 20

export function Meetings({ meetings }: Pick<MailDetail, 'meetings'>): ReactNode {
  const t = useT()
  return meetings.map((meeting, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and appointments have no id of their own.
    <section key={at} className="em-meeting" aria-label={t(`email.meeting.${meeting.kind}`)}>
      <CalendarLtr20Regular />
      <div>
        <small>{t(`email.meeting.${meeting.kind}`)}</small>
        <b className={meeting.kind === 'cancelled' ? 'em-cancelled' : ''}>{meeting.title || t('email.noSubject')}</b>
        <span>
          {timesOf(meeting)}
          {meeting.isRepeated && ` · ${t('email.meeting.repeated')}`}
        </span>
        {meeting.place !== '' && <span>{meeting.place}</span>}
        {meeting.people.length > 0 && (
          <span>
            {meeting.people.slice(0, mostNamed).join('、')}
            {meeting.people.length > mostNamed && ` +${meeting.people.length - mostNamed}`}
          </span>
        )}
      </div>
    </section>
  ))
}

/** The time of an appointment in the reader's zone; a day and a time without a zone as they were written. */
function timesOf({ startsAt, endsAt, isAllDay, isLocal }: Meeting): string {
  const day = { year: 'numeric', month: 'short', day: 'numeric', weekday: 'short' } as const
  const time = isAllDay ? {} : ({ hour: '2-digit', minute: '2-digit' } as const)
  const zone = isAllDay || isLocal ? { timeZone: 'UTC' } : {}
  const format = new Intl.DateTimeFormat(currentLocale(), { ...day, ...time, ...zone })
  // The end of an appointment of whole days is the day behind its last one.
  const end = isAllDay ? endsAt - 86_400_000 : endsAt
  return end > startsAt ? format.formatRange(startsAt, end) : format.format(startsAt)
}
