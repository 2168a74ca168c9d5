// The archive viewer: its content folder by folder.
import type { Listing } from '@cloudoc/contract'
import { documentKind, extNameOf, formatSize, type NameEncoding } from '@cloudoc/domain'
import {
  ArrowDownload16Regular,
  Folder20Filled,
  FolderArrowRight16Regular,
  LockClosed16Regular,
} from '@fluentui/react-icons'
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useId, useMemo, useRef, useState } from 'react'
import { CallError } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { FileIcon } from '../../items/item/file-icon.tsx'
import { Select } from '../../kit/select.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { useTypeAhead } from '../../kit/use-type-ahead.ts'
import type { ArchiveAccess, DecodedEntry } from '../rendition/archive-access.ts'
import { ArchiveFolders, foldersOf } from './archive-folders.tsx'
import { decodeEntries, hasAmbiguousName, nameEncodings } from './archive-names.ts'
import { ArchivePanel } from './archive-panel.tsx'

interface Line {
  readonly name: string
  readonly path: string
  readonly entry: DecodedEntry | undefined
  /** The number of files in a folder, recursively; undefined for a file. */
  readonly files: number | undefined
}

interface ListingViewerProps {
  readonly listing: Listing
  readonly name: string
  readonly access?: ArchiveAccess | undefined
  /** Renders the preview of a file in the archive. */
  readonly Entry: (props: EntryProps) => ReactNode
  readonly onFail: EntryProps['onFail']
  readonly onRefused: EntryProps['onRefused']
}

/** The props of the viewer of a file in the archive. */
export interface EntryProps {
  readonly url: string
  readonly name: string
  readonly onFail: (error: unknown) => void
  readonly onRefused: (state: number, message: string) => void
}

/** The number of rows that Page Up and Page Down move. */
const pageOf = 12
/** The maximum size of a file that the server extracts, in bytes. */
const largestEntry = 64 * 1024 * 1024

