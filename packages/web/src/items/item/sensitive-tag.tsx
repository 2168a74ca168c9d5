// The result of the sensitive word check for a file ([R134]): as text next to its name, or as an icon where space is
// limited.
import type { ItemRecord } from '@cloudoc/contract'
import type { ReactNode } from 'react'
import { type Translate, t } from '../../core/i18n/i18n.ts'
import { Shield16Regular } from '../../kit/icons.ts'
import './item.css'
import { StatusChip } from '../../kit/chips.tsx'

type Badged = Pick<ItemRecord, 'sensitive'>

/** Returns the explanation of the check result of an item. Empty if there is none. */
export function sensitiveText({ sensitive }: Badged, words: Translate): string {
  return sensitive === 1 || sensitive === 2 ? words(`drive.sensitive.more.${sensitive}`) : ''
}

/** The badge of an item. */
export function SensitiveTag({ item, sign = false }: { readonly item: Badged; readonly sign?: boolean }): ReactNode {
  const { sensitive } = item
  if (sensitive !== 1 && sensitive !== 2) return null
  const more = `${t('drive.info.sensitive')}: ${sensitiveText(item, t)}`
  if (sign)
    return (
      <span className="dr-sensitive" data-state={sensitive} title={more} role="img" aria-label={more}>
        <Shield16Regular />
      </span>
    )
  return (
    <StatusChip tone={sensitive === 2 ? 'warning' : 'neutral'} title={more}>
      <span className="dr-sensitive">
        <Shield16Regular />
        {t(`drive.sensitive.${sensitive}`)}
      </span>
    </StatusChip>
  )
}
