// The files view: the path, the toolbar, the rows of one folder, and desktop-style keyboard control.
import type { ItemRecord } from '@cloudoc/contract'
import { formatItemIdStr } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ClipboardEvent, type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { Navigate, useNavigate, useSearchParams } from 'react-router'
import { api, mainServer, refusal } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { useLinkedServers } from '../../core/session/linked-servers.ts'
import { useClipboard } from '../../items/actions/clipboard.ts'
import { rename } from '../../items/actions/operations.ts'
import { useActionContext } from '../../items/actions/use-action-context.ts'
import {
  asFolder,
  type FilesAddress,
  folderPath,
  keyOf,
  panelQuery,
  parentOf,
  readFilesAddress,
} from '../../items/item/item.ts'
import type { Sorting, SortKey } from '../../items/lists/folder-list.ts'
import { folderName, useFolder, useRoots } from '../../items/lists/folder-queries.ts'
import { FolderFailure, PendingRows } from '../../items/lists/list-states.tsx'
import { recordRecent } from '../../items/lists/recents.ts'
import { clearSelection } from '../../items/lists/selection.ts'
import { Button } from '../../kit/button.tsx'
import { chosenFiles } from '../../transfer/engine/dropped-files.ts'
import { type UploadFields as UploadFieldsHandle, uploadFiles } from '../../transfer/tasks/menu.tsx'
import { upload } from '../../transfer/tasks/uploads.ts'
import { RecentWork } from '../recent/resume.tsx'
import { EmptyFolder } from './empty-folder.tsx'
import { ItemList } from './grid/item-list.tsx'
import type { ListSource } from './grid/list-source.ts'
import { useListActions } from './grid/use-list-actions.ts'
import { useListStatus } from './grid/use-list-status.ts'
import { usePanel, useViewMode } from './grid/view-mode.ts'
import type { FolderPage } from './menu.tsx'
import { InfoPanel } from './panel/info-panel.tsx'
import { PathBar } from './path/path-bar.tsx'
import { SignInFirst } from './path/sign-in-first.tsx'
import { ToolsBar } from './tools-bar.tsx'
import { UploadFields } from './upload-fields.tsx'
import { useFolderPage } from './use-folder-page.ts'
import { useFolderRows } from './use-folder-rows.ts'
import { useGrouped, useSorting } from './view-memory.ts'

/** The page /doc/folder/files: the folder in the address, or the user's own library. */
export function FilesView(): ReactNode {
  const [query] = useSearchParams()
  const named = readFilesAddress(query)
  const roots = useRoots()
  const home = roots.data?.find((root) => root.kind === 'personal' && !root.colleague) ?? roots.data?.[0]
  const server = useLinkedServers().find(({ serverId }) => serverId === (named.folder ?? named.items[0])?.serverId)
  if (server !== undefined && (server.session === 'signedOut' || server.session === 'noAccount'))
    return <SignInFirst server={server} />
  if (named.items.length > 0) return <ItemsAddress items={named.items} comments={named.comments} />
  const folder = named.folder ?? (home && { ...mainServer, fId: home.fId })
  if (folder === undefined) {
    if (roots.error !== null) {
      return (
        <FolderFailure error={roots.error} onRetry={() => void roots.refetch()} onUp={() => void roots.refetch()} />
      )
    }
    return <PendingRows />
  }
  return (
    <FolderView
      key={keyOf(asFolder(folder))}
      serverId={folder.serverId}
      folderId={folder.fId}
      focusIds={named.focus}
      comments={named.comments}
      isStart={named.folder === undefined}
    />
  )
}

/** Looks up the folder of the items and navigates there. */
function ItemsAddress(address: Pick<FilesAddress, 'items' | 'comments'>): ReactNode {
  const { items, comments } = address
  const navigate = useNavigate()
  const itemIdStrs = items.map(formatItemIdStr).join(',')
  const { data, error, refetch } = useQuery({
    queryKey: ['drive', 'address', itemIdStrs],
    queryFn: async () => {
      // Of items of several servers, those of the first one are shown.
      const { serverId } = items[0] ?? mainServer
      const own = items.filter((item) => item.serverId === serverId)
      const { list } = await api
        .of({ serverId })
        .getItemListByItemIdStr({ itemIdStrs: own.map(formatItemIdStr).join(',') })
      const [first] = list
      if (first === undefined) throw refusal('getItemListByItemIdStr', 'notFound')
      return folderPath(parentOf(first), ...list.filter((item) => item.parentFolderId === first.parentFolderId))
    },
    retry: false,
  })
  if (data !== undefined) return <Navigate to={comments ? `${data}&${panelQuery}=comments` : data} replace />
  if (error === null) return <PendingRows />
  return <FolderFailure error={error} onRetry={() => void refetch()} onUp={() => void navigate('/doc/folder/files')} />
}

