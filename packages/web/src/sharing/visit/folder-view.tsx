// A folder of a link: browsing, viewing and downloading its files, and uploading where the link allows it. Also the
// upload-only page of a file collection, which shows each visitor only their own files.
import { extNameOf } from '@cloudoc/domain'
import { type DragEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { EditTools } from './edit-tools.tsx'
import { detailsOf, PrintButton, useDownload, Viewer, type ViewProps } from './file-view.tsx'
import { dateTimeText, type Labels, sizeText, validityText } from './labels.ts'
import { PictureGrid } from './picture-grid.tsx'
import { TopBar } from './top-bar.tsx'
import { TypeIcon } from './type-icon.tsx'
import {
  type FolderQuery,
  pageSize,
  readFolder,
  uploadFile,
  type VisitedFolder,
  type VisitedItem,
} from './visitor-api.ts'

const gives = { download: 8, upload: 16 }

/** Returns a folder and the part of its list that is loaded. */
function useFolder(folderId: number, wanted: FolderQuery, onGone: () => void) {
  const [folder, setFolder] = useState<VisitedFolder>()
  const { sort, order, keyword } = wanted
  const load = useCallback(
    async (from: number) => {
      try {
        const page = await readFolder(folderId, { sort, order, keyword }, from)
        setFolder((before) =>
          from === 0 || before === undefined ? page : { ...page, list: [...before.list, ...page.list] },
        )
      } catch {
        onGone()
      }
    },
    [folderId, sort, order, keyword, onGone],
  )
  useEffect(() => void load(0), [load])
  return { folder, load }
}

export function FolderView({ link, say, onTurn, onGone }: ViewProps): ReactNode {
  const [folderId, setFolderId] = useState(link.fId)
  const [wanted, setWanted] = useState<FolderQuery>({ sort: 'name', order: 'asc', keyword: '' })
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [shownId, setShown] = useState<number>()
  const [asGrid, setAsGrid] = useState(false)
  const { folder, load } = useFolder(folderId, wanted, onGone)
  const { problem, run, fail } = useDownload(say, onGone)
  const mayTake = (link.rights & gives.download) !== 0 && link.downloadsLeft !== 0
  const list = folder?.list ?? []
  const shown = list.find(({ fType, fId }) => fType === 1 && fId === shownId)
  const picked = list.filter((item) => chosen.has(keyOf(item)))
  const go = (id: number): void => {
    setFolderId(id)
    setChosen(new Set())
    setWanted({ ...wanted, keyword: '' })
  }
  const open = (item: VisitedItem): void => {
    if (item.fType === 2) go(item.fId)
    else if (item.mayPreview) setShown(item.fId)
  }
  const toggle = (item: VisitedItem): void => {
    const next = new Set(chosen)
    if (!next.delete(keyOf(item))) next.add(keyOf(item))
    setChosen(next)
  }
  return (
    <>
      <TopBar link={link} say={say} onTurn={onTurn} details={detailsOf(link, say)}>
        {(link.rights & gives.upload) !== 0 && (
          <Uploader folderId={folderId} say={say} onDone={() => void load(0)} compact />
        )}
        {mayTake && (
          <button type="button" className="vi-main" onClick={() => run([{ fId: link.fId, fType: 2 }])}>
            {say('downloadAll')}
          </button>
        )}
      </TopBar>
      <main className="vi-folder">
        <div className="vi-path">
          <nav aria-label={link.fName}>
            {folder?.path.map(({ fId, fName }, n) => (
              <button key={fId} type="button" disabled={n === folder.path.length - 1} onClick={() => go(fId)}>
                {fName}
              </button>
            ))}
          </nav>
          <small>{folder !== undefined && say(folder.total === 1 ? 'item' : 'items', { n: folder.total })}</small>
          <span className="vi-views" role="group" aria-label={say('views')}>
            {([false, true] as const).map((grid) => (
              <button key={String(grid)} type="button" aria-pressed={asGrid === grid} onClick={() => setAsGrid(grid)}>
                {say(grid ? 'asPictures' : 'asList')}
              </button>
            ))}
          </span>
          <input
            type="search"
            aria-label={say('search')}
            placeholder={say('search')}
            value={wanted.keyword}
            onChange={({ target }) => setWanted({ ...wanted, keyword: target.value })}
          />
        </div>
        {problem}
        {picked.length > 0 && (
          <div className="vi-picked" role="status">
            <b>{selectionText(picked, say)}</b>
            {mayTake && (
              <button type="button" className="vi-take" onClick={() => run(picked)}>
                {say(picked.length === 1 && picked[0]?.fType === 1 ? 'download' : 'downloadSome')}
              </button>
            )}
            <button type="button" onClick={() => setChosen(new Set())}>
              {say('clear')}
            </button>
          </div>
        )}
        {folder === undefined ? (
          <p className="vi-wait">{say('loading')}</p>
        ) : list.length === 0 ? (
          <p className="vi-wait">{say(wanted.keyword === '' ? 'empty' : 'nothing')}</p>
        ) : asGrid ? (
          <PictureGrid
            list={list}
            mayTake={mayTake}
            isChosen={(item) => chosen.has(keyOf(item))}
            onToggle={toggle}
            onOpen={open}
          />
        ) : (
          <FolderTable
            list={list}
            say={say}
            mayTake={mayTake}
            chosen={chosen}
            onChosen={setChosen}
            wanted={wanted}
            onWanted={setWanted}
            onToggle={toggle}
            onOpen={open}
            onTake={(item) => run([item])}
          />
        )}
        {folder !== undefined && list.length < folder.total && list.length >= pageSize && (
          <button type="button" onClick={() => void load(list.length)}>
            {say('more')}
          </button>
        )}
        <footer>{say('foot')}</footer>
        {shown !== undefined && (
          <FileOverlay item={shown} say={say} onGone={onGone} onClose={() => setShown(undefined)}>
            {shown.mayEdit && <EditTools file={shown} say={say} onChanged={() => void load(0)} />}
            {mayTake && <PrintButton file={shown} say={say} onDone={onGone} onFail={fail} />}
            {mayTake && shown.mayDownload && (
              <button type="button" className="vi-main" onClick={() => run([shown])}>
                {say('download')}
              </button>
            )}
          </FileOverlay>
        )}
      </main>
    </>
  )
}

interface FolderTableProps {
  readonly list: readonly VisitedItem[]
  readonly say: Labels
  readonly mayTake: boolean
  readonly chosen: ReadonlySet<string>
  readonly onChosen: (chosen: ReadonlySet<string>) => void
  readonly wanted: FolderQuery
  readonly onWanted: (wanted: FolderQuery) => void
  readonly onToggle: (item: VisitedItem) => void
  readonly onOpen: (item: VisitedItem) => void
  readonly onTake: (item: VisitedItem) => void
}

/** The items of the folder with their time and size. */
function FolderTable({ list, say, mayTake, chosen, wanted, ...on }: FolderTableProps): ReactNode {
  const { onChosen, onWanted, onToggle, onOpen, onTake } = on
  const takable = list.filter(({ mayDownload }) => mayDownload)
  const picked = list.filter((item) => chosen.has(keyOf(item))).length
  const sortBy = (sort: FolderQuery['sort']): void =>
    onWanted({ ...wanted, sort, order: wanted.sort === sort && wanted.order === 'asc' ? 'desc' : 'asc' })
  return (
    <table className="vi-list">
      <thead>
        <tr>
          {mayTake && (
            <th className="vi-tick">
              <input
                type="checkbox"
                aria-label={say('downloadAll')}
                checked={picked > 0 && picked === takable.length}
                onChange={({ target }) => onChosen(new Set(target.checked ? takable.map(keyOf) : []))}
              />
            </th>
          )}
          {(['name', 'time', 'size'] as const).map((sort) => (
            <th key={sort} className={`vi-${sort}`} aria-sort={sortOf(wanted, sort)}>
              <button type="button" onClick={() => sortBy(sort)}>
                {say(sort === 'name' ? 'columnName' : sort === 'time' ? 'columnTime' : 'columnSize')}
                {wanted.sort === sort && (wanted.order === 'asc' ? ' ↑' : ' ↓')}
              </button>
            </th>
          ))}
          <th className="vi-do" aria-label={say('download')} />
        </tr>
      </thead>
      <tbody>
        {list.map((item) => (
          <tr key={keyOf(item)} data-chosen={chosen.has(keyOf(item))}>
            {mayTake && (
              <td className="vi-tick">
                <input
                  type="checkbox"
                  aria-label={item.fName}
                  disabled={!item.mayDownload}
                  checked={chosen.has(keyOf(item))}
                  onChange={() => onToggle(item)}
                />
              </td>
            )}
            <td className="vi-name">
              <button type="button" onClick={() => onOpen(item)} disabled={item.fType === 1 && !item.mayPreview}>
                <TypeIcon of={item} size={22} />
                <span>
                  {item.fName}
                  <small className="vi-facts">{factsOf(item)}</small>
                </span>
              </button>
            </td>
            <td className="vi-time">{dateTimeText(item.modifyTime)}</td>
            <td className="vi-size">{item.fType === 2 ? '—' : sizeText(item.fileSize)}</td>
            <td className="vi-do">
              {mayTake && item.mayDownload && (
                <button type="button" onClick={() => onTake(item)}>
                  {say('download')}
                </button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const keyOf = ({ fType, fId }: VisitedItem): string => `${fType} ${fId}`

/** Returns the details below a name on a phone, where there is no room for columns. */
const factsOf = ({ fType, fileSize, modifyTime }: VisitedItem): string =>
  [fType === 2 ? '' : sizeText(fileSize), dateTimeText(modifyTime)].filter(Boolean).join(' · ')

function selectionText(picked: readonly VisitedItem[], say: Labels): string {
  const count = say('selected', { n: picked.length })
  const bytes = picked.reduce((sum, { fileSize }) => sum + fileSize, 0)
  return picked.every(({ fType }) => fType === 1) ? `${count} · ${sizeText(bytes)}` : count
}

function sortOf(wanted: FolderQuery, sort: FolderQuery['sort']): 'ascending' | 'descending' | 'none' {
  if (wanted.sort !== sort) return 'none'
  return wanted.order === 'asc' ? 'ascending' : 'descending'
}

interface FileOverlayProps {
  readonly item: VisitedItem
  readonly say: Labels
  readonly onGone: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A file shown above its folder. */
function FileOverlay({ item, say, onGone, onClose, children }: FileOverlayProps): ReactNode {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') onClose()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [onClose])
  return (
    <div className="vi-over" role="dialog" aria-modal="true" aria-label={item.fName}>
      <div className="vi-bar">
        <TypeIcon of={item} size={40} />
        <div>
          <h2 title={item.fName}>{item.fName}</h2>
          <small>{sizeText(item.fileSize)}</small>
        </div>
        {children}
        <button type="button" autoFocus onClick={onClose}>
          {say('close')}
        </button>
      </div>
      <div className="vi-stage">
        <Viewer
          key={`${item.fId} ${item.version}`}
          fileId={item.fId}
          name={item.fName}
          size={item.fileSize}
          failed={say('cannotShow')}
          onGone={onGone}
        />
      </div>
    </div>
  )
}

/** The page of a file collection. */
export function UploadView({ link, say, onTurn, onGone }: ViewProps): ReactNode {
  const [wanted] = useState<FolderQuery>({ sort: 'time', order: 'desc', keyword: '' })
  const { folder, load } = useFolder(link.fId, wanted, onGone)
  return (
    <>
      <TopBar link={link} say={say} onTurn={onTurn} details={[link.creatorName, link.visitor].filter(Boolean)} />
      <main className="vi-folder vi-collect">
        <aside>
          <div className="vi-wanted">
            <h2>{say('asks', { who: link.creatorName })}</h2>
            <small>{link.company}</small>
            {link.note !== '' && <p className="vi-greeting">{link.note}</p>}
            <dl>
              <dt>{say('deadline')}</dt>
              <dd>{validityText(link.endTime, say, 'deadlineAt')}</dd>
            </dl>
          </div>
          <p className="vi-hint">
            {say('bringHint', { who: link.creatorName })} {say('foot')}
          </p>
        </aside>
        <section className="vi-bring">
          <Uploader folderId={link.fId} say={say} onDone={() => void load(0)} />
          <h2>
            {say('mine')} {folder?.list.length ?? 0}
          </h2>
          <ul className="vi-mine">
            {folder?.list.map(({ fId, fName, fileSize, modifyTime }) => (
              <li key={fId}>
                <TypeIcon of={{ fType: 1, extName: extNameOf(fName) }} size={22} />
                <b>{fName}</b>
                <small>
                  {sizeText(fileSize)} · {say('received')} {dateTimeText(modifyTime)}
                </small>
              </li>
            ))}
          </ul>
        </section>
      </main>
    </>
  )
}

interface Coming {
  readonly id: number
  readonly name: string
  readonly share: number
  readonly problem?: string
  readonly stop: () => void
}

interface UploaderProps {
  readonly folderId: number
  readonly say: Labels
  readonly onDone: () => void
  readonly compact?: boolean
}

let numbered = 0

function Uploader({ folderId, say, onDone, compact = false }: UploaderProps): ReactNode {
  const input = useRef<HTMLInputElement>(null)
  const [coming, setComing] = useState<readonly Coming[]>([])
  const change = (id: number, what: Partial<Coming>): void =>
    setComing((all) => all.map((one) => (one.id === id ? { ...one, ...what } : one)))
  const send = async (files: readonly File[]): Promise<void> => {
    for (const file of files) {
      const id = (numbered += 1)
      const { done, stop } = uploadFile(folderId, file, (share) => change(id, { share }))
      setComing((all) => [...all, { id, name: file.name, share: 0, stop }])
      try {
        await done
        setComing((all) => all.filter((one) => one.id !== id))
        onDone()
      } catch (error) {
        change(id, { problem: say('failed', { why: error instanceof Error ? error.message : '' }) })
      }
    }
  }
  const onDrop = (event: DragEvent): void => {
    event.preventDefault()
    void send([...event.dataTransfer.files])
  }
  return (
    <div
      className={compact ? 'vi-up is-compact' : 'vi-up'}
      onDragOver={(event) => event.preventDefault()}
      onDrop={onDrop}
    >
      {!compact && <p>{say('drop')}</p>}
      <button type="button" className={compact ? '' : 'vi-main'} onClick={() => input.current?.click()}>
        {say('upload')}
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={say('upload')}
        onChange={({ target }) => {
          void send([...(target.files ?? [])])
          target.value = ''
        }}
      />
      {coming.length > 0 && (
        <ul className="vi-coming" role="status">
          {coming.map(({ id, name, share, problem, stop }) => (
            <li key={id}>
              <b>{name}</b>
              {problem === undefined ? (
                <>
                  <progress max={1} value={share} />
                  <small>{say('sending', { n: Math.round(share * 100) })}</small>
                  <button type="button" onClick={stop}>
                    {say('stop')}
                  </button>
                </>
              ) : (
                <>
                  <small className="vi-problem">{problem}</small>
                  <button type="button" onClick={() => setComing((all) => all.filter((one) => one.id !== id))}>
                    {say('close')}
                  </button>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
