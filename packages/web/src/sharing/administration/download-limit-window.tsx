// One download limit: whom it applies to, and the number per day.
import type { DownloadLimit } from '@cloudoc/contract'
import { type ReactNode, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { Field, Input } from '../../organisation/index.ts'
import { type Subject, SubjectField } from '../../people/index.ts'
import { refetchLinks } from './link-admin-queries.ts'
import './texts.ts'

export interface DownloadLimitWindowProps {
  /** The limit to change. Without it, a new one is created. */
  readonly limit?: DownloadLimit
}

const most = 1_000_000

export function DownloadLimitWindow({
  limit,
  close,
  setDirty,
}: WindowProps<DownloadLimitWindowProps, boolean>): ReactNode {
  const t = useT()
  const [whom, setWhom] = useState<readonly Subject[]>([])
  const [typed, setTyped] = useState(limit === undefined ? '200' : String(limit.perDay))
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const save = async (): Promise<void> => {
    const perDay = Number(typed)
    if (typed.trim() === '' || !Number.isInteger(perDay) || perDay < 0 || perDay > most)
      return setProblem(t('company.links.limit.wrong', { n: most }))
    setBusy(true)
    try {
      const [first] = whom
      const subject =
        limit !== undefined
          ? { subjectType: limit.subjectType, subjectId: limit.subjectId }
          : first === undefined
            ? { subjectType: 'everybody' as const }
            : { subjectType: first.type, subjectId: first.id }
      await api.setDownloadLimit({ ...subject, perDay })
      refetchLinks()
      setDirty(false)
      close(true)
    } catch (failure) {
      if (!(failure instanceof CallError)) throw failure
      setProblem(failure.message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <DialogBody>
        <div className="or-form">
          {limit === undefined && (
            <Field label={t('company.links.policy.whom')} help={t('company.links.policy.whom.more')}>
              <SubjectField
                label={t('company.links.policy.whom')}
                chosen={whom}
                onChange={(chosen) => setWhom(chosen.slice(-1))}
              />
            </Field>
          )}
          <Field label={t('company.links.limit.perDay')} help={t('company.links.limit.perDay.more')}>
            <Input
              label={t('company.links.limit.perDay')}
              inputMode="numeric"
              value={typed}
              onChange={({ target }) => {
                setTyped(target.value)
                setDirty(true)
              }}
            />
          </Field>
        </div>
      </DialogBody>
      <DialogFooter>
        {problem !== undefined && (
          <span className="k-problem" role="alert">
            {problem}
          </span>
        )}
        <Button onClick={() => close(false)}>{t('company.links.policy.leave')}</Button>
        <Button kind="primary" disabled={busy} onClick={() => void save()}>
          {t('company.save')}
        </Button>
      </DialogFooter>
    </>
  )
}
