import { formatSize, shortTime } from '@cloudoc/domain'
import { type ReactNode, useEffect, useState } from 'react'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { accountRecords, type TransferRecord } from '../../core/storage/account-records.ts'
import { type OfflineFile, offlineFiles } from '../../core/storage/offline-copies.ts'
import { Button } from '../../kit/button.tsx'
import { ChevronRight12Regular, Document20Regular, Folder20Filled, PlugDisconnected20Regular } from '../../kit/icons.ts'
import { type VisitedFolder, visitedFolders } from './visited-folders.ts'
import './offline.css'

interface OfflineProps {
  readonly accountId: number
  readonly onRetry: () => void
  /** Opens an offline copy. */
  readonly onRead: (fileId: number) => void
}

/** What this browser has while the server is unreachable: opened files, visited folders, transfers ([R067]). */
export function OfflineView({ accountId, onRetry, onRead }: OfflineProps): ReactNode {
  const t = useT()
  const [folders, setFolders] = useState<readonly VisitedFolder[]>()
  const [transfers, setTransfers] = useState<readonly TransferRecord[]>([])
  const [openId, setOpenId] = useState<number>()
  const [files, setFiles] = useState<readonly OfflineFile[]>([])
  useEffect(() => {
    void offlineFiles(accountId).then(setFiles)
    void visitedFolders(accountId).then(setFolders)
    void accountRecords(accountId).transfers().then(setTransfers)
  }, [accountId])
  const open = folders?.find(({ folderId }) => folderId === openId)

  return (
    <main className="offline">
      <header className="offline-bar">
        <PlugDisconnected20Regular />
        <h1>{t('offline.title')}</h1>
        <p>{t('offline.note')}</p>
        <Button kind="primary" onClick={onRetry}>
          {t('app.retry')}
        </Button>
      </header>
      <div className="offline-page">
        {open === undefined ? (
          <>
            {files.length > 0 && <h2>{t('offline.files')}</h2>}
            <ul>
              {files.map(({ fileId, name, fileSize, keptAt }) => (
                <Line
                  key={fileId}
                  name={name}
                  more={formatSize(fileSize, 1)}
                  time={keptAt}
                  onOpen={() => onRead(fileId)}
                />
              ))}
            </ul>
            <h2>{t('offline.folders')}</h2>
            {folders?.length === 0 && <p className="offline-none">{t('offline.none')}</p>}
            <ul>
              {folders?.map((folder) => (
                <Line
                  key={folder.folderId}
                  isFolder
                  name={folder.name}
                  more={folder.above.map(isolated).join(' / ')}
                  time={folder.seenAt}
                  onOpen={() => setOpenId(folder.folderId)}
                />
              ))}
            </ul>
            {transfers.length > 0 && <h2>{t('offline.transfers')}</h2>}
            <ul>
              {transfers.map((task) => (
                <Line
                  key={`${task.type}${task.taskId}`}
                  name={task.description}
                  more={t(`offline.${task.type}`, { done: task.successFileCount, total: task.totalFileCount })}
                  time={task.createTime}
                />
              ))}
            </ul>
          </>
        ) : (
          <Folder
            folder={open}
            known={folders ?? []}
            files={files}
            onOpen={setOpenId}
            onRead={(fileId) => onRead(fileId)}
          />
        )}
      </div>
    </main>
  )
}

interface FolderProps {
  readonly folder: VisitedFolder
  readonly known: readonly VisitedFolder[]
  /** Opens a visited folder. Undefined goes back to the list of folders. */
  readonly onOpen: (folderId: number | undefined) => void
  /** Files with an offline copy. */
  readonly files: readonly OfflineFile[]
  readonly onRead: (fileId: number) => void
}

function Folder({ folder, known, files, onOpen, onRead }: FolderProps): ReactNode {
  const t = useT()
  const more = folder.total - folder.items.length
  return (
    <>
      <nav className="offline-path" aria-label={t('offline.folders')}>
        <Button kind="link" autoFocus onClick={() => onOpen(undefined)}>
          {t('offline.folders')}
        </Button>
        {[...folder.above, folder.name].map((name, i) => (
          <span key={`${i} ${name}`}>
            <ChevronRight12Regular />
            {name}
          </span>
        ))}
      </nav>
      {folder.items.length === 0 && <p className="offline-none">{t('offline.empty')}</p>}
      <ul>
        {folder.items.map(({ fId, fType, fName, fileSize, modifyTime }) => (
          <Line
            key={`${fType} ${fId}`}
            isFolder={fType === 2}
            name={fName}
            more={fType === 2 ? '' : formatSize(fileSize, 1)}
            time={modifyTime}
            {...(fType === 2 && known.some(({ folderId }) => folderId === fId) && { onOpen: () => onOpen(fId) })}
            {...(fType === 1 && files.some(({ fileId }) => fileId === fId) && { onOpen: () => onRead(fId) })}
          />
        ))}
      </ul>
      {more > 0 && <p className="offline-none">{t('offline.more', { n: more })}</p>}
    </>
  )
}

interface LineProps {
  readonly name: string
  readonly more: string
  readonly time: number
  readonly isFolder?: boolean
  readonly onOpen?: () => void
}

function Line({ name, more, time, isFolder = false, onOpen }: LineProps): ReactNode {
  const locale = useLocale()
  const [now] = useState(() => Date.now())
  const inside = (
    <>
      {isFolder ? <Folder20Filled className="offline-folder" /> : <Document20Regular />}
      <span className="offline-name" title={name}>
        {name}
      </span>
      <span className="offline-more" title={more}>
        {more}
      </span>
      <time>{shortTime(time, now, locale)}</time>
    </>
  )
  return (
    <li>
      {onOpen === undefined ? (
        <div className="offline-line">{inside}</div>
      ) : (
        <button type="button" className="offline-line" onClick={onOpen}>
          {inside}
        </button>
      )}
    </li>
  )
}
