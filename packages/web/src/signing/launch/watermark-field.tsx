// The watermark of a launch ([R279]): a template of the company, or one of the person’s own, which is made here with a
// live preview. It is drawn on every page before anybody signs.

import type { WatermarkTemplate } from '@cloudoc/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, mainServer } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { Select } from '../../kit/select.tsx'

const queryKey = ['signing', 'watermarks'] as const

interface WatermarkFieldProps {
  /** 0: none. */
  readonly templateId: number
  readonly onChange: (templateId: number) => void
}

export function WatermarkField({ templateId, onChange }: WatermarkFieldProps): ReactNode {
  const t = useT()
  const { data } = useQuery({
    queryKey,
    queryFn: () => api.of(mainServer).getWatermarkTemplates({}, { quiet: true }),
  })
  const list = data?.list ?? []
  const own = list.find((one) => one.isOwn && one.templateId === templateId)
  const customise = async (template?: WatermarkTemplate): Promise<void> => {
    const saved = await openWindow('cloudoc-watermark-custom', { isOwn: true, ...(template && { template }) })
    if (saved === undefined) return
    await queryClient.invalidateQueries({ queryKey })
    onChange(saved.templateId)
  }
  return (
    <div className="sg-field">
      <b>{t('sign.watermark')}</b>
      <div className="sg-row">
        <Select
          label={t('sign.watermark')}
          value={templateId}
          options={[
            { value: 0, label: t('sign.watermark.none') },
            ...list.map((one) => ({ value: one.templateId, label: one.templateName })),
          ]}
          onChange={onChange}
        />
        <span>
          {own !== undefined && (
            <Button kind="link" onClick={() => void customise(own)}>
              {t('sign.watermark.change')}
            </Button>
          )}
          <Button kind="link" onClick={() => void customise()}>
            {t('sign.watermark.make')}
          </Button>
        </span>
      </div>
      {templateId !== 0 && <small>{t('sign.watermark.note')}</small>}
    </div>
  )
}
