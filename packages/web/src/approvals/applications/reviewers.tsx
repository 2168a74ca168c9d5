// Who decides about an application: the first round can be chosen where the rule permits it.

import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { useSession } from '../../core/session/session.ts'
import { LockClosed16Regular } from '../../kit/icons.ts'
import { PersonAvatar } from '../../people/index.ts'
import type { termsOf } from './application-queries.ts'

type Terms = Awaited<ReturnType<ReturnType<typeof termsOf>['queryFn']>>

interface ReviewersProps {
  readonly terms: Terms
  /** The chosen reviewers; empty: all. */
  readonly chosen: readonly number[]
  readonly onChange: (chosen: readonly number[]) => void
}

export function Reviewers({ terms, chosen, onChange }: ReviewersProps): ReactNode {
  const t = useT()
  const names = useSession().serverSetting.secret_names
  const [first, ...later] = terms.rounds
  if (terms.isAutomatic)
    return (
      <>
        <h3>{t('applications.reviewers')}</h3>
        <p>{t('applications.reviewers.automatic')}</p>
      </>
    )
  const people = first?.reviewers ?? []
  const mayChoose = terms.mayChoose && people.length > 1
  const isChosen = (id: number): boolean => chosen.length === 0 || chosen.includes(id)
  const toggle = (id: number): void => {
    const now = people.map(({ userId }) => userId).filter(isChosen)
    const next = now.includes(id) ? now.filter((one) => one !== id) : [...now, id]
    if (next.length > 0) onChange(next.length === people.length ? [] : next)
  }
  return (
    <>
      <h3>{t('applications.reviewers')}</h3>
      <ul className="al-people">
        {people.map(({ userId, accountName, why, standIn, minutes }) => {
          const time =
            minutes === undefined
              ? ''
              : minutes < 120
                ? t('applications.minutes', { n: Math.max(1, minutes) })
                : t('applications.hoursUsual', { n: Math.round(minutes / 60) })
          const person = (
            <>
              <PersonAvatar id={userId} name={accountName} />
              <span>
                {accountName}
                <small>
                  {[t(`approvals.why.${why}`), time].filter(Boolean).join(' · ')}
                  {standIn && t('approvals.way.standIn', { name: isolated(standIn.accountName) })}
                </small>
              </span>
            </>
          )
          return (
            <li key={userId}>
              {mayChoose ? (
                <label>
                  {person}
                  <input type="checkbox" checked={isChosen(userId)} onChange={() => toggle(userId)} />
                </label>
              ) : (
                person
              )}
            </li>
          )
        })}
      </ul>
      {people.length > 1 && (
        <p>{t((first?.needed ?? 1) > 1 ? 'applications.reviewers.all' : 'applications.reviewers.any')}</p>
      )}
      {!terms.mayChoose && <p>{t('applications.reviewers.fixed')}</p>}
      {later.map(({ reviewers, fromLevel }) => (
        <p key={reviewers.map(({ userId }) => userId).join(' ')} className="al-fixed">
          <LockClosed16Regular />
          {fromLevel > 0
            ? t('applications.reviewers.level', {
                level: names[fromLevel - 1] ?? `${fromLevel}`,
                names: reviewers.map(({ accountName }) => isolated(accountName)).join(t('approvals.or')),
              })
            : reviewers.map(({ accountName }) => isolated(accountName)).join(t('approvals.or'))}
        </p>
      ))}
    </>
  )
}
