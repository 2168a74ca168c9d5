// The interface that the page of a folder offers to the actions of its list: opening, creating, renaming, and going up.

import type { ItemRecord } from '@cloudoc/contract'
import { extNameOf, viewerOf } from '@cloudoc/domain'
import { useRef } from 'react'
import { useNavigate } from 'react-router'
import { t } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { withProgressToast } from '../../core/toast/progress-toast.ts'
import { openWindow } from '../../core/windows/index.ts'
import { type ActionContext, evaluate, rules } from '../../items/actions/actions.ts'
import { resolveLink } from '../../items/actions/links.ts'
import { create, type NewKind, notifyFailure } from '../../items/actions/operations.ts'
import { previewFile } from '../../items/actions/preview-file.ts'
import {
  asFolder,
  type FolderRef,
  folderPath,
  type ItemKey,
  isFolder,
  isLink,
  keyOf,
  parentOf,
} from '../../items/item/item.ts'
import type { FolderList } from '../../items/lists/folder-list.ts'
import { folderName, primeFolder, type useFolder } from '../../items/lists/folder-queries.ts'
import { selectOnly } from '../../items/lists/selection.ts'
import type { ListRows } from './grid/use-list-rows.ts'
import type { FolderPage } from './menu.tsx'

/** The number of files before and after the previewed one that the previewer can step through. */
const neighbours = 500

interface Shown {
  readonly shownFolder: FolderRef
  readonly info: ReturnType<typeof useFolder>
  readonly list: FolderList
  readonly rows: Pick<ListRows, 'grid' | 'setSelection' | 'setEditing'>
  readonly context: ActionContext
}

/** Returns the operations of the page on the folder and its items. */
export function useFolderPage(shown: Shown): Pick<
  FolderPage,
  'open' | 'preview' | 'rename' | 'make' | 'makeWithLevel' | 'arrange' | 'goUp'
> & {
  /** Whether the renamed file was just created. True only on the first call. */
  readonly wasFresh: (key: ItemKey | undefined) => boolean
} {
  const { shownFolder, info, list, rows, context } = shown
  const { grid, setSelection, setEditing } = rows
  const navigate = useNavigate()
  const { preview_format, setting } = useSession().serverSetting
  const hasOffice = setting.preview === 1 && setting.preview_context !== ''
  const folder = info.data?.folder

  const asFile = (item: ItemRecord) => previewFile(item, context)

  const isShown = (item: ItemRecord): boolean =>
    !isFolder(item) &&
    !isLink(item) &&
    evaluate(rules.preview, [item], context).enabled &&
    viewerOf(extNameOf(item.fName), preview_format, hasOffice) !== undefined

  const open = (item: ItemRecord): void => {
    if (isLink(item)) return void openLink(item)
    if (!isFolder(item)) return void preview(item)
    if (info.data !== undefined) {
      const { folder: above, ancestors } = info.data
      primeFolder({ folder: item, ancestors: above.fId < 0 ? [] : [...ancestors, above] })
    }
    void navigate(folderPath(item))
  }

  const preview = async (item: ItemRecord): Promise<void> => {
    const at = list.indexOf(keyOf(item))
    const around = list.snapshot().items.slice(Math.max(0, at - neighbours), at + neighbours)
    // The previewer can step to the neighbouring files that can be previewed ([R164]).
    const files = around.filter((one) => one?.fId === item.fId || (one !== undefined && isShown(one))) as ItemRecord[]
    const seen = await openWindow('previewer', {
      fileInfo: asFile(item),
      fileList: files.map(asFile),
    })
    const key = keyOf(files.find((one) => one.fId === seen?.fId) ?? item)
    if (key !== keyOf(item)) setSelection(selectOnly([key]))
    requestAnimationFrame(() => grid.current?.reveal(key))
  }

  const openLink = async (item: ItemRecord): Promise<void> => {
    const target = await resolveLink(item)
    if (target === undefined) return
    if (isFolder(target)) return void navigate(folderPath(target))
    await openWindow('previewer', { fileInfo: asFile(target) })
  }

  const arrange = async (): Promise<void> => {
    if (folder === undefined) return
    const { sort = 'name', order = 'asc' } = info.data ?? {}
    const saved = await openWindow('cloudoc-files-sort', {
      ...shownFolder,
      folderName: folderName(folder),
      sort,
      order,
    })
    if (saved !== undefined) await info.refetch()
  }

  /** The file that was just created and is being named. */
  const fresh = useRef<ItemKey>(undefined)
  /**
   * True while an item is being created. It prevents a second creation when the user repeats the command on a slow
   * server.
   */
  const isMaking = useRef(false)
  const make = async (kind: NewKind, choice: object = {}): Promise<void> => {
    if (isMaking.current) return
    isMaking.current = true
    try {
      const taken = new Set(list.snapshot().items.map((item) => item?.fName.toLowerCase()))
      const making = create(kind, shownFolder, (name) => taken.has(name.toLowerCase()), choice)
      const made = await withProgressToast('drive.making', t('drive.making'), making)
      const key = keyOf(made)
      fresh.current = made.fType === 1 ? key : undefined
      if (list.indexOf(key) < 0) {
        await list.settled()
        await list.locate(made)
      }
      setSelection(selectOnly([key]))
      setEditing(key)
      requestAnimationFrame(() => grid.current?.reveal(key))
    } catch (error) {
      notifyFailure(error)
    } finally {
      isMaking.current = false
    }
  }

  const makeWithLevel = async (): Promise<void> => {
    const answer = await openWindow('cloudoc-secret', { make: true })
    if (answer?.kind !== undefined) await make(answer.kind, answer.choices[0])
  }

  return {
    open,
    preview: (item) => void preview(item),
    rename: (item) => setEditing(keyOf(item)),
    make: (kind) => void make(kind),
    wasFresh(key) {
      const isFresh = key !== undefined && fresh.current === key
      fresh.current = undefined
      return isFresh
    },
    makeWithLevel: () => void makeWithLevel(),
    arrange: () => void arrange(),
    goUp() {
      const ancestors = info.data?.ancestors ?? []
      const above = ancestors.at(-1)
      if (above !== undefined) void navigate(folderPath(above, asFolder(shownFolder)))
      else if (folder !== undefined && folder.parentFolderId < 0) {
        void navigate(folderPath(parentOf(folder), asFolder(shownFolder)))
      }
    },
  }
}
