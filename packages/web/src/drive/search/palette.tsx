/*
 * The command palette (Ctrl+K). Without input it shows the recent folders, recent files and saved searches. Typing
 * finds files, folders and commands by name, part of a name, pinyin or initials ([R240]). Enter opens an item,
 * Ctrl+Enter shows it in its folder, and Tab continues the search inside a folder. Every choice closes the palette and
 * clears the input.
 */

import type { ItemRecord } from '@cloudoc/contract'
import { shortTime } from '@cloudoc/domain'
import { type ReactNode, useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useNavigate } from 'react-router'
import { mainServer } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { type Command, commands } from '../../core/menu/commands.ts'
import { useLinkedServers } from '../../core/session/linked-servers.ts'
import { sessionStore } from '../../core/session/session.ts'
import { openWindow } from '../../core/windows/index.ts'
import { resolveLink } from '../../items/actions/links.ts'
import { previewFile } from '../../items/actions/preview-file.ts'
import { useActionContext } from '../../items/actions/use-action-context.ts'
import { editorsText } from '../../items/item/editors.ts'
import { FileIcon, FolderIcon } from '../../items/item/file-icon.tsx'
import { extOf, folderPath, isFolder, isLink, keyOf, parentOf } from '../../items/item/item.ts'
import { MissingHits } from '../../items/lists/missing-servers.tsx'
import { useRecent } from '../../items/lists/recents.ts'
import { StatusChip } from '../../kit/chips.tsx'
import { Bookmark20Regular, Dismiss12Regular, Flash20Regular, Search20Regular } from '../../kit/icons.ts'
import { isComposing } from '../../kit/keys.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { InitialsAvatar } from '../../people/index.ts'
import { type LinkedHits, useLinkedHits } from './linked-hits.ts'
import { markMatches, matchRank } from './name-match.ts'
import { useSavedSearches } from './saved-searches.ts'
import { searchAddress } from './search-query.ts'
import {
  type AreaHits,
  type PersonHit,
  type SearchHits,
  useAreaHits,
  useCurrent,
  useSearchHits,
} from './use-search-hits.ts'
import './search-box.css'

/** The scope of the search: everything, or one kind. */
const scopes = ['all', 'files', 'folders', 'people', 'commands'] as const
type Scope = (typeof scopes)[number]

/** The number of results per kind: next to other kinds, and for a single kind. */
const few = { files: 5, folders: 3, people: 2, commands: 4 } as const
const many = 12
/** Results of other areas, such as messages. */
const fewBeside = 3
const shownPlaces = 6
const shownFiles = 5
const shownCommands = 6
const shownSearches = 4

/** A saved search is run like a command. */
type Row =
  | { readonly item: ItemRecord }
  | { readonly person: PersonHit }
  | { readonly command: Command; readonly isSearch?: boolean }

interface Group {
  readonly id: string
  readonly title: string
  /** There are more results than shown. */
  readonly more: boolean
  /** Shown in two columns. */
  readonly isWide: boolean
  readonly rows: readonly Row[]
}

/** Whether the search can go on inside a folder: only at the server of the page. */
const isBelowAble = (item: ItemRecord): boolean =>
  isFolder(item) && !isLink(item) && item.serverId === mainServer.serverId

const rowsOf = (scope: Scope, kind: keyof typeof few): number =>
  scope === 'all' ? few[kind] : scope === kind ? many : 0

/** What a text finds: in this server, in other areas, and in linked servers. */
function usePaletteHits(keyword: string, scope: Scope, below: ItemRecord | undefined) {
  const wanted = {
    keyword,
    files: rowsOf(scope, 'files'),
    folders: rowsOf(scope, 'folders'),
    people: below === undefined ? rowsOf(scope, 'people') : 0,
    below: below?.fId,
  }
  const found = useSearchHits(wanted)
  const [at, setAt] = useCurrent(keyword === '' ? scope : found)
  const beside = useAreaHits(keyword, scope === 'all' && below === undefined ? fewBeside : 0)
  const there = useLinkedHits(keyword, {
    files: below === undefined ? rowsOf(scope, 'files') : 0,
    folders: below === undefined ? rowsOf(scope, 'folders') : 0,
  })
  const groups = useGroups(scope, keyword, found, { isBelow: below !== undefined, beside, there })
  const rows = groups.flatMap((group) => group.rows)
  return { found, at, setAt, there, groups, rows }
}