interface FolderViewProps {
  readonly serverId: number
  readonly folderId: number
  /** Items to select and scroll to: item ids as text, separated by commas. */
  readonly focusIds: string
  /** The address opens the comments of these items, or of the folder. */
  readonly comments: boolean
  /** The address names no folder, so this is the start folder. */
  readonly isStart: boolean
}

/** Milliseconds that the user stays in a folder before it counts as opened. */
const openedAfterMs = 3000

/** A click on the heading of a column: sorts by it, or the other way round. */
function sortedBy(sorting: Sorting, sort: SortKey): Sorting {
  const flipped: Sorting['order'] = sorting.order === 'asc' ? 'desc' : 'asc'
  const fresh = sort === 'name' || sort === 'type' ? 'asc' : 'desc'
  return { sort, order: sorting.sort === sort ? flipped : fresh }
}

interface OthersProps {
  readonly count: number
  readonly onList: () => void
}

/** How many files the gallery leaves out. */
function GalleryOthers({ count, onList }: OthersProps): ReactNode {
  const t = useT()
  return (
    <p className="dr-gallery-others" role="status">
      {t('drive.gallery.others', { n: count })}
      <Button kind="link" size="small" onClick={onList}>
        {t('drive.gallery.inList')}
      </Button>
    </p>
  )
}

/** The info panel. An address that names comments opens it. */
function useOpenedPanel(comments: boolean, focusIds: string): ReturnType<typeof usePanel> {
  const [panel, setPanel] = usePanel()
  const openPanel = useEffectEvent(() => setPanel(true))
  useEffect(() => {
    if (comments) openPanel()
  }, [comments, focusIds])
  return [panel, setPanel]
}

interface ShownFolder {
  readonly serverId: number
  readonly folderId: number
  readonly folder: ItemRecord | undefined
}

/** Records the folder as visited: at once among the recent places, and on the server once the user has stayed in it. */
function useOpenedNote({ serverId, folderId, folder }: ShownFolder): void {
  useEffect(() => {
    if (folder !== undefined) recordRecent('places', folder)
  }, [folder])
  const isPlace = folder !== undefined && folder.fId > 0 && folder.parentFolderId >= 0
  useEffect(() => {
    if (!isPlace) return
    const note = (): unknown =>
      api
        .of({ serverId })
        .noteOpened({ folderIdArray: [folderId] }, { quiet: true })
        .catch(() => undefined)
    const timer = setTimeout(note, openedAfterMs)
    return () => clearTimeout(timer)
  }, [isPlace, serverId, folderId])
}

