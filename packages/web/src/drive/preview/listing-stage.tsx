// What is in an archive, folder by folder.
import type { ListedEntry, Listing } from '@cloudoc/contract'
import { documentKind, extNameOf, formatSize } from '@cloudoc/domain'
import {
  ArrowDownload16Regular,
  Folder20Filled,
  FolderArrowRight16Regular,
  LockClosed16Regular,
} from '@fluentui/react-icons'
import { type ReactNode, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { CallError } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { FileIcon } from '../item/file-icon.tsx'
import type { ArchiveAccess } from './archive-access.ts'
import { ArchiveFolders, foldersOf } from './archive-folders.tsx'
import { ArchiveSide } from './archive-side.tsx'

interface Line {
  readonly name: string
  readonly path: string
  readonly entry: ListedEntry | undefined
  /** Files in a folder, all the way down; undefined for a file. */
  readonly files: number | undefined
}

interface ListingStageProps {
  readonly listing: Listing
  readonly name: string
  readonly access?: ArchiveAccess | undefined
  /** Shows what was made of a file in it. */
  readonly Entry: (props: EntryProps) => ReactNode
  readonly onFail: EntryProps['onFail']
  readonly onRefused: EntryProps['onRefused']
}

/** What shows a file of an archive is given. */
export interface EntryProps {
  readonly url: string
  readonly name: string
  readonly onFail: (error: unknown) => void
  readonly onRefused: (state: number, message: string) => void
}

/** Bytes of the largest file that the server takes out. */
const largestEntry = 64 * 1024 * 1024

/** Shows what an archive holds. */
export function ListingStage({ listing, name, access, ...showing }: ListingStageProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [folder, setFolder] = useState('')
  const [opened, setOpened] = useState<ListedEntry>()
  const [chosen, setChosen] = useState<ListedEntry>()
  const lines = useMemo(() => linesOf(listing.entries, folder), [listing, folder])
  const tree = useMemo(() => foldersOf(listing.entries, name), [listing, name])
  const files = useMemo(() => listing.entries.filter(({ path }) => !path.endsWith('/')), [listing])
  const steps = folder.split('/').slice(0, -1)
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'short' })
  const go = (path: string): void => {
    setOpened(undefined)
    setChosen(undefined)
    setFolder(path)
  }
  const locked = files.filter(({ encrypted }) => encrypted).length
  const hasSide = chosen !== undefined && access !== undefined
  const looks = ['rd-listing', tree.inside.size > 0 && 'has-folders', hasSide && 'has-side'].filter(Boolean).join(' ')
  const canTake = opened !== undefined && access !== undefined
  return (
    <div className={looks}>
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
            <button type="button" className="pv-wide" onClick={access.all}>
              <FolderArrowRight16Regular /> {t('drive.preview.unpackAll')}
            </button>
          </span>
        )}
        {canTake && (
          <span className="rd-entry-tools">
            <button type="button" className="pv-wide is-main" onClick={() => access.take(opened)}>
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
      <div hidden={opened !== undefined} className="rd-entries" tabIndex={0}>
        <table>
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
            {lines.map((line) => (
              <tr
                key={line.path}
                className={line.entry !== undefined && line.entry === chosen ? 'is-chosen' : undefined}
                onClick={() => setChosen(line.entry)}
              >
                <td>
                  {line.files === undefined && access !== undefined && isShown(line.entry) ? (
                    <button type="button" className="rd-entry" onClick={() => setOpened(line.entry)}>
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
                    <button type="button" className="rd-entry" onClick={() => go(line.path)}>
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
                          onClick={() => line.entry && access.take(line.entry)}
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
        {locked > 0 && <span>{t('drive.preview.lockedOnes', { n: locked })}</span>}
      </footer>
      {hasSide && <ArchiveSide entry={chosen} access={access} isTaken={isTaken(chosen)} />}
    </div>
  )
}

const nameOf = ({ path }: ListedEntry): string => path.slice(path.lastIndexOf('/') + 1)

/** Whether the server takes it out. */
const isTaken = ({ encrypted, size }: ListedEntry): boolean => !encrypted && size <= largestEntry

/** How much of a file packing saved, where that is known. */
const savedBy = ({ entry, files }: Line): string =>
  entry === undefined || files !== undefined || entry.size === 0 || entry.packed === 0
    ? ''
    : `${Math.max(0, Math.round((1 - entry.packed / entry.size) * 100))}%`

const isShown = (entry: ListedEntry | undefined): boolean =>
  entry !== undefined && isTaken(entry) && entry.size > 0 && documentKind(extNameOf(nameOf(entry))) !== undefined

type InsideProps = Pick<ListingStageProps, 'Entry' | 'onFail' | 'onRefused'> & {
  readonly entry: ListedEntry
  readonly access: ArchiveAccess
}

/** One file of the archive, once it has been made something of. */
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

/** What lies right in a folder of the archive: folders first, by name. */
export function linesOf(entries: readonly ListedEntry[], folder: string): Line[] {
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
