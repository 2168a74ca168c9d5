// The window that sets folders read-only or writable ([R215]), with an explanation.
import type { ItemRecord } from '@cloudoc/contract'
import { hasStatus, itemStatus } from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { nameInSentence } from '../item/short-name.ts'
import { setReadOnly } from './operations.ts'
import './read-only.css'

export interface ReadOnlyProps {
  readonly items: readonly ItemRecord[]
}

export function ReadOnly({ items, close }: WindowProps<ReadOnlyProps, boolean>): ReactNode {
  const t = useT()
  const [first] = items
  const is = items.every(({ itemStatus: status }) => hasStatus(itemStatus(status), 'folderReadOnly'))
  const [readOnly, choose] = useState(is)
  const [busy, setBusy] = useState(false)
  const save = async (): Promise<void> => {
    setBusy(true)
    if (await setReadOnly(items, readOnly)) close(true)
    else setBusy(false)
  }
  const name = nameInSentence(first?.fName ?? '')
  return (
    <>
      <DialogBody>
        <p className="dr-read-only-lead" title={items.map(({ fName }) => fName).join('\n')}>
          {items.length === 1
            ? t('drive.readOnly.lead', { name })
            : t('drive.readOnly.leadMany', { name, n: items.length })}
        </p>
        <div className="dr-read-only" role="radiogroup" aria-label={t('drive.menu.readOnly')}>
          {([false, true] as const).map((one) => (
            <label key={String(one)}>
              <input type="radio" name="read-only" checked={readOnly === one} onChange={() => choose(one)} />
              <b>{t(one ? 'drive.readOnly.on' : 'drive.readOnly.off')}</b>
              <small>{t(one ? 'drive.readOnly.on.more' : 'drive.readOnly.off.more')}</small>
            </label>
          ))}
        </div>
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close()}>{t('drive.cancel')}</Button>
        <Button kind="primary" disabled={busy} onClick={() => void save()}>
          {t('drive.readOnly.save')}
        </Button>
      </DialogFooter>
    </>
  )
}
