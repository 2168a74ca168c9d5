// Whether content shown and downloaded by a link has a watermark, and its template, of the company or of the person's own
// ([R222], [R279]).

import type { WatermarkTemplate } from '@cloudoc/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { Select } from '../../kit/select.tsx'
import { Switch } from '../../kit/switch.tsx'
import './link-texts.ts'

const queryKey = ['links', 'watermarks'] as const

interface WatermarkChoiceProps {
  readonly on: boolean
  /** 0: the standard template. */
  readonly templateId: number
  readonly onChange: (on: boolean, templateId: number) => void
}

export function WatermarkChoice({ on, templateId, onChange }: WatermarkChoiceProps): ReactNode {
  const t = useT()
  const { data } = useQuery({
    queryKey,
    queryFn: () => api.getWatermarkTemplates({}, { quiet: true }),
    enabled: on,
  })
  const options = (data?.list ?? []).map((one) => ({
    value: one.isStandard ? 0 : one.templateId,
    label: one.templateName,
  }))
  const own = data?.list.find((one) => one.isOwn && one.templateId === templateId)
  const customise = async (template?: WatermarkTemplate): Promise<void> => {
    const saved = await openWindow('cloudoc-watermark-custom', { isOwn: true, ...(template && { template }) })
    if (saved === undefined) return
    await queryClient.invalidateQueries({ queryKey })
    onChange(true, saved.templateId)
  }
  return (
    <div className="sl-row">
      <Switch label={t('links.watermark')} on={on} onChange={(next) => onChange(next, templateId)} />
      {on && options.length > 0 && (
        <Select
          label={t('links.watermark.template')}
          value={options.some(({ value }) => value === templateId) ? templateId : 0}
          options={options}
          onChange={(next) => onChange(on, next)}
        />
      )}
      {own !== undefined && (
        <Button kind="link" onClick={() => void customise(own)}>
          {t('links.watermark.change')}
        </Button>
      )}
      {on && (
        <Button kind="link" onClick={() => void customise()}>
          {t('links.watermark.custom')}
        </Button>
      )}
      <small>{t('links.watermark.more')}</small>
    </div>
  )
}
