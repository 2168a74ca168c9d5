// The archive viewer: its content folder by folder.
import type { Listing } from '@cloudoc/contract'
import { formatSize, type NameEncoding } from '@cloudoc/domain'
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useId, useMemo, useRef, useState } from 'react'
import { CallError } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { FolderArrowRight16Regular } from '../../kit/icons.ts'
import { Select } from '../../kit/select.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { type Typed, useTypeAhead } from '../../kit/use-type-ahead.ts'
import type { ArchiveAccess, DecodedEntry } from '../rendition/archive-access.ts'
import { ArchiveFolders, foldersOf } from './archive-folders.tsx'
import { isShown, isTaken, type Line, linesOf, nameOf } from './archive-lines.ts'
import { decodeEntries, hasAmbiguousName, nameEncodings } from './archive-names.ts'
import { ArchivePanel } from './archive-panel.tsx'
import { ArchiveRow } from './archive-row.tsx'

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
    const letters = typed(event)
    if (event.ctrlKey || event.metaKey || event.altKey || lines.length === 0) return false
    const next = lineAfter(event.key, letters, lines, at)
    if (next !== undefined) setHere(next.path)
    else if (event.key === 'Enter' && at >= 0) open(lines[at])
    else return false
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
  return (
    <div className={looks} onKeyDown={onKey}>
      {tree.inside.size > 0 && <ArchiveFolders root={tree} current={folder} onGo={go} />}
      <Crumbs
        listing={listing}
        name={name}
        files={files}
        folder={folder}
        opened={opened}
        access={access}
        names={names}
        onGo={go}
      />
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
              <ArchiveRow
                key={line.path}
                id={`${id}-${n}`}
                line={line}
                isChosen={n === at}
                access={access}
                time={time}
                onChoose={() => setHere(line.path)}
                onOpen={() => open(line)}
              />
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

/** The line that a key goes to: with the arrow keys, and with the letters that its name begins with. */
function lineAfter(key: string, letters: Typed | undefined, lines: readonly Line[], at: number): Line | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: pageOf,
    PageUp: -pageOf,
    Home: -lines.length,
    End: lines.length,
  }
  const step = steps[key]
  if (step !== undefined) {
    const from = at < 0 && step > 0 ? -1 : Math.max(0, at)
    return lines[Math.max(0, Math.min(lines.length - 1, from + step))]
  }
  if (letters === undefined) return undefined
  const from = letters.fromFocus ? Math.max(0, at) : at + 1
  const order = [...lines.slice(from), ...lines.slice(0, from)]
  return order.find((line) => line.name.toLowerCase().startsWith(letters.text.toLowerCase()))
}

interface CrumbsProps {
  readonly listing: Listing
  readonly name: string
  readonly files: readonly DecodedEntry[]
  readonly folder: string
  readonly opened: DecodedEntry | undefined
  readonly access: ArchiveAccess | undefined
  readonly names: NameEncoding | undefined
  readonly onGo: (path: string) => void
}

/** The path to the folder or file, and what can be done with it. */
function Crumbs({ listing, name, files, folder, opened, access, names, onGo }: CrumbsProps): ReactNode {
  const t = useT()
  const steps = folder.split('/').slice(0, -1)
  const canTake = opened !== undefined && access !== undefined
  return (
    <nav className="rd-crumbs" aria-label={t('drive.preview.inArchive')}>
      {['', ...steps].map((step, n) => (
        <button
          key={n}
          type="button"
          onClick={() =>
            onGo(
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
  )
}

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
