// Explains the rights of a user on an item: the steps of the server's evaluation, and what prevents an action.

import type { Answer, calls, ItemRecord } from '@cloudoc/contract'
import { codeText, hasRight, minuteTime, Right, rights } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../core/call/api.ts'
import { type PlainTextKey, type Translate, useLocale, useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { openWindow, type WindowProps } from '../../core/windows/index.ts'
import type { Reason } from '../../items/actions/actions.ts'
import { reasonText } from '../../items/actions/reasons.ts'
import { liftingActions, sceneOf } from '../../items/actions/refusals.ts'
import { keyOf } from '../../items/item/item.ts'
import { Button } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { refOf } from './rights-draft.ts'
import { rightsLabel, singleRightsFor } from './rights-labels.ts'
import './rights.css'

export interface RightsExplanationProps {
  readonly item: Pick<ItemRecord, 'serverId' | 'fId' | 'fType' | 'fName'>
  /** Another user. Default: the current user. */
  readonly userId?: number
  /** The refusal that opened this window, if any. */
  readonly refused?: { readonly id?: string; readonly action: PlainTextKey; readonly reason: Reason }
}

type Reasons = Answer<typeof calls.getRightsReasons>
type Step = Reasons['steps'][number]

/**
 * Actions that are listed when a state of the item prevents them. Missing rights are explained by the rights
 * themselves.
 */
const explainedActions = ['preview', 'download', 'edit', 'newVersion', 'rename', 'move', 'delete', 'upload'] as const

export function RightsExplanation({ item, userId, refused, close }: WindowProps<RightsExplanationProps>): ReactNode {
  const t = useT()
  const locale = useLocale()
  const { setting } = useSession()
  const printRights = setting.print_rights
  const { data, error } = useQuery({
    queryKey: ['drive', 'rights', 'why', keyOf(item), userId],
    queryFn: () =>
      api.of(item).getRightsReasons({ ...refOf(item), ...(userId !== undefined && { userId }) }, { quiet: true }),
    staleTime: 0,
  })
  const managers = useQuery({
    queryKey: ['drive', 'rights', 'managers', keyOf(item)],
    queryFn: () => api.of(item).getItemManagers(refOf(item), { quiet: true }),
  })
  if (error !== null) return <p className="dr-rights-note">{error.message}</p>
  if (data === undefined) return <p className="dr-rights-note">{t('rights.loading')}</p>
  const { steps, limits, accountName } = data
  const mask = rights(data.rights)
  const entries = steps.filter(({ subjectType }) => subjectType !== undefined)
  const others = steps.filter(({ subjectType }) => subjectType === undefined)
  const states = limits.filter(
    ({ action, fact }) =>
      !fact.startsWith('right ') &&
      !fact.startsWith('setting ') &&
      (explainedActions as readonly string[]).includes(action) &&
      isState(fact),
  )
  // Offers to request more rights. The server reports whether the user may do so.
  const applying =
    userId === undefined
      ? liftingActions('noPermission', refused?.id).find(({ gate }) => !limits.some(({ action }) => action === gate))
      : undefined
  const names = managers.data?.list.map((one) => one.accountName) ?? []
  return (
    <>
      <DialogBody>
        <div className="dr-why">
          {refused !== undefined && (
            <p className="dr-rights-lead is-danger" role="status">
              {t('drive.refused', {
                action: t(refused.action).replace('…', ''),
                reason: reasonText(refused.reason),
              })}
            </p>
          )}
          <h3>{t(userId === undefined ? 'why.mine' : 'why.theirs', { name: accountName, item: item.fName })}</h3>
          <ol>
            <li>
              <b>{t('why.entries')}</b>
              {entries.length === 0 ? (
                <p>{t('why.noEntries')}</p>
              ) : (
                <ul>
                  {entries.map((step, i) => (
                    <li
                      key={`${step.step} ${step.subjectType} ${step.subjectId} ${i}`}
                      className={isLost(step) ? 'is-lost' : ''}
                    >
                      <span>{entryText(step, t)}</span>
                      <span>{rightsLabel(step.rights ?? 0, printRights, t)}</span>
                    </li>
                  ))}
                </ul>
              )}
            </li>
            <li>
              <b>{t('why.together', { rights: rightsLabel(mask, printRights, t) })}</b>
              {others.map(({ step }) => (
                <p key={step}>{t(`why.step.${step}` as 'why.step.manager')}</p>
              ))}
              {entries.some(({ step }) => step === 'deny') && <p>{t('why.denyWins')}</p>}
              <p className="dr-why-bits">
                {singleRightsFor(setting).map((name) => (
                  <StatusChip key={name}>
                    {hasRight(mask, name) ? t(`rights.right.${name}`) : <s>{t(`rights.right.${name}`)}</s>}
                  </StatusChip>
                ))}
              </p>
            </li>
            <li>
              <b>{t(states.length === 0 ? 'why.noLimits' : 'why.limits')}</b>
              {[...new Map(states.map((one) => [one.fact, one])).values()].map(({ fact, result }) => (
                <p key={fact}>{codeText(result, locale)}</p>
              ))}
            </li>
          </ol>
          {data.grants.map(({ applicationId, count, used, endTime, mayOpen }) => (
            <p key={applicationId} className="dr-rights-hint">
              {t(count === 0 ? 'why.grant' : 'why.grantCounted', { used, count, time: minuteTime(endTime) })}{' '}
              {mayOpen && (
                <Button onClick={() => void openWindow('cloudoc-apply-download-detail', { applicationId })}>
                  {t('why.grantOpen')}
                </Button>
              )}
            </p>
          ))}
          {(mask & Right.full) === 0 && names.length > 0 && (
            <p className="dr-rights-hint">{t('why.ask', { names: names.join(t('drive.rights.and')) })}</p>
          )}
          {managers.data !== undefined && names.length === 0 && <p className="dr-rights-hint">{t('why.askNobody')}</p>}
        </div>
      </DialogBody>
      <DialogFooter>
        {applying !== undefined && (
          <Button
            onClick={() => {
              close()
              applying.run(sceneOf(item as ItemRecord))
            }}
          >
            {t(applying.label)}
          </Button>
        )}
        <Button kind="primary" onClick={() => close()}>
          {t('why.close')}
        </Button>
      </DialogFooter>
    </>
  )
}

/** Whether a condition is a state of the item and not its kind. */
const isState = (fact: string): boolean =>
  !['a file', 'a folder', 'a PDF', 'not a virtual folder', 'not a library root'].includes(fact)

const isLost = ({ step }: Step): boolean => step === 'expired' || step === 'replaced' || step === 'closed'

function entryText(step: Step, t: Translate): string {
  const { subjectType = 'user', subjectName = '', source, at, expireTime = null, kind, approvedBy } = step
  const place = source?.fName
  return [
    subjectName,
    t(`rights.type.${subjectType}`),
    kind === 'application' &&
      (approvedBy === undefined ? t('rights.kind.application') : t('rights.approvedBy', { name: approvedBy })),
    place === undefined || place === '' ? t('rights.fromAbove') : t('why.setOn', { name: place }),
    expireTime !== null && !isLost(step) && t('why.until', { time: minuteTime(expireTime) }),
    isLost(step) &&
      t(`why.lost.${step.step as 'expired' | 'replaced' | 'closed'}`, {
        at: at?.fName === undefined || at.fName === '' ? t('why.above') : at.fName,
      }),
  ]
    .filter(Boolean)
    .join(' · ')
}
