// A file or folder in the list of an archive.
import { documentKind, extNameOf, formatSize } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { FileIcon } from '../../items/item/file-icon.tsx'
import {
  ArrowDownload16Regular,
  Folder20Filled,
  FolderArrowRight16Regular,
  LockClosed16Regular,
} from '../../kit/icons.ts'
import type { ArchiveAccess } from '../rendition/archive-access.ts'
import { isShown, isTaken, type Line } from './archive-lines.ts'

interface RowProps {
  readonly id: string
  readonly line: Line
  readonly isChosen: boolean
  readonly access: ArchiveAccess | undefined
  readonly time: Intl.DateTimeFormat
  readonly onChoose: () => void
  readonly onOpen: () => void
}

export function ArchiveRow({ id, line, isChosen, access, time, onChoose, onOpen }: RowProps): ReactNode {
  const t = useT()
  return (
    <tr id={id} className={isChosen ? 'is-chosen' : undefined} aria-selected={isChosen} onClick={onChoose}>
      <td>
        {line.files === undefined && access !== undefined && isShown(line.entry) ? (
          <button type="button" className="rd-entry" tabIndex={-1} onClick={onOpen}>
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
          <button type="button" className="rd-entry" tabIndex={-1} onClick={onOpen}>
            <Folder20Filled className="rd-folder" /> {line.name}
          </button>
        )}
      </td>
      <td className="is-number">
        {line.files === undefined ? formatSize(line.entry?.size ?? 0) : t('drive.preview.files', { n: line.files })}
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
  )
}

/** The compression saving of a file, if known. */
const savedBy = ({ entry, files }: Line): string =>
  entry === undefined || files !== undefined || entry.size === 0 || entry.packed === 0
    ? ''
    : `${Math.max(0, Math.round((1 - entry.packed / entry.size) * 100))}%`
