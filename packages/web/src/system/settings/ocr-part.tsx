// Whether OCR is available. Shown below its setting.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'

/** Polled while it is shown, because no push reports a change. */
const everyMs = 5000

export function OcrPart({ isOn }: { readonly isOn: boolean }): ReactNode {
  const t = useT()
  const { data } = useQuery({
    queryKey: ['admin', 'ocr'],
    queryFn: () => api.getOcrStatus({}, { quiet: true }),
    refetchInterval: everyMs,
  })
  if (data === undefined) return undefined
  const { installed, waiting } = data
  const words = installed
    ? isOn
      ? waiting > 0
        ? t('admin.ocr.waiting', { n: waiting })
        : t('admin.ocr.done')
      : t('admin.ocr.off')
    : t('admin.ocr.missing')
  return (
    <div className="ad-set">
      <div className="ad-set-words">
        <b>{t('admin.ocr.state')}</b>
        <p className={installed || !isOn ? undefined : 'k-problem'} role={installed || !isOn ? undefined : 'status'}>
          {words}
        </p>
      </div>
    </div>
  )
}
