// What can be done in the folder that is shown: with what is selected, with the folder, and how items are opened.
import type { ItemRecord } from '@cloudoc/contract'
import type { Dispatch, RefObject, SetStateAction } from 'react'
import { useNavigate } from 'react-router'
import { useT } from '../../core/i18n/i18n.ts'
import { openWindow } from '../../core/windows/index.ts'
import { type Action, type ActionContext, evaluate, hidden } from '../actions/actions.ts'
import { clearClipboard, clip, useClipboard } from '../actions/clipboard.ts'
import { follow, makeLinks, makeLinksHere } from '../actions/links.ts'
import { copy, create, move, type NewKind, remove, removeForGood, tell } from '../actions/operations.ts'
import { folderPath, type ItemKey, isFolder, isLink, keyOf } from '../item/item.ts'
import { folderName, foresee, type useFolder } from '../lists/folder-data.ts'
import type { FolderList } from '../lists/folder-list.ts'
import { countOf, type Selection, selectedItems, selectOnly } from '../lists/selection.ts'
import { isPrintable, printFile } from '../preview/print.ts'
import { download, downloadCompressed } from '../transfer/download.ts'
import { inFolder } from './files-keys.ts'
import type { GridHandle } from './grid/file-grid.tsx'
import type { Able } from './menus.tsx'

/** Files to either side of the one that is previewed. */
const neighbours = 500

interface Shown {
  readonly folderId: number
  readonly info: ReturnType<typeof useFolder>
  readonly list: FolderList
  readonly context: ActionContext
  readonly grid: RefObject<GridHandle | null>
  readonly setSelection: Dispatch<SetStateAction<Selection>>
  readonly setEditing: (key: ItemKey) => void
  readonly onUpload: () => void
}

interface FolderActions {
  readonly openItem: (item: ItemRecord) => void
  readonly goUp: () => void
  readonly make: (kind: NewKind) => Promise<void>
  /** What may be done with these items and here, and how. */
  readonly ableWith: (selected: Selection, items: readonly ItemRecord[]) => Able
}

/** The actions of a folder page. */
export function useFolderActions(shown: Shown): FolderActions {
  const { folderId, info, list, context, grid, setSelection, setEditing, onUpload } = shown
  const t = useT()
  const navigate = useNavigate()
  const clipboard = useClipboard()
  const folder = info.data?.folder
  const here = folder === undefined ? [] : [folder]

  const asFile = (item: ItemRecord) => {
    const { fId, fName, fileSize } = item
    const may = (action: Action): boolean => evaluate(action, [item], context).enabled
    return { fId, fName, fileSize, canPreview: may('preview'), canDownload: may('download'), canPrint: may('print') }
  }

  const openItem = (item: ItemRecord): void => {
    if (isLink(item)) return void openLink(item)
    if (!isFolder(item)) return void preview(item)
    if (info.data !== undefined) {
      const { folder: above, ancestors } = info.data
      foresee({ folder: item, ancestors: above.fId < 0 ? [] : [...ancestors, above] })
    }
    void navigate(folderPath(item.fId))
  }

  const preview = async (item: ItemRecord): Promise<void> => {
    const at = list.indexOf(keyOf(item))
    const around = list.snapshot().items.slice(Math.max(0, at - neighbours), at + neighbours)
    const files = around.filter((one) => one !== undefined && !isFolder(one)) as ItemRecord[]
    const shown = await openWindow('previewer', {
      files: files.map(asFile),
      index: files.findIndex((one) => one.fId === item.fId),
    })
    const key: ItemKey = `f${shown?.fId ?? item.fId}`
    if (key !== keyOf(item)) setSelection(selectOnly([key]))
    requestAnimationFrame(() => grid.current?.reveal(key))
  }

  const openLink = async (item: ItemRecord): Promise<void> => {
    const target = await follow(item)
    if (target === undefined) return
    if (isFolder(target)) return void navigate(folderPath(target.fId))
    await openWindow('previewer', { files: [asFile(target)], index: 0 })
  }

  const arrange = async (): Promise<void> => {
    if (folder === undefined) return
    const { sort = 'name', order = 'asc' } = info.data ?? {}
    const saved = await openWindow('cloudoc-files-sort', { folderId, folderName: folderName(folder), sort, order })
    if (saved !== undefined) await info.refetch()
  }

  const goUp = (): void => {
    const ancestors = info.data?.ancestors ?? []
    const above = ancestors.at(-1)
    if (above !== undefined) void navigate(folderPath(above.fId, { fId: folderId, fType: 2 }))
    else if (folder !== undefined && folder.parentFolderId < 0) {
      void navigate(folderPath(folder.parentFolderId, { fId: folderId, fType: 2 }))
    }
  }

  const make = async (kind: NewKind): Promise<void> => {
    try {
      const taken = new Set(list.snapshot().items.map((item) => item?.fName.toLowerCase()))
      const made = await create(kind, folderId, (name) => taken.has(name.toLowerCase()))
      const key = keyOf(made)
      await list.settled()
      await list.locate(made)
      setSelection(selectOnly([key]))
      setEditing(key)
      requestAnimationFrame(() => grid.current?.reveal(key))
    } catch (error) {
      tell(error)
    }
  }

  const paste = async (): Promise<void> => {
    if (folder === undefined || clipboard.items.length === 0) return
    if (clipboard.mode === 'copy') return copy(clipboard.items, folder)
    clearClipboard()
    await move(clipboard.items, folder)
  }

  const moveTo = async (items: readonly ItemRecord[]): Promise<void> => {
    const target = await openWindow('drive-folder-pick', { title: t('drive.moveTo'), hint: '' })
    if (target !== undefined) await move(items, target)
  }

  const ableWith = (selected: Selection, items: readonly ItemRecord[]): Able => {
    const [first] = items
    const count = countOf(selected)
    const withAll = async (act: (all: readonly ItemRecord[]) => Promise<void> | void): Promise<void> => {
      try {
        const all = count === items.length ? items : await selectedItems(selected, list)
        if (all === undefined) tell(t('drive.notAllKnown'))
        else await act(all)
      } catch (error) {
        tell(error)
      }
    }
    return {
      verdict: (action) => {
        if (inFolder.includes(action)) return evaluate(action, here, context)
        if (action === 'print' && first !== undefined && !isPrintable(first.fName)) return hidden('wrongKind')
        return evaluate(action, items, context, count)
      },
      run: {
        open: () => first && openItem(first),
        preview: () => first && void preview(first),
        download: () => void withAll(download),
        downloadCompressed: () => first && void downloadCompressed(first).catch(tell),
        print: () => first && void printFile(first).catch(tell),
        copy: () => void withAll((all) => clip('copy', all)),
        cut: () => void withAll((all) => clip('cut', all)),
        move: () => void withAll(moveTo),
        link: () => void withAll(makeLinks),
        linkHere: () => folder && void makeLinksHere(folder),
        arrange: () => void arrange(),
        rename: () => first && setEditing(keyOf(first)),
        delete: () => void withAll(remove),
        deleteForGood: () => void withAll(async (all) => void (await removeForGood(all))),
        upload: onUpload,
        create: () => void make('folder'),
        paste: () => void paste(),
      },
    }
  }

  return { openItem, goUp, make, ableWith }
}