/** Chooses a row: runs its command, or opens its item or what a person shares. */
function useChoose(onClose: () => void): (row: Row, inFolder: boolean) => void {
  const navigate = useNavigate()
  const context = useActionContext()
  const open = async (item: ItemRecord): Promise<void> => {
    onClose()
    const target = isLink(item) ? await resolveLink(item) : item
    if (target === undefined) return
    if (isFolder(target)) return void navigate(folderPath(target))
    void openWindow('previewer', { fileInfo: previewFile(target, context) })
  }
  return (row, inFolder) => {
    if ('command' in row) {
      onClose()
      row.command.run()
    } else if ('person' in row) {
      onClose()
      void navigate(sharedBy(row.person.id))
    } else if (inFolder && row.item.parentFolderId !== 0) {
      onClose()
      void navigate(folderPath(parentOf(row.item), row.item))
    } else void open(row.item)
  }
}

/** The palette above the page. */
export function Palette({ onClose, typed = '' }: { readonly onClose: () => void; readonly typed?: string }): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(typed)
  const [scope, setScope] = useState<Scope>('all')
  const [below, setBelow] = useState<ItemRecord>()
  const keyword = text.trim()
  /** The user pressed Enter before the answer: the first result opens when it arrives. */
  const hurried = useRef(false)
  const { found, at, setAt, there, groups, rows } = usePaletteHits(keyword, scope, below)
  // A list box needs options. Without results a sentence is shown instead.
  const listbox = { role: 'listbox', 'aria-label': t('drive.search.hits') }
  const current = rows[at]

  // Focuses the field before the next key press.
  useLayoutEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [])
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [at, id])

  const choose = useChoose(onClose)
  /** Opens the page with all results in names and contents. */
  const showAll = (): void => {
    onClose()
    const said = found?.keyword === keyword ? found : undefined
    const { timeFrom, timeTo } = said?.time ?? {}
    void navigate(
      searchAddress({
        keyword: said?.words ?? keyword,
        ...(timeFrom !== undefined && { timeFrom, timeTo }),
        ...(below !== undefined && { folderId: below.fId }),
      }),
    )
  }
  const lookBelow = (folder: ItemRecord): void => {
    setBelow(folder)
    setText('')
  }

  const onKeyDown = (event: React.KeyboardEvent): void => {
    event.stopPropagation()
    if (isComposing(event)) return
    const { key } = event
    const inField = event.target === input.current
    const control = event.ctrlKey || event.metaKey
    const folder = current !== undefined && 'item' in current && isFolder(current.item) ? current.item : undefined
    if (key === 'Escape') onClose()
    else if (control && key.toLowerCase() === 'k') input.current?.select()
    else if (key === 'Tab' && inField && !event.shiftKey && folder !== undefined && isBelowAble(folder))
      lookBelow(folder)
    else if (key === 'Tab') stay(root.current, event.shiftKey)
    else if (!inField) return
    else if (key === 'ArrowDown') setAt(Math.max(0, Math.min(rows.length - 1, at + 1)))
    else if (key === 'ArrowUp') setAt(Math.max(0, at - 1))
    else if (key === 'Backspace' && text === '' && below !== undefined) setBelow(undefined)
    else if (key === 'Enter' && event.shiftKey && keyword !== '') showAll()
    else if (key === 'Enter' && keyword !== '' && found?.keyword !== keyword) hurried.current = true
    else if (key === 'Enter' && keyword !== '' && rows.length === 0) showAll()
    else if (key === 'Enter' && current !== undefined) choose(current, control)
    else return
    event.preventDefault()
  }

  const openFirst = useEffectEvent(() => {
    const [first] = rows
    if (first !== undefined) choose(first, false)
    else showAll()
  })
  useEffect(() => {
    if (found === undefined || !hurried.current) return
    hurried.current = false
    openFirst()
  }, [found])

  return createPortal(
    <div
      className="dr-palette-veil"
      onPointerDown={(event) => {
        if (event.target === event.currentTarget) onClose()
      }}
    >
      <div
        ref={root}
        className="dr-palette"
        role="dialog"
        aria-modal="true"
        aria-label={t('drive.search')}
        onKeyDown={onKeyDown}
      >
        <div className="dr-palette-field">
          <Search20Regular />
          {below !== undefined && (
            <Below
              folder={below}
              onLeave={() => {
                setBelow(undefined)
                input.current?.focus()
              }}
            />
          )}
          <input
            ref={input}
            value={text}
            role="combobox"
            aria-expanded={rows.length > 0}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={at < rows.length ? `${id}-${at}` : undefined}
            aria-label={t('drive.search')}
            placeholder={t('drive.search.placeholder')}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => {
              hurried.current = false
              setText(event.target.value)
            }}
          />
          <Scopes
            scope={scope}
            onScope={(one) => {
              setScope(one)
              input.current?.focus()
            }}
          />
        </div>
        {found?.time !== undefined && found.keyword === keyword && <TimeMeant time={found.time} />}
        <div className="dr-palette-list" id={`${id}-list`} {...(rows.length > 0 && listbox)}>
          {groups.map((group) => (
            <GroupRows
              key={group.id}
              id={id}
              group={group}
              rows={rows}
              at={at}
              keyword={keyword && (found?.words ?? keyword)}
              onAt={setAt}
              onChoose={choose}
            />
          ))}
          {rows.length === 0 && <Nothing keyword={keyword} found={found} />}
          <MissingHits missing={there.missing} />
        </div>
        <Keys row={current} onAll={keyword === '' ? undefined : showAll} />
      </div>
    </div>,
    document.body,
  )
}

