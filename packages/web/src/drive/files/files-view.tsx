// The files view: the path, the tools, the rows of one folder, and the keys of a desktop.
import type { ItemRecord } from '@cloudoc/contract'
import { parseItemIdStr } from '@cloudoc/domain'
import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useCommands } from '../../core/commands.ts'
import { useLocale, useT } from '../../core/i18n.ts'
import { showMenu } from '../../core/menu.ts'
import { openWindow } from '../../core/window-manager/index.ts'
import { Button } from '../../kit/button.tsx'
import { type Action, evaluate, hidden } from '../actions.ts'
import { clearClipboard, clip, useClipboard } from '../clipboard.ts'
import type { DropPlan } from '../drag.ts'
import { folderPath, type ItemKey, isFolder, isLink, keyOf } from '../item.ts'
import { follow, makeLinks, makeLinksHere } from '../links.ts'
import { listOf, refreshDrive } from '../lists.ts'
import { copy, create, move, type NewKind, remove, removeForGood, rename, tell } from '../operations.ts'
import { isPrintable, printFile } from '../preview/print.ts'
import { tellRefusal } from '../refusals.ts'
import { download } from '../transfer/download.ts'
import { chosenFiles } from '../transfer/dropped-files.ts'
import { upload } from '../transfer/uploads.ts'
import { redoLast, undoLast } from '../undo.ts'
import { useActionContext } from '../use-action-context.ts'
import { useDelayed } from '../use-delayed.ts'
import { DropOverlay } from './drop-overlay.tsx'
import { FileGrid, type GridHandle } from './file-grid.tsx'
import { actionOf, inFolder, isTyping, type KeyAction, pageActions } from './files-keys.ts'
import { folderName, foresee, useFolder, useRoots } from './folder-data.ts'
import type { Sorting, SortKey } from './folder-list.ts'
import { useGroups } from './groups.tsx'
import { InfoPanel } from './info-panel.tsx'
import { type Able, emptyMenu, rowMenu } from './menus.tsx'
import { Nothing } from './nothing.tsx'
import { PathBar } from './path-bar.tsx'
import {
  afterEdit,
  afterRemoval,
  clearSelection,
  countOf,
  knownItems,
  nothingSelected,
  orderOf,
  type Selection,
  selectedItems,
  selectOnly,
} from './selection.ts'
import { FolderFailure, SkeletonRows } from './states.tsx'
import { ToolsBar } from './tools-bar.tsx'
import { useStatus } from './use-status.ts'
import { useGrouped, useSorting, visits } from './view-memory.ts'
import { usePanel, useViewMode, viewModes } from './view-mode.ts'

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

