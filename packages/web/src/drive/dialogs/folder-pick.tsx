/*
 * The folder picker asks for a target folder. It opens at the current folder and shows its path. The user can navigate
 * by the path, recent folders, a folder search or the tree, or create a new folder. Only a folder that accepts the
 * items can be chosen.
 */

import type { ItemRecord } from '@cloudoc/contract'
import { nameInText } from '@cloudoc/domain'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { api, CallError, mainServer, type OnServer } from '../../core/call/api.ts'
import { t, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { useLinkedServers, useServerName } from '../../core/session/linked-servers.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { evaluate, rules } from '../../items/actions/actions.ts'
import { nameProblem, notifyFailure, type Target } from '../../items/actions/operations.ts'
import { reasonText } from '../../items/actions/reasons.ts'
import { useActionContext } from '../../items/actions/use-action-context.ts'
import { FolderIcon } from '../../items/item/file-icon.tsx'
import { asFolder, type FolderRef, type ItemRef, isLink, keyOf } from '../../items/item/item.ts'
import { type FolderInfo, folderName, primeFolder, useFolder, useRoots } from '../../items/lists/folder-queries.ts'
import { itemsChanged } from '../../items/lists/lists.ts'
import { MissingHits } from '../../items/lists/missing-servers.tsx'
import { recordRecent, useRecent } from '../../items/lists/recents.ts'
import { Button } from '../../kit/button.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { FolderAdd20Regular, Search16Regular } from '../../kit/icons.ts'
import { isComposing } from '../../kit/keys.ts'
import { useLinkedHits } from '../search/linked-hits.ts'
import { markMatches } from '../search/name-match.ts'
import { useCurrent, useSearchHits } from '../search/use-search-hits.ts'
import { FolderTree } from '../tree/folder-tree.tsx'
import '../../items/item/dialogs.css'
import './folder-pick.css'

export interface FolderPickProps {
  readonly title: string
  readonly hint: string
  /** The operation, which the button names together with the folder. */
  readonly verb: 'move' | 'copy' | 'restore' | 'link' | 'unpack'
  /**
   * The initial folder. Default: the user's own library. The own library is also used if the folder cannot be opened.
   */
  readonly at?: number | undefined
  /** The server of that folder. Default: the main one. */
  readonly serverId?: number
  /** Folders of linked servers can be chosen too ([R123]). */
  readonly linked?: true
  /** The items to move. They cannot move into themselves or into their current folder. */
  readonly moving?: readonly (ItemRef & Pick<ItemRecord, 'parentFolderId'>)[]
}

const shownRecents = 4
const shownHits = 30

/** Asks for a folder and returns the picked one. */
export function FolderPick(props: WindowProps<FolderPickProps, Target>): ReactNode {
  const { hint, verb, moving = [], linked, close } = props
  const t = useT()
  const context = useActionContext()
  const roots = useRoots()
  const home = roots.data?.find((root) => root.kind === 'personal' && !root.colleague) ?? roots.data?.[0]
  const { serverId = mainServer.serverId } = props
  const [wanted, setWanted] = useState<FolderRef | undefined>(
    props.at !== undefined && props.at > 0 ? { serverId, fId: props.at } : undefined,
  )
  const at = wanted ?? (home && { ...mainServer, fId: home.fId })
  const atKey = at && keyOf(asFolder(at))
  const info = useFolder(at)
  const [text, setText] = useState('')
  const [making, setMaking] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const search = useRef<HTMLInputElement>(null)
  const keyword = text.trim()

  // The initial folder is deleted or not accessible: open the own library instead.
  const isLost = info.error !== null && wanted !== undefined
  useEffect(() => {
    if (isLost) setWanted(undefined)
  }, [isLost])

  const picked = info.data?.folder
  const why = info.data === undefined ? undefined : reasonAgainst(info.data, moving)
  const verdict = picked === undefined ? undefined : evaluate(rules.upload, [picked], context)
  const refusal = why ?? (verdict?.reason === undefined ? undefined : reasonText(verdict.reason))
  const isAble = picked !== undefined && refusal === undefined && verdict?.enabled === true

  const go = (folder: FolderRef, known?: FolderInfo): void => {
    if (known !== undefined) primeFolder(known)
    setWanted({ serverId: folder.serverId, fId: folder.fId })
    setMaking(false)
  }
  const settle = (): void => {
    if (!isAble) return
    recordRecent('targets', picked)
    close({ fId: picked.fId, fName: picked.fName, ...(picked.serverId !== mainServer.serverId && onServer(picked)) })
  }
  /**
   * After a folder is found or created, the focus moves to the confirm button once the folder is known to be valid, so
   * the next Enter confirms.
   */
  const isSettling = useRef(false)
  useEffect(() => {
    if (!isSettling.current || !isAble) return
    isSettling.current = false
    root.current?.parentElement?.querySelector<HTMLElement>('[data-primary]')?.focus()
  }, [isAble, atKey])
  const focusButton = (): void => {
    isSettling.current = true
  }

  return (
    <>
      <div
        ref={root}
        className="dr-folder-pick"
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || isComposing(event)) return
          event.preventDefault()
          event.stopPropagation()
          settle()
        }}
      >
        {hint !== '' && <p className="dr-folder-pick-hint">{hint}</p>}
        <FolderSearch
          text={text}
          onText={setText}
          input={search}
          isLinked={linked === true}
          onDown={() => root.current?.querySelector<HTMLElement>('.dr-pick [tabindex="0"]')?.focus()}
          onPick={(folder) => {
            go(folder)
            setText('')
            focusButton()
          }}
        />
        {keyword === '' && (
          <>
            <Path info={info.data} onGo={go} />
            <RecentAndTree
              at={at}
              above={info.data?.ancestors}
              linked={linked}
              onGo={(folder, ancestors) => go(folder, ancestors && { folder, ancestors })}
            />
            {making && picked !== undefined && (
              <NewFolder
                parent={picked}
                onMade={(folderId) => {
                  go({ serverId: picked.serverId, fId: folderId })
                  focusButton()
                }}
                onLeave={() => setMaking(false)}
              />
            )}
          </>
        )}
      </div>
      <DialogFooter>
        <span className="dr-folder-pick-make">
          <Button
            kind="ghost"
            icon={<FolderAdd20Regular />}
            disabled={picked === undefined || !evaluate(rules.create, [picked], context).enabled || keyword !== ''}
            onClick={() => setMaking(true)}
          >
            {t('drive.new.folder')}
          </Button>
        </span>
        {refusal !== undefined && (
          <span className="dr-pick-reason" role="status">
            {refusal}
          </span>
        )}
        <Button onClick={() => close()}>{t('drive.cancel')}</Button>
        <Button kind="primary" data-primary="" disabled={!isAble} title={refusal} onClick={settle}>
          {picked === undefined ? t('drive.pick') : t(`drive.pickFor.${verb}`, { name: shortName(folderName(picked)) })}
        </Button>
      </DialogFooter>
    </>
  )
}

