// The effect of an unsaved change: who gains and who loses which rights.
import type { Answer, calls } from '@cloudoc/contract'
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { SubjectAvatar } from '../../people/index.ts'
import { rightsLabel } from './rights-labels.ts'
import './rights.css'

export type ChangeEffectAnswer = Answer<typeof calls.previewShareList>

interface ChangeEffectProps {
  readonly changes: number
  readonly effect: Omit<ChangeEffectAnswer, 'overridden'> | undefined
  readonly problem: string | undefined
}

export function ChangeEffect({ changes, effect, problem }: ChangeEffectProps): ReactNode {
  const t = useT()
  const printRights = useSession().setting.print_rights
  if (changes === 0) return <p className="dr-rights-note">{t('rights.effect.none')}</p>
  if (problem !== undefined) return <p className="dr-rights-note">{problem}</p>
  if (effect === undefined) return <p className="dr-rights-note">{t('rights.loading')}</p>
  const { gains, loses, hidden, same, list } = effect
  return (
    <div className="dr-rights-main">
      {hidden > 0 ? (
        <p className="dr-rights-lead is-danger" role="status">
          {t('rights.effect.hidden', { n: hidden })}
        </p>
      ) : (
        <p className="dr-rights-lead" role="status">
          {t('rights.effect.lead')}
        </p>
      )}
      <p className="dr-rights-counts">{t('rights.effect.counts', { gains, loses, same })}</p>
      <div className="dr-rights-entries">
        <table>
          <thead>
            <tr>
              <th>{t('rights.effect.who')}</th>
              <th>{t('rights.effect.before')}</th>
              <th>{t('rights.effect.after')}</th>
            </tr>
          </thead>
          <tbody>
            {list.map(({ userId, accountName, groupName, before, after }) => (
              <tr key={userId}>
                <td>
                  <span className="dr-rights-who">
                    <SubjectAvatar type="user" id={userId} name={accountName} />
                    {accountName}
                    <small>{groupName}</small>
                  </span>
                </td>
                <td>{rightsLabel(before, printRights, t)}</td>
                <td className={(before & ~after) === 0 ? 'is-gain' : 'is-loss'}>
                  {rightsLabel(after, printRights, t)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {gains + loses > list.length && (
        <p className="dr-rights-hint">{t('rights.effect.more', { n: gains + loses - list.length })}</p>
      )}
    </div>
  )
}