interface BelowProps {
  readonly folder: ItemRecord
  readonly onLeave: () => void
}

/** The folder that is searched, with a button to search everywhere. */
function Below({ folder, onLeave }: BelowProps): ReactNode {
  const t = useT()
  return (
    <button type="button" className="dr-palette-below" title={t('drive.palette.everywhere')} onClick={onLeave}>
      <span>{folder.fName}</span>
      <Dismiss12Regular />
    </button>
  )
}

interface ScopesProps {
  readonly scope: Scope
  readonly onScope: (scope: Scope) => void
}

function Scopes({ scope, onScope }: ScopesProps): ReactNode {
  const t = useT()
  return (
    <div className="dr-palette-scopes" role="group" aria-label={t('drive.palette.kinds')}>
      {scopes.map((one) => (
        <button
          key={one}
          type="button"
          className={one === scope ? 'is-on' : ''}
          aria-pressed={one === scope}
          onClick={() => onScope(one)}
        >
          {t(`drive.palette.${one}`)}
        </button>
      ))}
    </div>
  )
}

/** The time that the typed words mean. */
function TimeMeant({ time }: { readonly time: NonNullable<SearchHits['time']> }): ReactNode {
  const t = useT()
  const locale = useLocale()
  return (
    <p className="dr-palette-time" role="status">
      {t('drive.palette.time', {
        words: time.words,
        from: new Date(time.timeFrom).toLocaleDateString(locale),
        to: new Date(time.timeTo - 1).toLocaleDateString(locale),
      })}
    </p>
  )
}

interface GroupRowsProps {
  readonly id: string
  readonly group: Group
  /** All rows; their positions name them. */
  readonly rows: readonly Row[]
  readonly at: number
  readonly keyword: string
  readonly onAt: (at: number) => void
  readonly onChoose: (row: Row, inFolder: boolean) => void
}

function GroupRows({ id, group, rows, at, keyword, onAt, onChoose }: GroupRowsProps): ReactNode {
  const t = useT()
  return (
    <div role="group" aria-labelledby={`${id}-${group.id}`}>
      <h3 id={`${id}-${group.id}`} role="presentation">
        {group.title}
        {group.more && <small>{t('drive.palette.first', { n: group.rows.length })}</small>}
      </h3>
      <div className={group.isWide ? 'is-wide' : undefined} role="presentation">
        {group.rows.map((row) => {
          const i = rows.indexOf(row)
          return (
            <div
              key={keyOfRow(row)}
              id={`${id}-${i}`}
              role="option"
              aria-selected={i === at}
              className={i === at ? 'is-current' : ''}
              onPointerMove={() => onAt(i)}
              // Keeps the focus in the field during a click.
              onMouseDown={(event) => event.preventDefault()}
              onClick={(event) => onChoose(row, event.ctrlKey || event.metaKey)}
            >
              {'item' in row ? (
                <ItemRow item={row.item} keyword={keyword} isWide={group.isWide} />
              ) : 'person' in row ? (
                <PersonRow person={row.person} />
              ) : (
                <CommandRow command={row.command} isSearch={row.isSearch === true} />
              )}
              {i === at && !('command' in row) && <kbd>Enter</kbd>}
            </div>
          )
        })}
      </div>
    </div>
  )
}

