// The interface that a page offers to the actions of its list, for lists whose items lie in different folders.

import type { ItemRecord } from '@cloudoc/contract'
import { factsOfRecord } from '@cloudoc/contract/facts'
import { denial, gates } from '@cloudoc/domain'
import type { RefObject } from 'react'
import { useNavigate } from 'react-router'
import { openWindow } from '../../../core/windows/index.ts'
import { type ActionContext, personFor } from '../../../items/actions/actions.ts'
import { previewFile } from '../../../items/actions/preview-file.ts'
import { folderPath, isFolder, parentOf } from '../../../items/item/item.ts'

export interface FlatListPage {
  /** Opens a folder or previews a file. If the user may not preview the file, goes to its folder. */
  readonly open: (item: ItemRecord) => void
  readonly preview: (item: ItemRecord) => void
  /** Opens the folder that contains the item. */
  readonly locate: (item: ItemRecord) => void
  /** Moves the focus to the filter field. */
  readonly filter: () => void
}

/** Returns the operations of the page on its items. */
export function useFlatListPage(context: ActionContext, root?: RefObject<HTMLElement | null>): FlatListPage {
  const navigate = useNavigate()
  const locate = (item: ItemRecord): void => {
    const query = new URLSearchParams({ itemIdStr: item.itemIdStr })
    void navigate(item.parentFolderId > 0 ? folderPath(parentOf(item), item) : `/doc/folder/files?${query}`)
  }
  const preview = (item: ItemRecord): void => void openWindow('previewer', { fileInfo: previewFile(item, context) })
  return {
    open(item) {
      if (isFolder(item)) void navigate(folderPath(item))
      else if (denial(gates.preview, factsOfRecord(item, personFor(item, context))) === undefined) preview(item)
      else locate(item)
    },
    preview,
    locate,
    filter: () => root?.current?.querySelector<HTMLInputElement>('.dr-filter input')?.focus(),
  }
}
