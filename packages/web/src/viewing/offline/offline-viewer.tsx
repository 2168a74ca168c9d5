// The viewer of a cached file while the server is unreachable ([R067]).
import { extNameOf, formatSize, fullTime } from '@cloudoc/domain'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { type OfflineCopy, readOfflineCopy } from '../../core/storage/offline-copies.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { PlugDisconnected20Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { ClosableHead } from '../shared/closable-head.tsx'
import { Content } from '../viewers/content.tsx'
import '../shared/texts.ts'
import '../shared/preview.css'

interface OfflineViewerProps {
  readonly kept: OfflineCopy
  /** Asks the server again. */
  readonly onRetry?: () => void
}

/** Renders the cached content with its age. */
export function OfflineViewer({ kept, onRetry }: OfflineViewerProps): ReactNode {
  const t = useT()
  const [url, setUrl] = useState<string>()
  const [broken, setBroken] = useState(false)
  useEffect(() => {
    const made = URL.createObjectURL(kept.content)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [kept])
  const fail = useCallback(() => setBroken(true), [])
  const { fileId, version, name, fileSize, form, keptAt } = kept
  const none = <p className="pv-unable">{t('drive.preview.broken')}</p>
  return (
    <div className="pv-kept">
      <p className="pv-kept-note" role="status">
        <PlugDisconnected20Regular />
        {t('drive.preview.kept', { time: fullTime(keptAt), version })}
        {onRetry !== undefined && (
          <button type="button" className="pv-wide" onClick={onRetry}>
            {t('drive.retry')}
          </button>
        )}
      </p>
      <div className="pv-kept-content">
        {broken ? (
          none
        ) : url === undefined ? (
          <Spinner />
        ) : (
          <Content
            address={{ url, previewKey: `${fileId}-${version}`, form }}
            file={{ fName: name, fileSize }}
            none={none}
            isThere
            onFail={fail}
            onRefused={fail}
          />
        )}
      </div>
    </div>
  )
}

export interface OfflineViewerWindowProps {
  readonly accountId: number
  readonly fileId: number
}

/** Renders a cached file over the whole page, when the sign-in cannot be verified. */
export function OfflineViewerWindow({ accountId, fileId, close }: WindowProps<OfflineViewerWindowProps>): ReactNode {
  const t = useT()
  const [kept, setKept] = useState<OfflineCopy | null>()
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let gone = false
    void readOfflineCopy(accountId, fileId).then((found) => gone || setKept(found ?? null))
    root.current?.focus()
    return () => {
      gone = true
    }
  }, [accountId, fileId])
  return (
    <div className="pv on-dark" ref={root} tabIndex={-1}>
      <ClosableHead
        ext={extNameOf(kept?.name ?? '')}
        name={kept?.name}
        size={kept ? formatSize(kept.fileSize) : undefined}
        close={close}
      />
      <main className="pv-body">
        {kept === undefined ? (
          <Spinner />
        ) : kept === null ? (
          <p className="pv-unable">{t('drive.preview.keptGone')}</p>
        ) : (
          <OfflineViewer kept={kept} />
        )}
      </main>
    </div>
  )
}