interface KeysProps {
  readonly row: Row | undefined
  readonly onAll: (() => void) | undefined
}

/** What the keys do with the current row. */
function Keys({ row, onAll }: KeysProps): ReactNode {
  const t = useT()
  const item = row !== undefined && 'item' in row ? row.item : undefined
  return (
    <p className="dr-palette-keys">
      <span>
        <kbd>↑↓</kbd>
        {t('drive.palette.key.choose')}
      </span>
      <span>
        <kbd>Enter</kbd>
        {t('drive.palette.key.open')}
      </span>
      {item !== undefined && isBelowAble(item) && (
        <span>
          <kbd>Tab</kbd>
          {t('drive.palette.key.below')}
        </span>
      )}
      {item !== undefined && (
        <span>
          <kbd>Ctrl Enter</kbd>
          {t('drive.palette.key.show')}
        </span>
      )}
      <span>
        <kbd>Esc</kbd>
        {t('drive.palette.key.close')}
      </span>
      {onAll !== undefined && (
        <button type="button" className="dr-palette-more" onClick={onAll}>
          <kbd>Shift Enter</kbd>
          {t('search.allResults')}
        </button>
      )}
    </p>
  )
}

/** Cycles the focus inside the palette with Tab. */
function stay(root: HTMLElement | null, back: boolean): void {
  const all = [...(root?.querySelectorAll<HTMLElement>('button,input') ?? [])]
  const now = all.findIndex((one) => one === document.activeElement)
  all[(now + (back ? -1 : 1) + all.length) % all.length]?.focus()
}

/** Returns the groups of options to choose from. */
function useGroups(
  scope: Scope,
  keyword: string,
  found: SearchHits | undefined,
  {
    isBelow,
    beside,
    there,
  }: { readonly isBelow: boolean; readonly beside: readonly AreaHits[]; readonly there: LinkedHits },
): readonly Group[] {
  const t = useT()
  const servers = useLinkedServers()
  const places = useRecent('places')
  const files = useRecent('files')
  const navigate = useNavigate()
  const saved = useSavedSearches()
  const is = (one: Scope): boolean => scope === 'all' || scope === one
  const items = (list: readonly ItemRecord[]): Row[] => list.map((item) => ({ item }))
  const group = (id: string, title: string, rows: readonly Row[], more = {}): Group[] =>
    rows.length === 0 ? [] : [{ id, title, rows, more: false, isWide: false, ...more }]
  const able = (word: string, most: number): Row[] =>
    (isBelow ? [] : commands())
      .filter(({ label }) => label.toLowerCase().includes(word))
      .slice(0, most)
      .map((command) => ({ command }))

  const searches = (word: string): Group[] =>
    group(
      'searches',
      t('search.saved.title'),
      (isBelow ? [] : saved)
        .filter(({ name }) => name.toLowerCase().includes(word))
        .slice(0, shownSearches)
        .map(({ searchId, name, query }) => ({
          command: { id: `search-${searchId}`, label: name, run: () => void navigate(searchAddress(query)) },
          isSearch: true,
        })),
      { isWide: word === '' },
    )

  if (keyword === '') {
    return [
      ...(is('folders') && !isBelow
        ? group('places', t('drive.palette.places'), items((places ?? []).slice(0, shownPlaces)), { isWide: true })
        : []),
      ...(is('files') && !isBelow
        ? group('recent', t('drive.palette.recent'), items((files ?? []).slice(0, shownFiles)))
        : []),
      ...(scope === 'all' ? searches('') : []),
      ...(is('commands')
        ? group('commands', t('drive.palette.usual'), able('', scope === 'all' ? shownCommands : 40), { isWide: true })
        : []),
    ]
  }
  if (found === undefined) return []
  const ofFiles = group('files', t('drive.palette.files'), items(found.files.list), { more: found.files.more })
  const ofFolders = group('folders', t('drive.palette.folders'), items(found.folders.list), {
    more: found.folders.more,
  })
  const best = (list: readonly ItemRecord[]): number => {
    const [first] = list
    return first === undefined ? 3 : matchRank(first.fName, found.words, first.nameSort)
  }
  const isFolderFirst = best(found.folders.list) < best(found.files.list)
  return [
    ...(isFolderFirst ? [...ofFolders, ...ofFiles] : [...ofFiles, ...ofFolders]),
    ...group(
      'people',
      t('drive.palette.people'),
      found.people.map((person) => ({ person })),
    ),
    ...beside.flatMap(({ title, hits }) =>
      group(
        title,
        t(title),
        hits.map((command) => ({ command })),
      ),
    ),
    ...(scope === 'all' ? searches(keyword.toLowerCase()) : []),
    ...(is('commands')
      ? group('commands', t('drive.palette.commands'), able(keyword.toLowerCase(), rowsOf(scope, 'commands')))
      : []),
    // Last, so that the rows above do not move when a server answers late.
    ...there.found.flatMap(({ serverId, list }) => {
      const name = servers.find((server) => server.serverId === serverId)?.serverName ?? ''
      return group(`server-${serverId}`, t('linked.server', { name }), items(list))
    }),
  ]
}

