// The mark of a restricted document ([R206]): as text next to its name, or as an icon where space is limited.
import type { ItemRecord } from '@cloudoc/contract'
import type { ReactNode } from 'react'
import { t } from '../../core/i18n/i18n.ts'
import { LockClosed16Regular } from '../../kit/icons.ts'

type Marked = Pick<ItemRecord, 'docFlag'>

/** Whether an item, or a folder above it, is restricted. */
export const isRestricted = ({ docFlag }: Marked): boolean => (docFlag & 1) !== 0

/** The badge of a restricted item. */
export function RestrictedTag({ item, sign = false }: { readonly item: Marked; readonly sign?: boolean }): ReactNode {
  if (!isRestricted(item)) return null
  const more = `${t('drive.info.restricted')}: ${t('drive.info.restrictedText')}`
  return (
    <span
      className={sign ? 'dr-sensitive is-sign' : 'dr-tag'}
      title={more}
      {...(sign && { role: 'img', 'aria-label': more })}
    >
      {sign ? <LockClosed16Regular /> : t('drive.info.restricted')}
    </span>
  )
}
