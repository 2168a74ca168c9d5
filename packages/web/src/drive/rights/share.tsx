// The short form of sharing: recipients, rights, expiry and a message ([R208], [R214]).
import type { ItemRecord } from '@cloudoc/contract'
import { codes, codeText, groupRights } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api, mainServer } from '../../core/call/api.ts'
import { currentLocale, useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow, type WindowProps } from '../../core/windows/index.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { idArrays } from '../../items/item/item.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { Select } from '../../kit/select.tsx'
import { type Subject, SubjectField } from '../../people/index.ts'
import { maxBulkItems } from './bulk-draft.ts'
import { ExpiryField } from './expiry-field.tsx'
import { grantableOptions } from './rights-labels.ts'
import './rights.css'

export interface ShareWindowProps {
  readonly items: readonly ItemRecord[]
}

export function ShareWindow({ items, close, setDirty }: WindowProps<ShareWindowProps, boolean>): ReactNode {
  const t = useT()
  const printRights = useSession().setting.print_rights
  const [subjects, setSubjects] = useState<readonly Subject[]>([])
  const [mask, setMask] = useState<number>(groupRights('download', { printRights }))
  const [until, setUntil] = useState<number | null>(null)
  const [message, setMessage] = useState('')
  const [busy, setBusy] = useState(false)
  const recent = useQuery({
    queryKey: ['drive', 'rights', 'receivers'],
    queryFn: () => api.getShareReceivers({}, { quiet: true }),
  })
  const [first] = items
  const share = async (): Promise<void> => {
    setBusy(true)
    try {
      const { fileIdArray, folderIdArray } = idArrays(items)
      const answers = await api.of(first ?? mainServer).shareItems({
        fileIdArray,
        folderIdArray,
        subjects: subjects.map(({ type, id }) => ({ subjectType: type, subjectId: id })),
        rights: mask,
        expireTime: until,
        message: message.trim(),
      })
      const refused = answers.filter(({ result }) => result !== codes.success.code)
      const done = answers.length - refused.length
      const names = subjects.map(({ name }) => name).join(t('drive.rights.and'))
      if (done > 0) toast({ kind: 'success', text: t('share.done', { names }) })
      const [one] = refused
      if (one !== undefined) {
        const reason =
          one.result === codes.alreadyExists.code ? t('share.otherEnd') : codeText(one.result, currentLocale())
        toast({ kind: 'error', text: t('share.failed', { name: one.name, reason }) })
        if (done === 0) {
          setBusy(false)
          return
        }
      }
      close(true)
    } catch (error) {
      notifyFailure(error)
      setBusy(false)
    }
  }
  return (
    <>
      <DialogBody>
        <div className="dr-share">
          <SubjectField
            label={t('share.with')}
            chosen={subjects}
            suggested={recent.data?.list ?? []}
            autoFocus
            secretLevel={Math.max(0, ...items.map((item) => item.secretLevel))}
            onChange={(next) => {
              setSubjects(next)
              setDirty(next.length > 0)
            }}
          />
          {subjects.length === 0 && recent.data !== undefined && recent.data.list.length > 0 && (
            <p className="dr-share-recent">
              {t('share.recent')}
              {recent.data.list.slice(0, 5).map((one) => (
                <Button key={`${one.type} ${one.id}`} size="small" onClick={() => setSubjects([one])}>
                  {one.name}
                </Button>
              ))}
            </p>
          )}
          <div className="dr-share-row">
            <Select
              showLabel
              label={t('share.may')}
              value={mask}
              options={grantableOptions(printRights, t)}
              onChange={setMask}
            />
            <ExpiryField shown label={t('share.until')} value={until} onChange={setUntil} />
          </div>
          <textarea
            className="dr-share-message"
            aria-label={t('share.message')}
            placeholder={t('share.message')}
            maxLength={300}
            rows={3}
            value={message}
            onChange={({ target }) => setMessage(target.value)}
          />
        </div>
      </DialogBody>
      <DialogFooter>
        {items.length <= maxBulkItems && first !== undefined && (
          <Button kind="link" onClick={() => void openWindow('cloudoc-permission', { item: first, items })}>
            {t('share.all')}
          </Button>
        )}
        <Button onClick={() => close()}>{t('drive.cancel')}</Button>
        <Button kind="primary" disabled={busy || subjects.length === 0} onClick={() => void share()}>
          {t('share.ok')}
        </Button>
      </DialogFooter>
    </>
  )
}