function FolderView({ serverId, folderId, focusIds, comments, isStart }: FolderViewProps): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const [keyword, setKeyword] = useState('')
  // The view of a linked folder is that of the last choice.
  const [view, setView] = useViewMode(serverId === mainServer.serverId ? folderId : 0)
  const [panel, setPanel] = useOpenedPanel(comments, focusIds)
  const [editingPath, setEditingPath] = useState(false)
  const [grouped, setGrouped] = useGrouped()
  const clipboard = useClipboard()
  const root = useRef<HTMLElement>(null)
  const fields = useRef<UploadFieldsHandle>(null)

  const info = useFolder({ serverId, fId: folderId })
  const folder = info.data?.folder
  const name = folder === undefined ? t('drive.files') : folderName(folder)
  const [sorting, setSorting] = useSorting(info.data)
  const listed = useFolderRows({ serverId, folderId, focusIds, view, grouped, keyword, sorting })
  const { list, rows, kept, found, groups, others } = listed
  const { state, selection, setSelection, chosen, count, grid, now } = rows
  const context = useActionContext()
  const page = useFolderPage({ shownFolder: { serverId, fId: folderId }, info, list, rows, context })
  const source: ListSource = {
    rows: list,
    module: 'files',
    label: name,
    folder,
    sorting,
    onSort: (sort) => setSorting(sortedBy(sorting, sort)),
    groups,
    view,
    onOpen: page.open,
    onRename: rename,
    ...kept,
  }
  const actions = useListActions<FolderPage>({
    source,
    rows,
    root,
    context,
    page: {
      ...page,
      chooseFiles: (by) => fields.current?.chooseFiles(by),
      uploadWithLevel: (by) => fields.current?.chooseFiles(by, true),
      chooseFolder: (by) => fields.current?.chooseFolder(by),
      show: setView,
      togglePanel: () => setPanel(!panel),
      typePath: () => setEditingPath(true),
      filter: () => root.current?.querySelector<HTMLInputElement>('.dr-filter input')?.focus(),
    },
  })
  const { able } = actions
  // A newly opened page takes the focus, unless the user is typing elsewhere.
  const ready = state.status === 'ready' && folder !== undefined
  useEffect(() => {
    const active = document.activeElement
    if (ready && (active === null || active === document.body)) grid.current?.focus()
  }, [ready, grid])
  useListStatus(state.status === 'ready' ? { ...found, count, chosen, clipboard } : undefined)
  const cut = useMemo(
    () => new Set(clipboard.mode === 'cut' ? clipboard.items.map(keyOf) : []),
    [clipboard.mode, clipboard.items],
  )

  useOpenedNote({ serverId, folderId, folder })

  const onPaste = (event: ClipboardEvent): void => {
    if (event.target instanceof HTMLInputElement || folder === undefined) return
    if (event.clipboardData.files.length === 0 || !able.verdict(uploadFiles).enabled) return
    void upload(chosenFiles(event.clipboardData.files), { serverId, folderId, folderName: name }, 'Paste')
  }
  const focusGrid = (): void => grid.current?.focus()
  const failed = (info.error ?? (state.status === 'error' ? state.error : undefined) ?? undefined) !== undefined
  return (
    <div className="dr-page">
      <section className="dr-files" ref={root} aria-label={name} onKeyDown={actions.onKeyDown} onPaste={onPaste}>
        <PathBar
          serverId={serverId}
          info={info.data}
          lost={failed}
          found={found}
          known={state.status === 'ready'}
          context={context}
          onUp={page.goUp}
          view={view}
          onView={setView}
          panel={panel}
          onPanel={() => setPanel(!panel)}
          editing={editingPath}
          onEditing={(next) => {
            setEditingPath(next)
            if (!next) focusGrid()
          }}
        />
        {!failed && (
          <ToolsBar
            able={able}
            count={count}
            onClear={() => {
              setSelection(clearSelection(selection))
              focusGrid()
            }}
            sorting={sorting}
            onSorting={setSorting}
            grouped={grouped}
            onGrouped={setGrouped}
            keyword={keyword}
            onKeyword={setKeyword}
            onLeaveFilter={focusGrid}
          />
        )}
        {isStart && !failed && keyword === '' && <RecentWork mayClose />}
        {others > 0 && !failed && <GalleryOthers count={others} onList={() => setView('list')} />}
        <UploadFields ref={fields} target={folder && { serverId, folderId, folderName: name }} />
        <ItemList
          source={source}
          rows={rows}
          actions={actions}
          context={context}
          path={info.data}
          failed={info.error ?? undefined}
          waits={folder === undefined}
          onRetry={() => {
            void info.refetch()
            void list.refresh()
          }}
          onLeave={() => void navigate('/doc/folder/files')}
          onNamed={(isConfirmed) => {
            const [item] = chosen
            // A newly created file opens for editing after its name is confirmed.
            if (page.wasFresh(item && keyOf(item)) && isConfirmed) actions.attempt('edit')
          }}
          cut={cut}
          empty={<EmptyFolder keyword={keyword} isGallery={others > 0} able={able} onKeyword={setKeyword} />}
        />
      </section>
      {panel && !failed && info.data !== undefined && (
        <InfoPanel
          chosen={chosen}
          count={count}
          here={info.data}
          context={context}
          now={now}
          first={comments ? 'comments' : 'details'}
          onClose={() => {
            setPanel(false)
            focusGrid()
          }}
        />
      )}
    </div>
  )
}
