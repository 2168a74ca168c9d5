// The size limit of a folder ([R119]): the used space and the limit.
import type { ItemRecord } from '@cloudoc/contract'
import { formatSize } from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { nameInSentence } from '../../items/item/short-name.ts'
import { Button } from '../../kit/button.tsx'
import { BytesField } from '../../kit/bytes-field.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import './property.css'

export interface FolderLimitProps {
  readonly item: ItemRecord
  readonly limit: number
  /** The used space, where it is known because a limit exists. */
  readonly used: number
}

export function FolderLimit({ item, limit: before, used, close }: WindowProps<FolderLimitProps, boolean>): ReactNode {
  const t = useT()
  const [limit, setLimit] = useState<number | undefined>(before)
  const [busy, setBusy] = useState(false)
  const name = nameInSentence(item.fName)
  const save = async (bytes: number): Promise<void> => {
    setBusy(true)
    try {
      const { used: counts } = await api.of(item).setFolderLimit({ folderId: item.fId, limit: bytes })
      void queryClient.invalidateQueries({ queryKey: ['drive', 'property'] })
      const isOver = bytes > 0 && counts > bytes
      const said =
        bytes === 0 ? t('property.limit.gone', { name }) : t('property.limit.set', { name, size: formatSize(bytes) })
      toast(
        isOver
          ? { kind: 'warning', text: `${said}${t('property.limit.over', { used: formatSize(counts) })}` }
          : { kind: 'success', text: said },
      )
      close(true)
    } catch (error) {
      notifyFailure(error)
      setBusy(false)
    }
  }
  return (
    <>
      <DialogBody>
        <div className="dr-property-limit">
          <p title={item.fName}>{t('property.limit.lead', { name })}</p>
          <BytesField
            label={t('property.limit')}
            unitLabel={t('property.limit.unit')}
            none={t('property.limit.none')}
            value={before}
            autoFocus
            onChange={setLimit}
          />
          <p className="k-help">
            {before > 0 && `${t('property.limit.used', { used: formatSize(used) })} `}
            {t('property.limit.counts')}
          </p>
        </div>
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close()}>{t('drive.cancel')}</Button>
        <Button
          kind="primary"
          disabled={busy || limit === undefined || limit === before}
          onClick={() => void save(limit ?? 0)}
        >
          {t('property.limit.save')}
        </Button>
      </DialogFooter>
    </>
  )
}
