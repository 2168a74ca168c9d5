// The default sort order of a folder, for users who have not chosen one ([R119]).
import { type ReactNode, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { nameInSentence } from '../../items/item/short-name.ts'
import type { Sorting, SortKey } from '../../items/lists/folder-list.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import '../../items/item/dialogs.css'

export interface FilesSortProps extends Sorting {
  readonly serverId: number
  readonly fId: number
  readonly folderName: string
}

const keys: readonly SortKey[] = ['name', 'time', 'size', 'type']
const orders = ['asc', 'desc'] as const

/** Sets the order of a folder. Returns it after the server has accepted it. */
export function FilesSort({
  serverId,
  fId: folderId,
  folderName,
  sort: sortNow,
  order: orderNow,
  close,
}: WindowProps<FilesSortProps, Sorting>): ReactNode {
  const t = useT()
  const [sort, setSort] = useState(sortNow)
  const [order, setOrder] = useState(orderNow)
  const [saving, setSaving] = useState(false)
  const save = async (): Promise<void> => {
    setSaving(true)
    try {
      await api.of({ serverId }).setFolderOrder({ folderId, sort, order })
      close({ sort, order })
    } catch (error) {
      notifyFailure(error)
      setSaving(false)
    }
  }
  return (
    <>
      <DialogBody>
        <p className="dr-dialog-lead" title={folderName}>
          {t('drive.filesSort.lead', { name: nameInSentence(folderName) })}
        </p>
        <fieldset className="dr-choices">
          <legend>{t('drive.filesSort.by')}</legend>
          {keys.map((key) => (
            <label key={key}>
              <input type="radio" name="sort" checked={sort === key} onChange={() => setSort(key)} />
              {t(`drive.sort.${key}`)}
            </label>
          ))}
        </fieldset>
        <fieldset className="dr-choices">
          <legend>{t('drive.filesSort.direction')}</legend>
          {orders.map((one) => (
            <label key={one}>
              <input type="radio" name="order" checked={order === one} onChange={() => setOrder(one)} />
              {t(`drive.sort.${one}`)}
            </label>
          ))}
        </fieldset>
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close()}>{t('drive.cancel')}</Button>
        <Button kind="primary" disabled={saving} onClick={() => void save()}>
          {t('drive.filesSort.save')}
        </Button>
      </DialogFooter>
    </>
  )
}
