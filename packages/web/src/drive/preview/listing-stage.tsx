// What is in an archive, folder by folder.
import type { ListedEntry, Listing } from '@cloudoc/contract'
import { extNameOf, formatSize } from '@cloudoc/domain'
import { ArrowDownload16Regular, Folder20Filled, LockClosed16Regular } from '@fluentui/react-icons'
import { type ReactNode, useMemo, useState } from 'react'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { FileIcon } from '../item/file-icon.tsx'

interface Line {
  readonly name: string
  readonly path: string
  readonly entry: ListedEntry | undefined
  /** Files in a folder, all the way down; undefined for a file. */
  readonly files: number | undefined
}

/** Takes one file out of an archive, by its path in it. */
export type TakeEntry = (entry: ListedEntry) => void

interface ListingStageProps {
  readonly listing: Listing
  readonly name: string
  /** For whoever may have the archive. */
  readonly onTake?: TakeEntry | undefined
}

/** Bytes of the largest file that the server takes out. */
const largestEntry = 64 * 1024 * 1024

/** Shows what an archive holds. */
export function ListingStage({ listing, name, onTake }: ListingStageProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [folder, setFolder] = useState('')
  const lines = useMemo(() => linesOf(listing.entries, folder), [listing, folder])
  const files = useMemo(() => listing.entries.filter(({ path }) => !path.endsWith('/')), [listing])
  const steps = folder.split('/').slice(0, -1)
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'short' })
  return (
    <div className="rd-listing">
      <nav className="rd-crumbs" aria-label={t('drive.preview.inArchive')}>
        {['', ...steps].map((step, n) => (
          <button
            key={n}
            type="button"
            onClick={() =>
              setFolder(
                steps
                  .slice(0, n)
                  .map((one) => `${one}/`)
                  .join(''),
              )
            }
            aria-current={n === steps.length ? 'page' : undefined}
          >
            {n === 0 ? name : step}
          </button>
        ))}
        <span>
          {t('drive.preview.entries', {
            n: files.length,
            size: formatSize(files.reduce((sum, { size }) => sum + size, 0)),
          })}
        </span>
      </nav>
      <div className="rd-entries" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>{t('drive.preview.entryName')}</th>
              <th className="is-number">{t('drive.preview.entrySize')}</th>
              <th className="is-number">{t('drive.preview.entryPacked')}</th>
              <th className="is-number">{t('drive.preview.entryTime')}</th>
              {onTake !== undefined && <th aria-label={t('drive.download')} />}
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.path}>
                <td>
                  {line.files === undefined ? (
                    <span className="rd-entry">
                      <FileIcon ext={extNameOf(line.name)} /> {line.name}{' '}
                      {line.entry?.encrypted === true && (
                        <LockClosed16Regular aria-label={t('drive.preview.entryLocked')} />
                      )}
                    </span>
                  ) : (
                    <button type="button" className="rd-entry" onClick={() => setFolder(line.path)}>
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
                <td className="is-number">{line.entry?.modified ? time.format(line.entry.modified) : ''}</td>
                {onTake !== undefined && (
                  <td className="is-number">
                    {line.entry !== undefined &&
                      line.files === undefined &&
                      !line.entry.encrypted &&
                      line.entry.size <= largestEntry && (
                        <button
                          type="button"
                          className="rd-take"
                          title={t('drive.download')}
                          aria-label={`${t('drive.download')} ${line.name}`}
                          onClick={() => line.entry && onTake(line.entry)}
                        >
                          <ArrowDownload16Regular />
                        </button>
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
        {t(onTake === undefined ? 'drive.preview.notUnpacked' : 'drive.preview.takeOne')}
      </footer>
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
