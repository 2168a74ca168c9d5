// cloudoc-download-limit ([R084], [R284], mock-n-download-limit): the downloads of the day are used up; what counts, and when
// they are counted anew.
import { fullTime } from '@cloudoc/domain'
import { ArrowDownload24Regular } from '@fluentui/react-icons'
import type { ReactNode } from 'react'
import { useT } from '../../../core/i18n/i18n.ts'
import type { WindowProps } from '../../../core/windows/index.ts'
import { Button } from '../../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../../kit/dialog.tsx'
import './transfer.css'

export interface DownloadLimitProps {
  readonly count: number
  readonly limit: number
  readonly until: number
  /** What was to be downloaded. */
  readonly name: string
  readonly items: number
}

export function DownloadLimit({ count, limit, until, name, items, close }: WindowProps<DownloadLimitProps>): ReactNode {
  const t = useT()
  return (
    <>
      <DialogBody>
        <div className="tr-limit">
          <ArrowDownload24Regular />
          <div>
            <p>
              <b>{t('drive.limit.of', { n: count, limit })}</b>
              <small>{t('drive.limit.until', { time: fullTime(until).slice(0, 16) })}</small>
            </p>
            <div
              role="meter"
              aria-label={t('drive.limit.title')}
              aria-valuemin={0}
              aria-valuemax={limit}
              aria-valuenow={Math.min(count, limit)}
            >
              <i style={{ width: `${Math.min(100, (count * 100) / Math.max(1, limit))}%` }} />
            </div>
            <small>{t('drive.limit.counts')}</small>
          </div>
        </div>
        <p className="tr-limit-what">{t('drive.limit.what', { name, n: items })}</p>
        <p className="tr-limit-what">{t('drive.limit.next')}</p>
      </DialogBody>
      <DialogFooter>
        <Button kind="primary" onClick={() => close()}>
          {t('drive.close')}
        </Button>
      </DialogFooter>
    </>
  )
}