const keyOfRow = (row: Row): string =>
  'item' in row ? keyOf(row.item) : 'person' in row ? `person-${row.person.id}` : row.command.id

const isMe = (userId: number): boolean => sessionStore.getState().session?.account.userId === userId

/**
 * Returns the address of the items that a user shared with the current user. For the current user, the items they
 * shared with others.
 */
const sharedBy = (userId: number): string =>
  isMe(userId) ? '/doc/folder/share/permission-creation' : `/doc/folder/share/permission-shared?by=${userId}`

function PersonRow({ person: { id, name, account, place } }: { readonly person: PersonHit }): ReactNode {
  const t = useT()
  return (
    <>
      <InitialsAvatar id={id} name={name} />
      <span className="dr-palette-name" title={account}>
        {name}
      </span>
      <small className="dr-palette-beside">{place}</small>
      <small>{t(isMe(id) ? 'drive.palette.own' : 'drive.palette.theirs')}</small>
    </>
  )
}

interface ItemRowProps {
  readonly item: ItemRecord
  readonly keyword: string
  readonly isWide: boolean
}

/** The closest ancestor folders are enough. The tooltip shows the full path. */
const shownFolders = 2

function ItemRow({ item, keyword, isWide }: ItemRowProps): ReactNode {
  const locale = useLocale()
  const [now] = useState(Date.now)
  const path = item.pathString.split('/').filter(Boolean)
  const place = path.slice(-shownFolders).map(isolated).join(' › ')
  return (
    <>
      {isFolder(item) ? <FolderIcon /> : <FileIcon ext={extOf(item)} />}
      <span className="dr-palette-name" title={item.fName}>
        {keyword === ''
          ? item.fName
          : markMatches(item.fName, keyword, item.nameSort).map((piece, i) =>
              piece.hit ? <mark key={i}>{piece.text}</mark> : piece.text,
            )}
      </span>
      {editorsText(item) !== '' && <StatusChip>{editorsText(item)}</StatusChip>}
      <small title={path.map(isolated).join(' › ')}>
        {[place, !isWide && shortTime(item.modifyTime, now, locale)].filter(Boolean).join(' · ')}
      </small>
    </>
  )
}

function CommandRow({ command, isSearch }: { readonly command: Command; readonly isSearch: boolean }): ReactNode {
  return (
    <>
      {isSearch ? <Bookmark20Regular /> : <Flash20Regular />}
      <span className="dr-palette-name">{command.label}</span>
      {command.hint !== undefined && <kbd>{command.hint}</kbd>}
    </>
  )
}

function Nothing({ keyword, found }: { readonly keyword: string; readonly found: SearchHits | undefined }): ReactNode {
  const t = useT()
  if (keyword !== '' && found?.keyword !== keyword) return <Spinner />
  const words =
    keyword === ''
      ? t('drive.palette.hint')
      : found?.failed
        ? t('drive.search.failed')
        : t('drive.search.none', { keyword })
  return (
    <p className="dr-palette-none" role="status">
      {words}
    </p>
  )
}
