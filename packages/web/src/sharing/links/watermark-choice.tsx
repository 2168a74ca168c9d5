// Whether content shown and downloaded by a link has a watermark, and its template ([R222]).
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { Select } from '../../kit/select.tsx'
import { Switch } from '../../kit/switch.tsx'

interface WatermarkChoiceProps {
  readonly on: boolean
  /** 0: the standard template. */
  readonly templateId: number
  readonly onChange: (on: boolean, templateId: number) => void
}

export function WatermarkChoice({ on, templateId, onChange }: WatermarkChoiceProps): ReactNode {
  const t = useT()
  const { data } = useQuery({
    queryKey: ['links', 'watermarks'],
    queryFn: () => api.getWatermarkTemplates({}, { quiet: true }),
    enabled: on,
  })
  const options = (data?.list ?? []).map((one) => ({
    value: one.isStandard ? 0 : one.templateId,
    label: one.templateName,
  }))
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
      <small>{t('links.watermark.more')}</small>
    </div>
  )
}