/** Renders the content of an archive. */
export function ListingViewer({ listing, name, access, ...showing }: ListingViewerProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [folder, setFolder] = useState('')
  const [opened, setOpened] = useState<DecodedEntry>()
  const [here, setHere] = useState<string>()
  const [names, setNames] = useState<NameEncoding>()
  const entries = useMemo(() => decodeEntries(listing.entries, names), [listing, names])
  const lines = useMemo(() => linesOf(entries, folder), [entries, folder])
  const tree = useMemo(() => foldersOf(entries, name), [entries, name])
  const files = useMemo(() => entries.filter(({ path }) => !path.endsWith('/')), [entries])
  const at = lines.findIndex(({ path }) => path === here)
  const chosen = lines[at]?.entry
  const steps = folder.split('/').slice(0, -1)
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'short' })
  const go = (path: string, line?: string): void => {
    setOpened(undefined)
    setHere(line)
    setFolder(path)
  }
  const id = useId()
  const table = useRef<HTMLTableElement>(null)
  useEffect(() => {
    // Does not take the focus from the find field.
    if (opened === undefined && document.activeElement?.tagName !== 'INPUT')
      table.current?.focus({ preventScroll: true })
  }, [opened, folder])
  useEffect(() => {
    if (at >= 0) document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, at])
  const open = (line: Line | undefined): void => {
    if (line === undefined) return
    if (line.files !== undefined) go(line.path)
    else if (access !== undefined && isShown(line.entry)) setOpened(line.entry)
  }
  const up = (): boolean => {
    if (opened !== undefined) setOpened(undefined)
    else if (folder === '') return false
    else go(folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1), folder)
    return true
  }
  const typed = useTypeAhead()
  /** Handles a key in the list; returns whether it did. */
  const takes = (event: KeyboardEvent): boolean => {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: pageOf,
      PageUp: -pageOf,
      Home: -lines.length,
      End: lines.length,
    }
    const step = steps[event.key]
    const letters = typed(event)
    if (event.ctrlKey || event.metaKey || event.altKey || lines.length === 0) return false
    if (step !== undefined) {
      const from = at < 0 && step > 0 ? -1 : Math.max(0, at)
      setHere(lines[Math.max(0, Math.min(lines.length - 1, from + step))]?.path)
    } else if (event.key === 'Enter' && at >= 0) open(lines[at])
    else if (letters !== undefined) {
      const from = letters.fromFocus ? Math.max(0, at) : at + 1
      const order = [...lines.slice(from), ...lines.slice(0, from)]
      const found = order.find((line) => line.name.toLowerCase().startsWith(letters.text.toLowerCase()))
      if (found === undefined) return false
      setHere(found.path)
    } else return false
    return true
  }
  const onListKey = (event: KeyboardEvent): void => {
    if (event.target !== table.current || !takes(event)) return
    event.preventDefault()
    event.stopPropagation()
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Backspace' || event.target instanceof HTMLInputElement || !up()) return
    event.preventDefault()
    event.stopPropagation()
  }
  const locked = files.filter(({ encrypted }) => encrypted).length
  const hasSide = chosen !== undefined && access !== undefined
  const looks = ['rd-listing', tree.inside.size > 0 && 'has-folders', hasSide && 'has-side'].filter(Boolean).join(' ')
  const canTake = opened !== undefined && access !== undefined
  return (
    <div className={looks} onKeyDown={onKey}>
      {tree.inside.size > 0 && <ArchiveFolders root={tree} current={folder} onGo={go} />}
      <nav className="rd-crumbs" aria-label={t('drive.preview.inArchive')}>
        {['', ...steps].map((step, n) => (
          <button
            key={n}
            type="button"
            onClick={() =>
              go(
                steps
                  .slice(0, n)
                  .map((one) => `${one}/`)
                  .join(''),
              )
            }
            aria-current={n === steps.length && opened === undefined ? 'page' : undefined}
          >
            {n === 0 ? name : step}
          </button>
        ))}
        {opened !== undefined && (
          <button type="button" aria-current="page">
            {nameOf(opened)}
          </button>
        )}
        <span>
          {opened === undefined
            ? t('drive.preview.entries', {
                n: files.length,
                size: formatSize(files.reduce((sum, { size }) => sum + size, 0)),
              })
            : formatSize(opened.size)}
        </span>
        {opened === undefined && access !== undefined && !listing.cut && files.length > 0 && (
          <span className="rd-entry-tools">
            <button type="button" className="pv-wide" onClick={() => access.saveAll(names)}>
              <FolderArrowRight16Regular /> {t('drive.preview.unpackAll')}
            </button>
          </span>
        )}
        {canTake && (
          <span className="rd-entry-tools">
            <button type="button" className="pv-wide is-main" onClick={() => access.download(opened)}>
              {t('drive.preview.entryTake')}
            </button>
            <button type="button" className="pv-wide" onClick={() => access.save(opened)}>
              {t('drive.preview.entrySave')}
            </button>
          </span>
        )}
      </nav>
      {opened !== undefined && access !== undefined && (
        <Inside key={opened.path} entry={opened} access={access} {...showing} />
      )}
      <div hidden={opened !== undefined} className="rd-entries">
        <table
          ref={table}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- a table whose rows are chosen
          role="grid"
          tabIndex={0}
          aria-label={t('drive.preview.inside', { n: files.length, folders: tree.inside.size })}
          aria-activedescendant={at < 0 ? undefined : `${id}-${at}`}
          onKeyDown={onListKey}
        >
          <thead>
            <tr>
              <th>{t('drive.preview.entryName')}</th>
              <th className="is-number">{t('drive.preview.entrySize')}</th>
              <th className="is-number">{t('drive.preview.entryPacked')}</th>
              <th className="is-number">{t('drive.preview.entryRatio')}</th>
              <th className="is-number">{t('drive.preview.entryTime')}</th>
              {access !== undefined && <th aria-label={t('drive.download')} />}
            </tr>
          </thead>
          <tbody>
            {lines.map((line, n) => (
              <tr
                key={line.path}
                id={`${id}-${n}`}
                className={n === at ? 'is-chosen' : undefined}
                aria-selected={n === at}
                onClick={() => setHere(line.path)}
              >
                <td>
                  {line.files === undefined && access !== undefined && isShown(line.entry) ? (
                    <button type="button" className="rd-entry" tabIndex={-1} onClick={() => open(line)}>
                      <FileIcon ext={extNameOf(line.name)} /> {line.name}
                      {documentKind(extNameOf(line.name)) === 'archive' && (
                        <small className="rd-entry-tag">{t('drive.preview.entryArchive')}</small>
                      )}
                    </button>
                  ) : line.files === undefined ? (
                    <span className="rd-entry">
                      <FileIcon ext={extNameOf(line.name)} /> {line.name}{' '}
                      {line.entry?.encrypted === true && (
                        <>
                          <LockClosed16Regular />
                          <small className="rd-entry-tag is-locked">{t('drive.preview.entryLocked')}</small>
                        </>
                      )}
                    </span>
                  ) : (
                    <button type="button" className="rd-entry" tabIndex={-1} onClick={() => open(line)}>
                      <Folder20Filled className="rd-folder" /> {line.name}
                    </button>
                  )}
                </td>
                <td className="is-number">
                  {line.files === undefined
                    ? formatSize(line.entry?.size ?? 0)
                    : t('drive.preview.files', { n: line.files })}
                </td>
                <td className="is-number">
                  {line.entry && line.files === undefined && (line.entry.packed > 0 || line.entry.size === 0)
                    ? formatSize(line.entry.packed)
                    : ''}
                </td>
                <td className="is-number">{savedBy(line)}</td>
                <td className="is-number">{line.entry?.modified ? time.format(line.entry.modified) : ''}</td>
                {access !== undefined && (
                  <td className="is-number">
                    {line.entry !== undefined && line.files === undefined && isTaken(line.entry) && (
                      <>
                        <button
                          type="button"
                          className="rd-take"
                          title={t('drive.preview.entrySave')}
                          aria-label={`${t('drive.preview.entrySave')} ${line.name}`}
                          onClick={() => line.entry && access.save(line.entry)}
                        >
                          <FolderArrowRight16Regular />
                        </button>
                        <button
                          type="button"
                          className="rd-take"
                          title={t('drive.download')}
                          aria-label={`${t('drive.download')} ${line.name}`}
                          onClick={() => line.entry && access.download(line.entry)}
                        >
                          <ArrowDownload16Regular />
                        </button>
                      </>
                    )}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
        {lines.length === 0 && <p className="rd-note">{t('drive.preview.nothingInside')}</p>}
        {listing.cut && <p className="rd-note">{t('drive.preview.onlyEntries', { n: listing.entries.length })}</p>}
      </div>
      <footer className="rd-foot">
        {t(access === undefined ? 'drive.preview.notUnpacked' : 'drive.preview.takeOne')}
        {listing.entries.some(hasAmbiguousName) && (
          <Select
            label={t('drive.preview.nameEncoding')}
            showLabel
            size="small"
            value={names ?? ''}
            options={[
              { value: '' as const, label: t('drive.preview.byItself') },
              ...nameEncodings.map((value) => ({ value, label: t(`drive.preview.names.${value}`) })),
            ]}
            onChange={(value) => {
              go('')
              setNames(value === '' ? undefined : value)
            }}
          />
        )}
        {locked > 0 && <span>{t('drive.preview.lockedOnes', { n: locked })}</span>}
      </footer>
      {hasSide && <ArchivePanel entry={chosen} access={access} isTaken={isTaken(chosen)} />}
    </div>
  )
}

const nameOf = ({ path }: DecodedEntry): string => path.slice(path.lastIndexOf('/') + 1)

/** Whether the server can extract it. */
const isTaken = ({ encrypted, size }: DecodedEntry): boolean => !encrypted && size <= largestEntry

/** The compression saving of a file, if known. */
const savedBy = ({ entry, files }: Line): string =>
  entry === undefined || files !== undefined || entry.size === 0 || entry.packed === 0
    ? ''
    : `${Math.max(0, Math.round((1 - entry.packed / entry.size) * 100))}%`

const isShown = (entry: DecodedEntry | undefined): boolean =>
  entry !== undefined && isTaken(entry) && entry.size > 0 && documentKind(extNameOf(nameOf(entry))) !== undefined

type InsideProps = Pick<ListingViewerProps, 'Entry' | 'onFail' | 'onRefused'> & {
  readonly entry: DecodedEntry
  readonly access: ArchiveAccess
}

/** The preview of one file of the archive. */
function Inside({ entry, access, Entry, onFail, onRefused }: InsideProps): ReactNode {
  const t = useT()
  const [url, setUrl] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const open = useEffectEvent(() => access.open(entry))
  useEffect(() => {
    let gone = false
    let made: string | undefined
    open().then(
      (address) => {
        made = address
        if (gone) URL.revokeObjectURL(address)
        else setUrl(address)
      },
      (error: unknown) => {
        if (!gone) setProblem(error instanceof CallError ? error.message : t('drive.preview.broken'))
      },
    )
    return () => {
      gone = true
      if (made !== undefined) URL.revokeObjectURL(made)
    }
  }, [t])
  return (
    <div className="rd-inside">
      {problem !== undefined ? (
        <p className="rd-note" role="alert">
          {problem}
        </p>
      ) : url === undefined ? (
        <Spinner />
      ) : (
        <Entry url={url} name={nameOf(entry)} onFail={onFail} onRefused={onRefused} />
      )}
    </div>
  )
}

/** The direct children of a folder in the archive: folders first, sorted by name. */
export function linesOf(entries: readonly DecodedEntry[], folder: string): Line[] {
  const folders = new Map<string, number>()
  const files: Line[] = []
  for (const entry of entries) {
    if (!entry.path.startsWith(folder) || entry.path === folder) continue
    const rest = entry.path.slice(folder.length)
    const slash = rest.indexOf('/')
    if (slash < 0) files.push({ name: rest, path: entry.path, entry, files: undefined })
    else {
      const name = rest.slice(0, slash)
      folders.set(name, (folders.get(name) ?? 0) + (entry.path.endsWith('/') ? 0 : 1))
    }
  }
  const byName = (a: Line, b: Line): number => a.name.localeCompare(b.name, 'zh')
  const inside = [...folders].map(
    ([name, count]): Line => ({ name, path: `${folder}${name}/`, entry: undefined, files: count }),
  )
  return [...inside.sort(byName), ...files.sort(byName)]
}
