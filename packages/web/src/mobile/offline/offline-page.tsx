// The files that are kept on this device, with what the device lacks for opening them without a network.
import { extNameOf, formatSize, shortTime } from '@cloudoc/domain'
import { type ReactNode, useEffect, useState } from 'react'
import { mainServer } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { openWindow } from '../../core/windows/index.ts'
import { FileIcon } from '../../items/item/file-icon.tsx'
import { IconButton } from '../../kit/button.tsx'
import { Delete20Regular, Dismiss20Regular } from '../../kit/icons.ts'
import { StatePage } from '../../kit/state-page.tsx'
import { MobilePage } from '../frame.tsx'
import '../late-texts.ts'
import {
  askPersistence,
  dropOffline,
  forgetLost,
  type LostCopy,
  markedStore,
  readLost,
  readMarked,
} from './marked-copies.ts'
import { missingForOffline } from './shell.ts'
import { useKeep } from './use-offline-entries.tsx'

export function OfflinePage(): ReactNode {
  const t = useT()
  const locale = useLocale()
  const { accountId } = useSession().account
  const { files, outdated, lost, isPersistent } = markedStore()
  const [now] = useState(Date.now)
  const missing = missingForOffline()
  const hasFiles = files.length > 0
  useEffect(() => void readLost().catch(readMarked), [])
  useEffect(() => {
    if (hasFiles) void askPersistence()
  }, [hasFiles])
  return (
    <MobilePage title={t('mobile.offlineFiles')} back="/m/me">
      {missing !== undefined && (
        <p className="m-note" role="note">
          {t(`mobile.missing.${missing}`)}
        </p>
      )}
      {hasFiles && isPersistent === false && <p className="m-note">{t('mobile.offlineLost')}</p>}
      {hasFiles && isPersistent === true && <p className="m-note">{t('mobile.safe')}</p>}
      {lost.length > 0 && <LostFiles lost={lost} />}
      {files.length === 0 && lost.length === 0 ? (
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

/** The files that were available offline and are gone, each of which can be kept again. */
function LostFiles({ lost }: { readonly lost: readonly LostCopy[] }): ReactNode {
  const t = useT()
  const keep = useKeep()
  const again = ({ fileId, name, fileSize }: LostCopy): Promise<void> =>
    keep({ ...mainServer, fId: fileId, fName: name, fileSize })
  return (
    <section className="m-lost" aria-labelledby="m-lost">
      <h2 id="m-lost">{t('mobile.gone')}</h2>
      <p>{t('mobile.goneWhy')}</p>
      <ul className="m-items">
        {lost.map((one) => (
          <li key={one.fileId}>
            <button type="button" className="m-item" onClick={() => void again(one)}>
              <span className="m-item-icon">
                <FileIcon ext={extNameOf(one.name)} size={40} />
              </span>
              <span className="m-item-words">
                <span className="m-item-name">
                  <span>{one.name}</span>
                </span>
                <small>
                  {formatSize(one.fileSize)} · {t('mobile.again')}
                </small>
              </span>
            </button>
            <IconButton
              label={t('mobile.forget', { name: one.name })}
              icon={<Dismiss20Regular />}
              onClick={() => void forgetLost(one.fileId)}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
