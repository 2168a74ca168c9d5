// The files view: the path, the tools, the rows of one folder, and the keys of a desktop.
import { parseItemIdStr } from '@cloudoc/domain'
import { type ReactNode, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { useCommands } from '../../core/menu/commands.ts'
import { showMenu } from '../../core/menu/menu.ts'
import { Button } from '../../kit/button.tsx'
import { useDelayed } from '../../kit/use-delayed.ts'
import type { Action } from '../actions/actions.ts'
import { useClipboard } from '../actions/clipboard.ts'
import { rename } from '../actions/operations.ts'
import { useActionContext } from '../actions/use-action-context.ts'
import type { DropPlan } from '../drag/drag.ts'
import { DropOverlay } from '../drag/drop-overlay.tsx'
import { type ItemKey, keyOf } from '../item/item.ts'
import { folderName, useFolder, useRoots } from '../lists/folder-data.ts'
import type { Sorting, SortKey } from '../lists/folder-list.ts'
import { listOf, refreshDrive } from '../lists/lists.ts'
import { clearSelection, countOf, knownItems, type Selection } from '../lists/selection.ts'
import { FolderFailure, SkeletonRows } from '../lists/states.tsx'
import { chosenFiles } from '../transfer/engine/dropped-files.ts'
import { upload } from '../transfer/uploads.ts'
import { FileGrid, type GridHandle } from './grid/file-grid.tsx'
import { useGroups } from './grid/groups.tsx'
import { usePanel, useViewMode, viewModes } from './grid/view-mode.ts'
import { emptyMenu, rowMenu } from './menus.tsx'
import { Nothing } from './nothing.tsx'
import { InfoPanel } from './panel/info-panel.tsx'
import { PathBar } from './path/path-bar.tsx'
import { ToolsBar } from './tools-bar.tsx'
import { UploadFields, type UploadFieldsHandle } from './upload-fields.tsx'
import { useFolderActions } from './use-folder-actions.ts'
import { useFolderSelection } from './use-folder-selection.ts'
import { usePageKeys } from './use-page-keys.ts'
import { useStatus } from './use-status.ts'
import { useGrouped, useSorting, visits } from './view-memory.ts'

/** The page /doc/folder/files: the folder that the address names, or the person's own library. */
export function FilesView(): ReactNode {
  const [query] = useSearchParams()
  const named = parseItemIdStr(query.get('itemIdStr') ?? '')
  const roots = useRoots()
  const home = roots.data?.find((root) => root.kind === 'personal') ?? roots.data?.[0]
  const folderId = named?.fType === 2 ? named.fId : home?.fId
  const focus = query.get('focusItemIdStr') ?? ''
  if (folderId === undefined) {
    if (roots.error !== null) {
      return (
        <FolderFailure error={roots.error} onRetry={() => void roots.refetch()} onUp={() => void roots.refetch()} />
      )
    }
    return <div className="dr-files" />
  }
  return <FolderPage key={folderId} folderId={folderId} focusIds={focus} />
}

interface FolderPageProps {
  readonly folderId: number
  /** Items to select and scroll to, written ids with commas. */
  readonly focusIds: string
}

function FolderPage({ folderId, focusIds }: FolderPageProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const navigate = useNavigate()
  const context = useActionContext()
  const [keyword, setKeyword] = useState('')
  const [editing, setEditing] = useState<ItemKey>()
  const [dropPlan, setDropPlan] = useState<DropPlan>()
  const [view, setView] = useViewMode(folderId)
  const [panel, setPanel] = usePanel()
  const [editingPath, setEditingPath] = useState(false)
  const clipboard = useClipboard()
  const grid = useRef<GridHandle>(null)
  const root = useRef<HTMLElement>(null)
  const fields = useRef<UploadFieldsHandle>(null)

  const info = useFolder(folderId)
  const [sorting, setSorting] = useSorting(info.data)
  const folder = info.data?.folder
  const list = useMemo(
    () => listOf({ folderId, ...sorting, keyword, foldersOnly: false }),
    [folderId, sorting, keyword],
  )
  const state = useSyncExternalStore(list.subscribe, list.snapshot)
  useEffect(() => void list.refresh(), [list])
  const slow = useDelayed(state.status === 'loading')
  const now = useMinute()
  const [grouped, setGrouped] = useGrouped()
  const [selection, setSelection] = useFolderSelection({ folderId, list, state, focusIds, grid })
  const groups = useGroups(grouped, { folderId, ...sorting, keyword }, list, state, now)

  // A page that was just opened has the keyboard, unless somebody is typing elsewhere.
  const ready = state.status === 'ready' && folder !== undefined
  useEffect(() => {
    const active = document.activeElement
    if (ready && (active === null || active === document.body)) grid.current?.focus()
  }, [ready])

  // In the order of the rows as far as they are loaded; `state.items` because rows change under the same keys.
  const chosen = useMemo(
    () => (state.items.length === 0 ? [] : knownItems(selection, list)),
    [list, state.items, selection],
  )
  const cut = useMemo(
    () => new Set(clipboard.mode === 'cut' ? clipboard.items.map(keyOf) : []),
    [clipboard.mode, clipboard.items],
  )

  const { openItem, goUp, make, ableWith } = useFolderActions({
    folderId,
    info,
    list,
    context,
    grid,
    setSelection,
    setEditing,
    onUpload: () => fields.current?.chooseFiles('Button'),
  })
  useStatus(state.status === 'ready' ? { total: state.total, count: countOf(selection), chosen, clipboard } : undefined)

  const able = ableWith(selection, chosen)
  const { verdict, run } = able
  const { attempt, onKeyDown } = usePageKeys({
    root,
    able,
    chosen,
    folder,
    selection,
    setSelection,
    onUp: goUp,
    onView: setView,
    onPanel: () => setPanel(!panel),
    onPath: () => setEditingPath(true),
  })

  useCommands(() => {
    const actions: readonly Action[] = ['upload', 'create', 'paste', 'download', 'rename', 'move', 'delete']
    const possible = actions.filter((action) => verdict(action).enabled)
    return [
      ...possible.map((action) => ({ id: action, label: t(`drive.menu.${action}`), run: run[action] })),
      ...viewModes.map((mode, i) => ({
        id: mode,
        label: `${t('drive.view')}: ${t(`drive.view.${mode}`)}`,
        hint: `Alt+${i + 1}`,
        run: () => setView(mode),
      })),
      { id: 'panel', label: t('drive.info'), hint: 'Alt+P', run: () => setPanel(!panel) },
      { id: 'path', label: t('drive.path.type'), hint: 'Alt+D', run: () => setEditingPath(true) },
      { id: 'refresh', label: t('drive.menu.refresh'), hint: 'F5', run: refreshDrive },
    ]
  })

  const onMenu = (at: { x: number; y: number }, selected: Selection): void => {
    const entries =
      countOf(selected) > 0
        ? rowMenu(ableWith(selected, knownItems(selected, list)))
        : emptyMenu({
            verdict,
            run: { ...run, upload: () => fields.current?.chooseFiles('RightClick') },
            make: (kind) => void make(kind),
            uploadFolder: () => fields.current?.chooseFolder('RightClick'),
            refresh: refreshDrive,
          })
    void showMenu(entries, at)
  }

  const sortBy = (sort: SortKey): void => {
    const flipped: Sorting['order'] = sorting.order === 'asc' ? 'desc' : 'asc'
    const fresh = sort === 'name' || sort === 'type' ? 'asc' : 'desc'
    setSorting({ sort, order: sorting.sort === sort ? flipped : fresh })
  }

  const failed: unknown = info.error ?? (state.status === 'error' ? state.error : undefined) ?? undefined
  return (
    <div className="dr-page">
      <section
        className="dr-files"
        ref={root}
        aria-label={folder === undefined ? t('drive.files') : folderName(folder)}
        onKeyDown={onKeyDown}
        onPaste={(event) => {
          if (event.target instanceof HTMLInputElement || folder === undefined) return
          if (event.clipboardData.files.length === 0 || !verdict('upload').enabled) return
          void upload(chosenFiles(event.clipboardData.files), { folderId, folderName: folderName(folder) }, 'Paste')
        }}
      >
        <PathBar
          info={info.data}
          lost={failed !== undefined}
          total={state.total}
          known={state.status === 'ready'}
          context={context}
          onUp={goUp}
          view={view}
          onView={setView}
          panel={panel}
          onPanel={() => setPanel(!panel)}
          editing={editingPath}
          onEditing={(next) => {
            setEditingPath(next)
            if (!next) grid.current?.focus()
          }}
        />
        {failed === undefined && (
          <ToolsBar
            verdict={verdict}
            run={run}
            chosen={chosen}
            count={countOf(selection)}
            onMake={(kind) => void make(kind)}
            onUploadFolder={() => fields.current?.chooseFolder('Button')}
            onClear={() => {
              setSelection(clearSelection(selection))
              grid.current?.focus()
            }}
            sorting={sorting}
            onSorting={setSorting}
            grouped={grouped}
            onGrouped={setGrouped}
            keyword={keyword}
            onKeyword={setKeyword}
            onLeaveFilter={() => grid.current?.focus()}
          />
        )}
        <UploadFields ref={fields} target={folder && { folderId, folderName: folderName(folder) }} />
        <div className="dr-list">
          {failed !== undefined ? (
            <FolderFailure
              error={failed}
              onRetry={() => {
                void info.refetch()
                void list.refresh()
              }}
              onUp={() => void navigate('/doc/folder/files')}
            />
          ) : state.status !== 'ready' || folder === undefined ? (
            slow && <SkeletonRows count={8} />
          ) : (
            <>
              {state.error !== undefined && (
                <p className="dr-stale">
                  {t('drive.state.stale')}
                  <Button kind="link" size="small" onClick={() => void list.refresh()}>
                    {t('drive.retry')}
                  </Button>
                </p>
              )}
              <FileGrid
                ref={grid}
                list={list}
                state={state}
                folder={folder}
                view={view}
                sorting={sorting}
                onSort={sortBy}
                groups={groups}
                selection={selection}
                onSelect={setSelection}
                editing={editing}
                onRenameKey={() => attempt('rename')}
                onRename={rename}
                onEditEnd={() => {
                  setEditing(undefined)
                  grid.current?.focus()
                }}
                cut={cut}
                context={context}
                locale={locale}
                now={now}
                onOpen={openItem}
                onMenu={onMenu}
                onDropPlan={setDropPlan}
                initialScroll={visits.get(folderId)?.scroll ?? 0}
                onScroll={(scroll) => visits.set(folderId, { ...visits.get(folderId), scroll })}
                label={folderName(folder)}
              />
              {state.total === 0 && <Nothing keyword={keyword} verdict={verdict} run={run} onKeyword={setKeyword} />}
            </>
          )}
          <DropOverlay plan={dropPlan} here={folder} path={info.data} />
        </div>
      </section>
      {panel && failed === undefined && info.data !== undefined && (
        <InfoPanel
          chosen={chosen}
          count={countOf(selection)}
          here={info.data}
          context={context}
          now={now}
          onClose={() => {
            setPanel(false)
            grid.current?.focus()
          }}
        />
      )}
    </div>
  )
}

/** The present minute, which the times of the rows are told by. */
function useMinute(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
