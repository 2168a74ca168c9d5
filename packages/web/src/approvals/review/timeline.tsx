/*
 * The history of a request: the requester, the reviewers of each round, who must decide now, and the actions taken.
 * Used for every kind of review ([R217]); each kind defines the final step.
 */
import type { ReviewProgress } from '@cloudoc/contract'
import { minuteTime, shortTime } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { type Translate, useLocale, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { useSession } from '../../core/session/session.ts'
import { Checkmark12Filled, Dismiss12Filled } from '../../kit/icons.ts'
import { PersonAvatar } from '../../people/index.ts'
import './timeline.css'

export type StepState = 'done' | 'now' | 'next' | 'no' | 'back'

/** One step. */
export function Step({
  look,
  title,
  children,
}: {
  look: StepState
  title: ReactNode
  children?: ReactNode
}): ReactNode {
  return (
    <li className="ap-step" data-look={look} aria-current={look === 'now' ? 'step' : undefined}>
      <i aria-hidden="true">
        {look === 'done' && <Checkmark12Filled />}
        {look === 'no' && <Dismiss12Filled />}
      </i>
      <div>
        <b>{title}</b>
        {children}
      </div>
    </li>
  )
}

/** How long a request has waited, as text. */
export function waitingTimeLabel(t: Translate, since: number, now: number): string {
  const minutes = Math.max(0, Math.floor((now - since) / 60_000))
  if (minutes < 60) return t('approvals.minutes', { n: minutes })
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? t('approvals.hours', { n: hours }) : t('approvals.daysLong', { n: Math.floor(hours / 24) })
}

interface TimelineProps {
  readonly way: ReviewProgress
  readonly now: number
  /** The step that follows the approval. */
  readonly then: ReactNode
}

export function Timeline({ way, now, then }: TimelineProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const me = useSession().account.userId
  const isOpen = way.state === 'pending'
  return (
    <ol className="ap-way">
      <Step look="done" title={t('approvals.way.asked', { name: isolated(way.launcher.accountName) })}>
        <small>{shortTime(way.createTime, now, locale)}</small>
      </Step>
      {way.rounds.map(({ needed, reviewers }, n) => {
        const waiting = reviewers.filter(({ isWaiting }) => isWaiting)
        const rejected = reviewers.some(({ answer }) => answer === 'rejected')
        const passed = reviewers.filter(({ answer }) => answer === 'approved').length >= needed
        const look: StepState = rejected ? 'no' : passed ? 'done' : isOpen && n === way.round ? 'now' : 'next'
        const one = waiting.length === 1 ? waiting[0] : undefined
        const title =
          look === 'now'
            ? one !== undefined
              ? t('approvals.way.waitsFor', { name: isolated(one.accountName) })
              : t('approvals.way.waitsForOf', { n: waiting.length, needed })
            : t(rejected ? 'approvals.way.rejected' : passed ? 'approvals.way.passed' : 'approvals.way.round', {
                n: n + 1,
              })
        return (
          // Rounds have no key except their index.
          <Step key={`${way.reviewId} ${n}`} look={look} title={title}>
            {look === 'now' && (
              <small>
                {t('approvals.way.since', { time: waitingTimeLabel(t, way.createTime, now) })}
                {way.handleBefore !== null && t('approvals.way.before', { time: minuteTime(way.handleBefore) })}
              </small>
            )}
            <ul className="ap-people">
              {reviewers.map((person) => (
                <li key={person.userId}>
                  <PersonAvatar id={person.userId} name={person.accountName} />
                  <span>
                    {person.accountName}
                    <small>
                      {t(`approvals.why.${person.why}`)}
                      {person.standIn && t('approvals.way.standIn', { name: isolated(person.standIn.accountName) })}
                      {person.answeredBy && t('approvals.way.by', { name: isolated(person.answeredBy.accountName) })}
                    </small>
                    {person.comments !== '' && <q>{person.comments}</q>}
                  </span>
                  <em data-answer={person.answer ?? undefined}>
                    {person.answer !== null
                      ? t(`approvals.answer.${person.answer}`)
                      : person.isWaiting
                        ? t(
                            person.userId === me || person.standIn?.userId === me
                              ? 'approvals.way.you'
                              : 'approvals.way.waits',
                          )
                        : ''}
                  </em>
                </li>
              ))}
            </ul>
          </Step>
        )
      })}
      <Step
        look={way.state === 'approved' || way.state === 'over' ? 'done' : way.state === 'pending' ? 'next' : 'no'}
        title={then}
      />
    </ol>
  )
}

/** All actions on a request, latest first. */
export function ReviewHistory({ way, now }: Pick<TimelineProps, 'way' | 'now'>): ReactNode {
  const t = useT()
  const locale = useLocale()
  return (
    <section className="ap-notes">
      <h3>{t('approvals.notes')}</h3>
      <ul>
        {way.notes.toReversed().map((note) => (
          <li key={`${note.at} ${note.what} ${note.to?.userId ?? 0}`}>
            <time>{shortTime(note.at, now, locale)}</time>
            <span>
              {t(`approvals.note.${note.what}`, {
                name: isolated(note.by?.accountName ?? ''),
                to: isolated(note.to?.accountName ?? ''),
              })}
              {note.comments !== '' && <q>{note.comments}</q>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
