// The rows of a list of items, and the sheet with the actions of one.
import type { ItemRecord } from '@cloudoc/contract'
import { formatSize, hasStatus, itemStatus, shortTime } from '@cloudoc/domain'
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router'
import { actionsIn } from '../core/area/area.ts'
import { useLocale, useT } from '../core/i18n/i18n.ts'
import { openWindow } from '../core/windows/index.ts'
import type { FolderPage } from '../drive/index.ts'
import { evaluate, rules } from '../items/actions/actions.ts'
import { type Able, type ItemAction, menuOf, verdictOf } from '../items/actions/item-action.tsx'
import { resolveLink } from '../items/actions/links.ts'
import { notifyFailure, rename } from '../items/actions/operations.ts'
import { previewFile } from '../items/actions/preview-file.ts'
import { explainRefusal } from '../items/actions/refusals.ts'
import { useActionContext } from '../items/actions/use-action-context.ts'
import { FileIcon, FolderIcon, folderIconState } from '../items/item/file-icon.tsx'
import { extOf, isFolder, isLink, keyOf } from '../items/item/item.ts'
import type { FolderList } from '../items/lists/folder-list.ts'
import { Button, IconButton } from '../kit/button.tsx'
import { CheckmarkCircle16Regular, LockClosed16Regular, MoreHorizontal24Regular } from '../kit/icons.ts'
import { Spinner } from '../kit/spinner.tsx'
import { StatePage } from '../kit/state-page.tsx'
import { canBeMarked, markedStore } from './offline/marked-copies.ts'
import { useOfflineEntries } from './offline/use-offline-entries.tsx'
import { MenuSheet, NameSheet } from './sheet.tsx'

interface ItemRowsProps {
  readonly list: FolderList
  /** The module whose actions the items have. */
  readonly module: string
  readonly folder?: ItemRecord | undefined
  readonly empty: ReactNode
  /** The order of the rows in words, shown with their number. */
  readonly counted?: string
}

/** Number of rows that are drawn before the user scrolls, and added with each scroll to the end. */
const step = 60

/** The address of a folder on the phone. */
export const folderAddress = ({ serverId, fId }: Pick<ItemRecord, 'serverId' | 'fId'>): string =>
  `/m/files/${serverId}/${fId}`

export function ItemRows({ list, module, folder, empty, counted }: ItemRowsProps): ReactNode {
  const t = useT()
  const state = useSyncExternalStore(list.subscribe, list.snapshot)
  const [shown, setShown] = useState(step)
  const [chosen, setChosen] = useState<ItemRecord>()
  const [renamed, setRenamed] = useState<ItemRecord>()
  const open = useOpen(list)
  useEffect(() => {
    setShown(step)
    void list.refresh()
  }, [list])
  useEffect(() => void list.ensure(0, shown), [list, shown, state.total])
  if (state.status === 'loading') return <Spinner />
  if (state.status === 'error')
    return (
      <StatePage title={t('mobile.failed')} text={state.error instanceof Error ? state.error.message : undefined}>
        <Button kind="primary" onClick={() => void list.refresh()}>
          {t('mobile.retry')}
        </Button>
      </StatePage>
    )
  if (state.total === 0) return empty
  const items = state.items.slice(0, shown).filter((item) => item !== undefined)
  return (
    <>
      {counted !== undefined && (
        <p className="m-count">
          <span>{t('mobile.items', { n: state.total })}</span>
          <span>{counted}</span>
        </p>
      )}
      <ul className="m-items">
        {items.map((item) => (
          <ItemRow key={keyOf(item)} item={item} onOpen={open} onMore={setChosen} />
        ))}
      </ul>
      {shown < state.total && <More onSeen={() => setShown(shown + step)} />}
      {chosen !== undefined && (
        <ItemSheet
          item={chosen}
          module={module}
          folder={folder}
          onOpen={open}
          onRename={setRenamed}
          onClose={() => setChosen(undefined)}
        />
      )}
      {renamed !== undefined && (
        <NameSheet
          title={t('mobile.rename')}
          label={t('mobile.newName')}
          button={t('mobile.rename')}
          start={renamed.fName}
          onName={(name) => rename(renamed, name)}
          onClose={() => setRenamed(undefined)}
        />
      )}
    </>
  )
}

