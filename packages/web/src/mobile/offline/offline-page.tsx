// The files that are kept on this device, with what the device lacks for opening them without a network.
import { extNameOf, formatSize, shortTime } from '@cloudoc/domain'
import { type ReactNode, useEffect, useState } from 'react'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { openWindow } from '../../core/windows/index.ts'
import { FileIcon } from '../../items/item/file-icon.tsx'
import { IconButton } from '../../kit/button.tsx'
import { Delete20Regular } from '../../kit/icons.ts'
import { StatePage } from '../../kit/state-page.tsx'
import { MobilePage } from '../frame.tsx'
import { dropOffline, markedStore, readMarked } from './marked-copies.ts'
import { missingForOffline } from './shell.ts'

/** Whether the browser has promised not to remove what is kept; asked for once something is. */
function usePersistence(isNeeded: boolean): boolean | undefined {
  const [isPersistent, setPersistent] = useState<boolean>()
  useEffect(() => {
    // Undefined outside secure contexts, in spite of its declared type.
    const storage = navigator.storage as StorageManager | undefined
    if (isNeeded) void storage?.persist().then(setPersistent, () => undefined)
  }, [isNeeded])
  return isPersistent
}

export function OfflinePage(): ReactNode {
  const t = useT()
  const locale = useLocale()
  const { accountId } = useSession().account
  const { files, outdated } = markedStore()
  const [now] = useState(Date.now)
  const isPersistent = usePersistence(files.length > 0)
  const missing = missingForOffline()
  useEffect(() => void readMarked(), [])
  return (
    <MobilePage title={t('mobile.offlineFiles')} back="/m/me">
      {missing !== undefined && (
        <p className="m-note" role="note">
          {t(`mobile.missing.${missing}`)}
        </p>
      )}
      {isPersistent === false && <p className="m-note">{t('mobile.offlineLost')}</p>}
      {files.length === 0 ? (
        <StatePage title={t('mobile.offlineNone')} text={t('mobile.offlineNoneHint')} />
      ) : (
        <ul className="m-items" aria-label={t('mobile.offlineFiles')}>
          {files.map(({ fileId, name, fileSize, keptAt, version }) => (
            <li key={fileId}>
              <button
                type="button"
                className="m-item"
                onClick={() => void openWindow('drive-kept', { accountId, fileId })}
              >
                <span className="m-item-icon">
                  <FileIcon ext={extNameOf(name)} size={40} />
                </span>
                <span className="m-item-words">
                  <span className="m-item-name">
                    <span>{name}</span>
                  </span>
                  <small>
                    {formatSize(fileSize)} ·{' '}
                    {outdated.has(fileId)
                      ? t('mobile.offlineOld')
                      : t('mobile.offlineKept', { time: shortTime(keptAt, now, locale), version })}
                  </small>
                </span>
              </button>
              <IconButton
                label={t('mobile.offlineDrop', { name })}
                icon={<Delete20Regular />}
                onClick={() => void dropOffline(fileId)}
              />
            </li>
          ))}
        </ul>
      )}
    </MobilePage>
  )
}
