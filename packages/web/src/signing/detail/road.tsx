// The course of a signing process, in its window and beside its list.
import type { SignDetail as Detail } from '@cloudoc/contract'
import { minuteTime } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { Step } from '../../approvals/index.ts'
import { api } from '../../core/call/api.ts'
import { t, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { act } from '../shared/sign-queries.ts'
import './detail.css'

/** The launcher corrects who signs without an account. */
async function correct({ activityId, signers }: Detail, signer: Detail['signers'][number]): Promise<void> {
  const { signerId, accountName: name, mail, phone } = signer
  const taken = signers.flatMap((one) => (one.isOutside && one.signerId !== signerId ? one.mail : []))
  const outside = await openWindow('sign-outside', { person: { name, mail, phone }, taken })
  if (outside === undefined) return
  await act(
    () => api.changeExternalSigner({ activityId, signerId, outside }, { quiet: true }),
    t('sign.outside.changed'),
  )
}

/** Who has signed, who it waits for, and what comes then. */
export function Road({ detail, me }: { readonly detail: Detail; readonly me: number }): ReactNode {
  const t = useT()
  const nameOf = (userId: number, name: string): string => (userId === me ? t('sign.line.you') : isolated(name))
  const ended = detail.timeline.find(({ what }) => what === 'withdrawn' || what === 'expired')
  const isOver = ended !== undefined || detail.state === 'rejected'
  return (
    <ol className="ap-steps sg-road">
      <Step look="done" title={t('sign.line.launched', { name: nameOf(detail.launchId, detail.launcherName) })}>
        <small>{minuteTime(detail.createTime)}</small>
      </Step>
      {detail.signers.map((signer) => {
        const name = nameOf(signer.userId, signer.accountName)
        const time = signer.time === null ? undefined : <small>{minuteTime(signer.time)}</small>
        const words = signer.comments === '' ? undefined : <q>{signer.comments}</q>
        const low = signer.isTooLow && !isOver && signer.state !== 'signed' && (
          <small className="sg-problem">{t('sign.line.tooLow')}</small>
        )
        if (signer.state === 'signed' || signer.state === 'rejected')
          return (
            <Step
              key={signer.signerId}
              look={signer.state === 'signed' ? 'done' : 'no'}
              title={
                signer.actedBy === null
                  ? t(`sign.line.${signer.state}`, { name })
                  : t(`sign.line.${signer.state}For`, {
                      name: nameOf(signer.actedBy.userId, signer.actedBy.accountName),
                      whom: isolated(signer.accountName),
                    })
              }
            >
              {time}
              {words}
            </Step>
          )
        if (signer.state === 'left')
          return <Step key={signer.signerId} look="next" title={t('sign.line.left', { name })} />
        return (
          <Step
            key={signer.signerId}
            look={signer.state === 'now' ? 'now' : 'next'}
            title={
              signer.state === 'next'
                ? name
                : signer.userId === me
                  ? t('sign.line.nowYou')
                  : t('sign.line.now', { name })
            }
          >
            {signer.isRole && <small>{t('sign.role.any')}</small>}
            {signer.standIn !== null && (
              <small>{t('sign.line.standIn', { name: isolated(signer.standIn.accountName) })}</small>
            )}
            {signer.isOutside && signer.mail !== '' && <small>{signer.mail}</small>}
            {signer.isOutside && detail.may.withdraw && (
              <Button kind="link" onClick={() => void correct(detail, signer)}>
                {t('sign.outside.change')}
              </Button>
            )}
            {signer.state === 'now' && detail.deadline !== null && <small>{minuteTime(detail.deadline)}</small>}
            {low}
          </Step>
        )
      })}
      {ended !== undefined ? (
        <Step
          look="no"
          title={
            ended.what === 'expired'
              ? t('sign.line.expired')
              : t('sign.line.withdrawn', { name: nameOf(ended.by?.userId ?? 0, ended.by?.accountName ?? '') })
          }
        >
          <small>{minuteTime(ended.at)}</small>
          {ended.comments !== '' && <q>{ended.comments}</q>}
        </Step>
      ) : (
        <Step
          look={detail.state === 'archived' ? 'done' : detail.state === 'signed' ? 'now' : 'next'}
          title={t(detail.state === 'archived' ? 'sign.line.archived' : 'sign.line.archive')}
        >
          {detail.archiveProblem === null ? (
            <small>{detail.archiveFolderName}</small>
          ) : (
            <small className="sg-problem">{t('sign.line.notArchived')}</small>
          )}
        </Step>
      )}
    </ol>
  )
}