/** Opens a folder, or previews a file among those that are loaded. */
function useOpen(list: FolderList): (item: ItemRecord) => void {
  const navigate = useNavigate()
  const context = useActionContext()
  const open = (item: ItemRecord): void => {
    if (isFolder(item)) return void navigate(folderAddress(item))
    const mayPreview = (one: ItemRecord): boolean =>
      !isFolder(one) && !isLink(one) && evaluate(rules.preview, [one], context).enabled
    const files = list
      .snapshot()
      .items.filter((one): one is ItemRecord => one !== undefined && (one.fId === item.fId || mayPreview(one)))
    void openWindow('previewer', {
      fileInfo: previewFile(item, context),
      fileList: files.map((one) => previewFile(one, context)),
    })
  }
  return (item) => {
    if (!isLink(item)) return open(item)
    resolveLink(item).then((target) => target && open(target), notifyFailure)
  }
}

interface ItemRowProps {
  readonly item: ItemRecord
  readonly onOpen: (item: ItemRecord) => void
  readonly onMore: (item: ItemRecord) => void
}

function ItemRow({ item, onOpen, onMore }: ItemRowProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const status = itemStatus(item.itemStatus)
  const [now] = useState(Date.now)
  const isKept = markedStore(({ files }) => canBeMarked(item) && files.some(({ fileId }) => fileId === item.fId))
  const words = [isFolder(item) ? '' : formatSize(item.fileSize), shortTime(item.modifyTime, now, locale)]
  return (
    <li>
      <button type="button" className="m-item" onClick={() => onOpen(item)}>
        <span className="m-item-icon">
          {isFolder(item) ? (
            <FolderIcon size={40} look={folderIconState(status)} />
          ) : (
            <FileIcon ext={extOf(item)} size={40} />
          )}
        </span>
        <span className="m-item-words">
          <span className="m-item-name">
            <span>{item.fName}</span>
            {isKept && <CheckmarkCircle16Regular className="m-kept" aria-label={t('mobile.offlineFiles')} role="img" />}
            {hasStatus(status, 'folderReadOnly') && <LockClosed16Regular />}
          </span>
          <small>
            {[...words, item.editorName || item.lastOperatorName].filter((word) => word !== '').join(' · ')}
          </small>
        </span>
      </button>
      <IconButton
        label={t('mobile.more', { name: item.fName })}
        icon={<MoreHorizontal24Regular />}
        aria-haspopup="dialog"
        onClick={() => onMore(item)}
      />
    </li>
  )
}

interface ItemSheetProps {
  readonly item: ItemRecord
  readonly module: string
  readonly folder: ItemRecord | undefined
  readonly onOpen: (item: ItemRecord) => void
  readonly onRename: (item: ItemRecord) => void
  readonly onClose: () => void
}

const nothing = (): void => undefined

/** What a list gives to actions; those of a folder have a sheet of their own on the phone. */
const pageOf = (open: (item: ItemRecord) => void, onRename: (item: ItemRecord) => void): FolderPage => ({
  ...{ open, preview: open, rename: onRename, make: nothing, makeWithLevel: nothing, arrange: nothing, goUp: nothing },
  ...{ show: nothing, togglePanel: nothing, typePath: nothing, filter: nothing },
  ...{ chooseFiles: nothing, chooseFolder: nothing, uploadWithLevel: nothing },
})

function ItemSheet({ item, module, folder, onOpen, onRename, onClose }: ItemSheetProps): ReactNode {
  const context = useActionContext()
  const navigate = useNavigate()
  const offlineEntries = useOfflineEntries(item)
  const locate = (one: ItemRecord): void =>
    void navigate(folderAddress({ serverId: one.serverId, fId: one.parentFolderId }))
  const page = { ...pageOf(onOpen, onRename), locate }
  const able: Able<typeof page> = {
    actions: actionsIn<ItemAction<typeof page>>(module),
    items: [item],
    verdict: (action) => verdictOf(action, { items: [item], count: 1, folder, context }),
    run: (action, by) => void action.run({ items: [item], withAll: (act) => void act([item]), folder, by, page }),
    explain: (action, reason) => explainRefusal({ action, reason, items: [item], selectOne: nothing, context }),
  }
  return <MenuSheet title={item.fName} entries={[...offlineEntries, ...menuOf(able, 'items')]} onClose={onClose} />
}

/** Loads more rows when it comes into view. */
function More({ onSeen }: { readonly onSeen: () => void }): ReactNode {
  const t = useT()
  const mark = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const watcher = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && onSeen())
    if (mark.current !== null) watcher.observe(mark.current)
    return () => watcher.disconnect()
  }, [onSeen])
  return (
    <button ref={mark} type="button" className="m-more" onClick={onSeen}>
      {t('mobile.loadMore')}
    </button>
  )
}
