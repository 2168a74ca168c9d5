// The deputy who decides while the user is absent.
import { fullTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { toast } from '../../core/toast/toast.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { type Subject, SubjectField } from '../../people/index.ts'
import { refetchRequests } from '../review/review-queries.ts'
import { standInQuery } from './authorization-queries.ts'
import { ExpiryField, inDays } from './expiry-field.tsx'
import '../review/approvals.css'

export function StandIn({ close, setDirty }: WindowProps<object, boolean>): ReactNode {
  const t = useT()
  const { data, error } = useQuery({ ...standInQuery, staleTime: 0 })
  const [chosen, setChosen] = useState<readonly Subject[]>([])
  const [until, setUntil] = useState<number | null>(inDays(7))
  const [busy, setBusy] = useState(false)
  const set = async (userId: number, said: string): Promise<void> => {
    setBusy(true)
    try {
      await api.setReviewStandIn({ userId, ...(userId !== 0 && until !== null && { until }) })
      setDirty(false)
      refetchRequests()
      toast({ kind: 'success', text: said })
      close(true)
    } catch (failure) {
      toast({ kind: 'error', text: failure instanceof CallError ? failure.message : t('drive.failed') })
      setBusy(false)
    }
  }
  const [to] = chosen
  const now = data?.standIn ?? null
  return (
    <>
      <DialogBody>
        {error !== null ? (
          <p>{error.message}</p>
        ) : data === undefined ? (
          <Spinner label={t('approvals.loading')} />
        ) : (
          <div className="ap-stand-in">
            <p>{t('approvals.standIn.what')}</p>
            {now !== null && (
              <p className="ap-hoped" role="status">
                {now.until === null
                  ? t('approvals.standIn.now', { name: isolated(now.accountName), from: fullTime(now.from) })
                  : t('approvals.standIn.nowUntil', {
                      name: isolated(now.accountName),
                      from: fullTime(now.from),
                      time: fullTime(now.until),
                    })}
              </p>
            )}
            <div className="ap-form">
              <span>{t('approvals.standIn.who')}</span>
              <SubjectField
                label={t('approvals.standIn.who')}
                types="user"
                chosen={chosen}
                autoFocus
                onChange={(next) => {
                  setChosen(next.slice(-1))
                  setDirty(next.length > 0)
                }}
              />
              <span>{t('approvals.apply.until')}</span>
              <ExpiryField label={t('approvals.apply.until')} value={until} onChange={setUntil} />
            </div>
          </div>
        )}
      </DialogBody>
      <DialogFooter>
        <span className="ap-left">
          {now !== null && (
            <Button kind="ghost" disabled={busy} onClick={() => void set(0, t('approvals.standIn.ended'))}>
              {t('approvals.standIn.end')}
            </Button>
          )}
        </span>
        <Button onClick={() => close(false)}>{t('drive.cancel')}</Button>
        <Button
          kind="primary"
          disabled={busy || to === undefined}
          onClick={() => to && void set(to.id, t('approvals.standIn.done', { name: isolated(to.name) }))}
        >
          {t('approvals.standIn.save')}
        </Button>
      </DialogFooter>
    </>
  )
}
