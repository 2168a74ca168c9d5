/*
 * The item picker picks files or folders of the drive ([R086]), one or several. It shows the folders on the left and
 * the content of the chosen folder on the right. A file kind filter hides all other files.
 */
import type { ItemRecord } from '@cloudoc/contract'
import { type ReactNode, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { mainServer } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { EllipsizedName } from '../../items/item/ellipsized-name.tsx'
import { FileIcon, FolderIcon } from '../../items/item/file-icon.tsx'
import { extOf, type ItemKey, isFolder, isLink, keyOf } from '../../items/item/item.ts'
import { families, type KindFamily } from '../../items/item/kind-text.ts'
import { useRoots } from '../../items/lists/folder-queries.ts'
import { ListLayout } from '../../items/lists/list-layout.ts'
import { FolderFailure } from '../../items/lists/list-states.tsx'
import { listOf } from '../../items/lists/lists.ts'
import { useVisibleLines } from '../../items/lists/visible-lines.ts'
import { Button } from '../../kit/button.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { Checkmark12Filled } from '../../kit/icons.ts'
import { isComposing } from '../../kit/keys.ts'
import { Select } from '../../kit/select.tsx'
import { FolderTree } from '../tree/folder-tree.tsx'
import '../../items/item/dialogs.css'
import './item-pick.css'

export interface ItemPickProps {
  readonly title: string
  readonly hint: string
  readonly what: 'files' | 'folders' | 'both'
  readonly multiple: boolean
}

const rowHeight = 36
const ahead = 60
const filterDelayMs = 200

/** Asks for items and returns the picked ones. */
export function ItemPick({ hint, what, multiple, close }: WindowProps<ItemPickProps, ItemRecord[]>): ReactNode {
  const t = useT()
  const roots = useRoots()
  const [at, setAt] = useState<number>()
  const [above, setAbove] = useState<readonly ItemRecord[]>([])
  const [family, setFamily] = useState<KindFamily | 'all'>('all')
  const [text, setText] = useState('')
  const [keyword, setKeyword] = useState('')
  const [picked, setPicked] = useState<ReadonlyMap<ItemKey, ItemRecord>>(new Map())
  const home = roots.data?.find((root) => root.kind === 'personal' && !root.colleague) ?? roots.data?.[0]
  const folderId = at ?? home?.fId

  useEffect(() => {
    const timer = setTimeout(() => setKeyword(text.trim()), filterDelayMs)
    return () => clearTimeout(timer)
  }, [text])

  const go = (next: number, path: readonly ItemRecord[]): void => {
    setAt(next)
    setAbove(path)
    setText('')
    setKeyword('')
  }
  const mayPick = (item: ItemRecord): boolean => {
    if (isLink(item)) return false
    if (isFolder(item)) return what !== 'files'
    return what !== 'folders'
  }
  const pick = (item: ItemRecord, keep: boolean): void => {
    if (!mayPick(item)) return
    const key = keyOf(item)
    const next = new Map(multiple && keep ? picked : [])
    if (!(keep && next.delete(key))) next.set(key, item)
    setPicked(next)
  }
  return (
    <>
      {hint !== '' && <p className="dr-picker-hint">{hint}</p>}
      <div className="dr-picker">
        <div className="dr-picker-tree">
          <FolderTree
            current={folderId === undefined ? undefined : { ...mainServer, fId: folderId }}
            above={above}
            onGo={(node) => go(node.folder.fId, [...node.ancestors, node.folder])}
          />
        </div>
        <div className="dr-picker-side">
          <div className="dr-picker-filters">
            <input
              className="dr-picker-filter"
              value={text}
              placeholder={t('drive.filter')}
              aria-label={t('drive.filter')}
              onChange={(event) => setText(event.target.value)}
              onKeyDown={(event) => {
                if (isComposing(event) || event.key !== 'Escape' || text === '') return
                event.stopPropagation()
                setText('')
              }}
            />
            {what !== 'folders' && (
              <Select<KindFamily | 'all'>
                label={t('drive.column.type')}
                value={family}
                options={[
                  { value: 'all', label: t('drive.itemPick.allKinds') },
                  ...familyNames.map((one) => ({ value: one, label: t(`drive.kind.${one}`) })),
                ]}
                onChange={setFamily}
              />
            )}
          </div>
          {folderId !== undefined && (
            <Rows
              key={`${folderId} ${keyword} ${family}`}
              folderId={folderId}
              keyword={keyword}
              foldersOnly={what === 'folders'}
              family={family}
              picked={picked}
              multiple={multiple}
              mayPick={mayPick}
              onPick={pick}
              onOpen={(item) => {
                if (isFolder(item) && !isLink(item)) go(item.fId, [...above, item])
                else if (mayPick(item)) close([item])
              }}
            />
          )}
        </div>
      </div>
      <DialogFooter>
        <span className="dr-pick-reason" aria-live="polite">
          {picked.size > 0 ? t('drive.chosen', { n: picked.size }) : t(`drive.itemPick.${what}`)}
        </span>
        <Button onClick={() => close()}>{t('drive.cancel')}</Button>
        <Button
          kind="primary"
          disabled={picked.size === 0}
          title={picked.size === 0 ? t(`drive.itemPick.${what}`) : undefined}
          onClick={() => close([...picked.values()])}
        >
          {t('drive.itemPick.ok')}
        </Button>
      </DialogFooter>
    </>
  )
}

const familyNames = Object.keys(families) as KindFamily[]

interface RowsProps {
  readonly folderId: number
  readonly keyword: string
  readonly foldersOnly: boolean
  readonly family: KindFamily | 'all'
  readonly picked: ReadonlyMap<ItemKey, ItemRecord>
  readonly multiple: boolean
  readonly mayPick: (item: ItemRecord) => boolean
  readonly onPick: (item: ItemRecord, keep: boolean) => void
  readonly onOpen: (item: ItemRecord) => void
}

function Rows(props: RowsProps): ReactNode {
  const { folderId, keyword, foldersOnly, family, picked, multiple, mayPick, onPick, onOpen } = props
  const t = useT()
  const list = useMemo(() => {
    const exts = family === 'all' ? undefined : families[family]
    return listOf({ folderId, sort: 'name', order: 'asc', keyword, foldersOnly, exts })
  }, [folderId, keyword, foldersOnly, family])
  const state = useSyncExternalStore(list.subscribe, list.snapshot)
  useEffect(() => void list.refresh(), [list])
  const { items: rows, total } = state
  const scroller = useRef<HTMLDivElement>(null)
  const [focus, setFocus] = useState(0)
  const layout = useMemo(
    () =>
      new ListLayout({
        total,
        perLine: 1,
        lineHeight: rowHeight,
        headHeight: 0,
        padding: 0,
        groups: undefined,
      }),
    [total],
  )
  const { lines, inSight, scrollTo } = useVisibleLines(scroller, layout, {
    initialScroll: 0,
    overscan: 8,
    overscanAhead: 16,
    kept: total === 0 ? -1 : Math.min(focus, total - 1),
  })
  useEffect(() => void list.ensure(inSight.from - ahead, inSight.to + ahead), [list, inSight.from, inSight.to])

  const itemAt = (target: EventTarget): ItemRecord | undefined => {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null
    return row === null ? undefined : rows[Number(row.dataset.index)]
  }
  const moveTo = (index: number): void => {
    const next = Math.max(0, Math.min(total - 1, index))
    setFocus(next)
    scrollTo(next, 0)
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus())
  }
  const onKeyDown = (event: React.KeyboardEvent): void => {
    const item = itemAt(event.target)
    const acts: Partial<Record<string, () => void>> = {
      ArrowDown: () => moveTo(focus + 1),
      ArrowUp: () => moveTo(focus - 1),
      Home: () => moveTo(0),
      End: () => moveTo(total - 1),
      ' ': () => item && onPick(item, true),
      Enter: () => item && onOpen(item),
    }
    const act = acts[event.key]
    if (act === undefined || event.altKey) return
    event.preventDefault()
    act()
  }

  if (state.status === 'error') {
    return (
      <div className="dr-picker-list">
        <FolderFailure error={state.error} onRetry={() => void list.refresh()} onUp={() => void list.refresh()} />
      </div>
    )
  }
  if (state.status === 'ready' && total === 0) {
    const none =
      keyword !== '' ? 'drive.state.noMatch' : family === 'all' ? 'drive.state.empty' : 'drive.itemPick.noKind'
    return (
      <p className="dr-picker-none" role="status">
        {t(none, { keyword })}
      </p>
    )
  }
  return (
    <div
      className="dr-picker-list"
      ref={scroller}
      role="listbox"
      aria-label={t('drive.files')}
      aria-multiselectable={multiple}
      aria-busy={state.status === 'loading' || state.fetching}
      tabIndex={total === 0 ? 0 : -1}
      onKeyDown={onKeyDown}
      onFocus={(event) => {
        const item = itemAt(event.target)
        if (item !== undefined) setFocus(rows.indexOf(item))
      }}
      onClick={(event) => {
        const item = itemAt(event.target)
        if (item === undefined) return
        onPick(item, multiple)
      }}
      onDoubleClick={(event) => {
        const item = itemAt(event.target)
        if (item !== undefined) onOpen(item)
      }}
    >
      <div className="dr-rows" role="presentation" style={{ height: layout.height }}>
        {lines.map((line) => {
          const item = rows[line.from]
          if (item === undefined) return null
          const chosen = picked.has(keyOf(item))
          return (
            <div
              key={keyOf(item)}
              role="option"
              aria-selected={chosen}
              aria-disabled={!mayPick(item)}
              aria-posinset={line.from + 1}
              aria-setsize={total}
              className={`dr-picker-row${chosen ? ' is-selected' : ''}`}
              style={{ transform: `translateY(${line.top}px)` }}
              tabIndex={line.from === focus ? 0 : -1}
              data-index={line.from}
            >
              {multiple && (
                <span className="dr-check" aria-hidden="true">
                  {chosen && <Checkmark12Filled />}
                </span>
              )}
              {isFolder(item) ? <FolderIcon /> : <FileIcon ext={extOf(item)} />}
              <EllipsizedName name={item.fName} isFolder={isFolder(item)} />
            </div>
          )
        })}
      </div>
    </div>
  )
}