const onServer = ({ serverId }: OnServer): OnServer => ({ serverId })

/** Shortens a name to leave room for the other buttons. */
function shortName(name: string): string {
  const characters = [...nameInText(name)]
  return characters.length <= 20 ? characters.join('') : `${characters.slice(0, 19).join('')}…`
}

/** Returns the reason why the items cannot move to this folder. */
function reasonAgainst(to: FolderInfo, moving: Required<FolderPickProps>['moving']): string | undefined {
  const within = new Set([...to.ancestors, to.folder].map(keyOf))
  if (moving.some((item) => within.has(keyOf(item)))) return t('drive.reason.intoItself')
  const { serverId, fId } = to.folder
  const isHere = moving.length > 0 && moving.every((item) => item.serverId === serverId && item.parentFolderId === fId)
  return isHere ? t('drive.alreadyHere') : undefined
}

interface PathProps {
  readonly info: FolderInfo | undefined
  readonly onGo: (folder: FolderRef) => void
}

/** The path of the current folder, with its server if it is a linked one, and a button for each ancestor. */
function Path({ info, onGo }: PathProps): ReactNode {
  const t = useT()
  const steps = info === undefined ? [] : [...info.ancestors, info.folder]
  const serverName = useServerName(info?.folder.serverId ?? mainServer.serverId)
  return (
    <nav className="dr-folder-pick-path" aria-label={t('drive.path')}>
      <ol>
        {serverName !== '' && (
          <li>
            <span title={t('linked.server', { name: serverName })}>{serverName}</span>
          </li>
        )}
        {steps.map((folder, i) => (
          <li key={folder.fId}>
            {i < steps.length - 1 ? (
              <button type="button" title={folderName(folder)} onClick={() => onGo(folder)}>
                {folderName(folder)}
              </button>
            ) : (
              <b title={folderName(folder)} aria-current="location">
                {folderName(folder)}
              </b>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}

interface RecentAndTreeProps {
  readonly at: FolderRef | undefined
  readonly above: readonly ItemRecord[] | undefined
  readonly linked: true | undefined
  readonly onGo: (folder: ItemRecord, ancestors?: readonly ItemRecord[]) => void
}

/** Recent folders, and the folder tree expanded at the current folder. */
function RecentAndTree({ at, above, linked, onGo }: RecentAndTreeProps): ReactNode {
  const t = useT()
  const recents = (useRecent('targets') ?? []).filter(({ serverId }) => linked || serverId === mainServer.serverId)
  const box = useRef<HTMLDivElement>(null)
  const atKey = at && keyOf(asFolder(at))
  // The tree loads level by level. It scrolls to the folder once that is loaded.
  useEffect(() => {
    const element = box.current
    if (element === null || atKey === undefined) return
    const reveal = (): boolean => {
      const node = element.querySelector<HTMLElement>(`[data-folder="${atKey}"]`)
      node?.scrollIntoView({ block: 'nearest' })
      return node !== null
    }
    if (reveal()) return
    const observer = new MutationObserver(() => {
      if (reveal()) observer.disconnect()
    })
    observer.observe(element, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [atKey])
  return (
    <div className="dr-pick" ref={box}>
      {recents.length > 0 && (
        <section aria-label={t('drive.pick.recent')}>
          <h2>{t('drive.pick.recent')}</h2>
          <ul>
            {recents.slice(0, shownRecents).map((folder) => (
              <li key={keyOf(folder)}>
                <button
                  type="button"
                  className={`dr-node${keyOf(folder) === atKey ? ' is-current' : ''}`}
                  aria-pressed={keyOf(folder) === atKey}
                  onClick={() => onGo(folder)}
                >
                  <FolderIcon size={16} />
                  <span className="dr-node-name" title={folder.fName}>
                    {folder.fName}
                  </span>
                  <small title={folder.pathString}>{placeOf(folder)}</small>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      <FolderTree
        current={at}
        above={above}
        {...(linked && { linked })}
        onGo={(node) => onGo(node.folder, node.ancestors)}
      />
    </div>
  )
}

/** Returns the ancestors of an item as text. */
function placeOf({ pathString }: ItemRecord): string {
  return pathString.split('/').filter(Boolean).map(isolated).join(' › ')
}

interface FolderSearchProps {
  readonly text: string
  readonly onText: (text: string) => void
  readonly input: React.RefObject<HTMLInputElement | null>
  readonly onPick: (folder: ItemRecord) => void
  /** Folders of linked servers are found too. */
  readonly isLinked: boolean
  /** Moves the keyboard focus to the element below. */
  readonly onDown: () => void
}

/** Searches all folders by name. */
function FolderSearch({ text, onText, input, onPick, isLinked, onDown }: FolderSearchProps): ReactNode {
  const t = useT()
  const id = useId()
  const keyword = text.trim()
  const found = useSearchHits({ keyword, files: 0, folders: shownHits })
  const there = useLinkedHits(keyword, { files: 0, folders: isLinked ? shownHits : 0 })
  const names = useLinkedServers()
  const hits = [...(found?.folders.list ?? []), ...there.found.flatMap(({ list }) => list)].filter(
    (folder) => !isLink(folder),
  )
  const [at, setAt] = useCurrent(found)
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, at])
  const onKeyDown = (event: React.KeyboardEvent): void => {
    if (isComposing(event) || event.ctrlKey || event.metaKey || event.altKey) return
    const { key } = event
    const hit = hits[at]
    if (key === 'ArrowDown' && keyword === '') onDown()
    else if (key === 'ArrowDown') setAt(Math.max(0, Math.min(hits.length - 1, at + 1)))
    else if (key === 'ArrowUp') setAt(Math.max(0, at - 1))
    else if (key === 'Escape' && text !== '') onText('')
    else if (key === 'Enter' && hit !== undefined && found?.keyword === keyword) onPick(hit)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <>
      <div className="dr-folder-pick-search">
        <Search16Regular />
        <input
          ref={input}
          value={text}
          role="combobox"
          aria-expanded={keyword !== ''}
          aria-controls={`${id}-hits`}
          aria-autocomplete="list"
          aria-activedescendant={keyword !== '' && at < hits.length ? `${id}-${at}` : undefined}
          aria-label={t('drive.pick.search')}
          placeholder={t('drive.pick.search')}
          spellCheck={false}
          autoComplete="off"
          autoFocus
          onChange={(event) => onText(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      {keyword !== '' && (
        <div className="dr-pick" id={`${id}-hits`} role="listbox" aria-label={t('drive.search.hits')}>
          {hits.map((folder, i) => (
            <div
              key={keyOf(folder)}
              id={`${id}-${i}`}
              role="option"
              aria-selected={i === at}
              className={`dr-node${i === at ? ' is-current' : ''}`}
              onPointerMove={() => setAt(i)}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onPick(folder)}
            >
              <FolderIcon size={16} />
              <span className="dr-node-name" title={folder.fName}>
                {markMatches(folder.fName, found?.keyword ?? '', folder.nameSort).map((piece, j) =>
                  piece.hit ? <mark key={j}>{piece.text}</mark> : piece.text,
                )}
              </span>
              <small title={folder.pathString}>
                {[names.find(({ serverId }) => serverId === folder.serverId)?.serverName, placeOf(folder)]
                  .filter(Boolean)
                  .join(' › ')}
              </small>
            </div>
          ))}
          <MissingHits missing={there.missing} />
          {found?.keyword === keyword && hits.length === 0 && (
            <p className="dr-folder-pick-none" role="status">
              {found.failed ? t('drive.search.failed') : t('drive.pick.none', { keyword })}
            </p>
          )}
        </div>
      )}
    </>
  )
}

interface NewFolderProps {
  readonly parent: ItemRecord
  readonly onMade: (folderId: number) => void
  readonly onLeave: () => void
}

/** Creates a folder in the current folder and opens it. */
function NewFolder({ parent, onMade, onLeave }: NewFolderProps): ReactNode {
  const t = useT()
  const id = useId()
  const [name, setName] = useState(t('drive.newName.folder'))
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const make = async (): Promise<void> => {
    const wrong = nameProblem(name)
    setProblem(wrong)
    if (wrong !== undefined || busy) return
    setBusy(true)
    try {
      const { folderId } = await api.of(parent).folderCreate({ parentId: parent.fId, folderName: name })
      itemsChanged([{ serverId: parent.serverId, fType: 2, fId: folderId }], [parent.fId])
      onMade(folderId)
    } catch (error) {
      if (error instanceof CallError && error.code === 'alreadyExists') setProblem(t('drive.name.alreadyExists'))
      else notifyFailure(error)
      setBusy(false)
    }
  }
  return (
    <form
      className="dr-folder-pick-new"
      onSubmit={(event) => {
        event.preventDefault()
        void make()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || isComposing(event)) return
        event.preventDefault()
        event.stopPropagation()
        onLeave()
      }}
    >
      <label htmlFor={id}>{t('drive.pick.newIn', { name: shortName(folderName(parent)) })}</label>
      <input
        id={id}
        value={name}
        autoFocus
        spellCheck={false}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-problem`}
        onFocus={(event) => event.target.select()}
        onChange={(event) => {
          setName(event.target.value)
          setProblem(undefined)
        }}
      />
      <Button type="submit" disabled={busy}>
        {t('drive.pick.make')}
      </Button>
      <Button kind="ghost" onClick={onLeave}>
        {t('drive.cancel')}
      </Button>
      {problem !== undefined && (
        <p id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </form>
  )
}
