// The text of the status bar for a list: the number of items, the selection, and the clipboard.
import type { ItemRecord } from '@cloudoc/contract'
import { formatSize } from '@cloudoc/domain'
import { useEffect } from 'react'
import { useT } from '../../../core/i18n/i18n.ts'
import { statusStore } from '../../../core/page/status.ts'
import { type ItemCount, itemCountText } from '../../../items/lists/item-count.ts'

interface ListStatus extends ItemCount {
  readonly count: number
  readonly chosen: readonly ItemRecord[]
  readonly clipboard?: { readonly mode: 'cut' | 'copy'; readonly items: readonly unknown[] }
}

/** Shows the status of a list in the status bar until the page is left. */
export function useListStatus(told: ListStatus | undefined): void {
  const t = useT()
  const bytes = told?.chosen.reduce((sum, item) => sum + (item.fType === 1 ? item.fileSize : 0), 0) ?? 0
  const parts =
    told === undefined
      ? []
      : [
          itemCountText(told, t),
          told.count > 0 && t('drive.chosen', { n: told.count }),
          told.count > 0 && told.count === told.chosen.length && bytes > 0 && formatSize(bytes),
          told.clipboard !== undefined &&
            told.clipboard.items.length > 0 &&
            t(`drive.clipped.${told.clipboard.mode}`, { n: told.clipboard.items.length }),
        ].filter((part) => typeof part === 'string')
  const line = parts.join('\n')
  useEffect(() => {
    statusStore.setState({ parts: line === '' ? [] : line.split('\n') })
  }, [line])
  useEffect(() => () => statusStore.setState({ parts: [] }), [])
}