/** Files to either side of the one that is previewed. */
const neighbours = 500

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
  const [selection, setSelection] = useState<Selection>(() => visits.get(folderId)?.selection ?? nothingSelected)
  const [editing, setEditing] = useState<ItemKey>()
  const [dropPlan, setDropPlan] = useState<DropPlan>()
  const [view, setView] = useViewMode(folderId)
  const [panel, setPanel] = usePanel()
  const [editingPath, setEditingPath] = useState(false)
  const clipboard = useClipboard()
  const grid = useRef<GridHandle>(null)
  const root = useRef<HTMLElement>(null)
  const filePicker = useRef<HTMLInputElement>(null)
  const folderPicker = useRef<HTMLInputElement>(null)
  /** Where the upload was asked for whose files are being chosen. */
  const askedBy = useRef<'Button' | 'RightClick'>('Button')

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
  const groups = useGroups(grouped, { folderId, ...sorting, keyword }, list, state, now)

  // Rows that left are no longer selected; the keyboard goes to what took their place.
  const focusIndex = useRef(0)
  useEffect(() => {
    const index = selection.focus === undefined ? -1 : list.indexOf(selection.focus)
    if (index >= 0) focusIndex.current = index
  }, [list, selection.focus, state.items])
  useEffect(() => {
    if (state.status === 'ready') setSelection((before) => afterRemoval(before, orderOf(list), focusIndex.current))
  }, [list, state.status, state.items])
  // What is selected and not loaded is known by position in this very order.
  useEffect(() => {
    const leave = list.follow((edit) => setSelection((before) => afterEdit(before, edit, list)))
    return () => {
      leave()
      setSelection((before) => (before.spans.length === 0 ? before : selectOnly([...before.keys])))
    }
  }, [list])
  useEffect(() => {
    visits.set(folderId, { ...visits.get(folderId), selection })
  }, [folderId, selection])

  // An address may name items to select: they are looked for in the whole folder.
  useEffect(() => {
    const wanted = focusIds.split(',').flatMap((text) => parseItemIdStr(text) ?? [])
    if (wanted.length === 0) return
    let gone = false
    const keys = wanted.map(keyOf)
    void (async () => {
      for (const item of wanted) await list.locate(item)
      const found = keys.filter((key) => list.get(key) !== undefined)
      const [first] = found
      if (gone || first === undefined) return
      setSelection(selectOnly(found))
      requestAnimationFrame(() => grid.current?.reveal(first))
    })()
    return () => {
      gone = true
    }
  }, [list, focusIds])

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
  const here = folder === undefined ? [] : [folder]

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
      files: files.map((one) => ({
        fId: one.fId,
        fName: one.fName,
        fileSize: one.fileSize,
        canPreview: evaluate('preview', [one], context).enabled,
        canDownload: evaluate('download', [one], context).enabled,
        canPrint: evaluate('print', [one], context).enabled,
      })),
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
    const { fId, fName, fileSize } = target
    const may = (action: Action): boolean => evaluate(action, [target], context).enabled
    const able = { canPreview: may('preview'), canDownload: may('download'), canPrint: may('print') }
    const file = { fId, fName, fileSize, ...able }
    await openWindow('previewer', { files: [file], index: 0 })
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

  useStatus(state.status === 'ready' ? { total: state.total, count: countOf(selection), chosen, clipboard } : undefined)

  const choose = (picker: HTMLInputElement | null, by: 'Button' | 'RightClick'): void => {
    askedBy.current = by
    picker?.click()
  }

  /** What may be done with what is selected and here, and how. */
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
        upload: () => choose(filePicker.current, 'Button'),
        create: () => void make('folder'),
        paste: () => void paste(),
      },
    }
  }
  const able = ableWith(selection, chosen)
  const { verdict, run } = able

  const onlyOne = selection.focus === undefined ? [...selection.keys].slice(0, 1) : [selection.focus]
  /** Runs what a key asks for, or says why not. */
  const attempt = (action: Action): void => {
    const { enabled, reason } = verdict(action)
    if (enabled) run[action]()
    else if (reason !== undefined) {
      const items = inFolder.includes(action) ? here : chosen
      tellRefusal({ action, reason, items, selectOne: () => setSelection(selectOnly(onlyOne)) })
    }
  }

  /** Does what a key asks for; true when it was one of ours. */
  const pressed = (action: KeyAction): boolean => {
    switch (action) {
      case 'up':
        goUp()
        break
      case 'back':
        void navigate(-1)
        break
      case 'forward':
        void navigate(1)
        break
      case 'refresh':
        refreshDrive()
        break
      case 'undo':
        undoLast()
        break
      case 'redo':
        redoLast()
        break
      case 'list':
      case 'grid':
      case 'gallery':
        setView(action)
        break
      case 'panel':
        setPanel(!panel)
        break
      case 'path':
        setEditingPath(true)
        break
      case 'filter':
        root.current?.querySelector<HTMLInputElement>('.dr-filter input')?.focus()
        break
      case 'open':
        if (chosen.length !== 1) return false
        attempt(action)
        break
      case 'preview':
        if (chosen.length !== 1 || chosen[0]?.fType === 2) return false
        attempt(action)
        break
      case 'paste':
        // Without items of ours the browser pastes, files from the desktop too.
        if (clipboard.items.length === 0) return false
        attempt(action)
        break
      default:
        attempt(action)
    }
    return true
  }

  const onKeyDown = (event: React.KeyboardEvent): void => {
    const { target } = event
    if (isTyping(target)) return
    // Enter and Space press the button that has the focus.
    if ((event.key === 'Enter' || event.key === ' ') && target instanceof HTMLButtonElement) return
    const action = actionOf(event)
    if (action !== undefined && pressed(action)) event.preventDefault()
  }

  // What concerns the folder works from the tree and from nowhere as well.
  const onPageKey = useEffectEvent((event: KeyboardEvent): void => {
    const { target } = event
    if (event.defaultPrevented || isTyping(target) || !(target instanceof Element)) return
    if (root.current?.contains(target) || target.closest('[role=dialog], [role=menu]') !== null) return
    const action = actionOf(event)
    if (action !== undefined && pageActions.includes(action) && pressed(action)) event.preventDefault()
  })
  useEffect(() => {
    window.addEventListener('keydown', onPageKey)
    return () => window.removeEventListener('keydown', onPageKey)
  }, [])

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
            run: { ...run, upload: () => choose(filePicker.current, 'RightClick') },
            make: (kind) => void make(kind),
            uploadFolder: () => choose(folderPicker.current, 'RightClick'),
            refresh: refreshDrive,
          })
    void showMenu(entries, at)
  }

  const uploadFolder = (): void => choose(folderPicker.current, 'Button')
  const pick = (input: HTMLInputElement): void => {
    if (input.files !== null && folder !== undefined) {
      void upload(chosenFiles(input.files), { folderId, folderName: folderName(folder) }, askedBy.current)
    }
    input.value = ''
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
            onUploadFolder={uploadFolder}
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
        <input ref={filePicker} type="file" multiple hidden onChange={(event) => pick(event.target)} />
        <input
          ref={(element) => {
            element?.setAttribute('webkitdirectory', '')
            folderPicker.current = element
          }}
          type="file"
          hidden
          onChange={(event) => pick(event.target)}
        />
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
