// What a page offers to the actions of its list whose items lie in different places.
import type { ItemRecord } from '@cloudoc/contract'
import { factsOfRecord } from '@cloudoc/contract/facts'
import { denial, gates } from '@cloudoc/domain'
import type { RefObject } from 'react'
import { useNavigate } from 'react-router'
import { openWindow } from '../../../core/windows/index.ts'
import { type ActionContext, evaluate, rules } from '../../../items/actions/actions.ts'
import { folderPath, isFolder } from '../../../items/item/item.ts'

export interface FlatListPage {
  /** Goes into a folder; shows a file, or where it is to whoever may not look at it. */
  readonly open: (item: ItemRecord) => void
  readonly preview: (item: ItemRecord) => void
  /** To the folder that it is in. */
  readonly locate: (item: ItemRecord) => void
  /** To the field of the filter. */
  readonly filter: () => void
}

/** What the page does with its items. */
export function useFlatListPage(context: ActionContext, root?: RefObject<HTMLElement | null>): FlatListPage {
  const navigate = useNavigate()
  const locate = (item: ItemRecord): void => {
    const query = new URLSearchParams({ itemIdStr: item.itemIdStr })
    void navigate(item.parentFolderId > 0 ? folderPath(item.parentFolderId, item) : `/doc/folder/files?${query}`)
  }
  const preview = (item: ItemRecord): void => {
    const { fId, fName, fileSize } = item
    const may = (rule: 'preview' | 'download' | 'print'): boolean => evaluate(rules[rule], [item], context).enabled
    const file = {
      fId,
      fName,
      fileSize,
      canPreview: may('preview'),
      canDownload: may('download'),
      canPrint: may('print'),
    }
    void openWindow('previewer', { files: [file], index: 0 })
  }
  return {
    open(item) {
      if (isFolder(item)) void navigate(folderPath(item.fId))
      else if (denial(gates.preview, factsOfRecord(item, context)) === undefined) preview(item)
      else locate(item)
    },
    preview,
    locate,
    filter: () => root?.current?.querySelector<HTMLInputElement>('.dr-filter input')?.focus(),
  }
}
